import { expect, it } from 'vitest';
import { plainSite } from '../../../../scripts/bench/plain-site.ts';
import { addBodies, createSnapshotOf } from '../../../../tests/support/memory-snapshot.ts';
import { readCatalogue } from '../../../catalogue/catalogue.ts';
import type { ArticleEntry } from '../../../catalogue/entries.ts';
import type { Resource } from '../../../model/resources.ts';
import { createMemorySnapshot } from '../../../snapshot/store.ts';
import { openWriter } from '../../../snapshot/write.ts';
import type { Site } from '../../site.ts';
import { createArticleView } from './guide.ts';

const GUIDE = 'https://guide.example';

/** Returns the view of the guide page “Quay Street”, in an archive with further resources. */
function viewOf(payload: Record<string, unknown>, more: Array<[resource: Resource, body: unknown]> = []) {
  const store = createMemorySnapshot('nowhere');
  const writer = openWriter(store, () => '2026-01-01T00:00:00.000Z');
  writer.setMeta('authors_url', GUIDE);
  writer.setMeta('catalog_url', 'https://catalog.example');
  const article = { title: 'Quay Street', links: { html: `${GUIDE}/Quay%20Street/` }, ...payload };
  addBodies(store, [[{ kind: 'article', name: 'Quay Street' }, article], ...more]);
  const { sites, entries, content } = plainSite(store);
  const entry = entries.articles.find(({ slug }) => slug === 'quay-street') as ArticleEntry;
  return createArticleView(entry, content.article(entry, 1), 1, sites[0] as Site);
}

it('shows every text once, with a heading if it has none of its own', () => {
  const paragraph = 'The quay was built of stones that fishing boats had carried as ballast from the far shore.';
  const { texts, summary } = viewOf({
    description: paragraph,
    body: `<p>${paragraph.replace('stones', '<a href="x">stones</a> [1]')}</p>`,
    findatia: `<div><h2>Films</h2><p>${paragraph}</p><p>A film of the quay.</p></div>`,
    related: `<h2>See also</h2><div><p>${paragraph}</p></div>`,
    timeline: '<p>1921</p>',
    footnotes: '<h2>Footnotes</h2><ol><li>Log.</li></ol>',
  });
  expect(summary).toBeUndefined();
  expect(texts.map(({ heading, html }) => [heading, html.replace(/ id="section-\d"/, '')])).toEqual([
    [undefined, `<p>${paragraph.replace('stones', '<a>stones</a> [1]')}</p>`],
    [undefined, '<div><h2>Films</h2><p>A film of the quay.</p></div>'],
    ['Timeline', '<p>1921</p>'],
    [undefined, '<h2>Footnotes</h2><ol><li>Log.</li></ol>'],
  ]);
});

it('lists the headings of its sections, each of which has an ID, unless there are only a few', () => {
  const body =
    '<h2>The <i>stones</i></h2><p>One.</p><h3>Ballast</h3><p>Two.</p><h2></h2><h2>Trades &amp; boats</h2><p>Three.</p>';
  const { contents, texts } = viewOf({ body, timeline: '<p>1921</p>' });
  expect(contents).toEqual([
    { id: 'section-1', label: 'The stones' },
    { id: 'section-2', label: 'Trades & boats' },
    { id: 'section-3', label: 'Timeline' },
  ]);
  expect(texts[0]?.html).toMatch(/<h2 id="section-1">The <i>stones<\/i><\/h2>.*<h3>Ballast.*<h2 id="section-2">Trades/s);
  expect(texts[1]?.headingId).toBe('section-3');
  const short = viewOf({ body });
  expect([short.contents, short.texts[0]?.html.includes('id=')]).toEqual([[], false]);
});

it('keeps a text that is only a part of another one, and shows tags that HTML does not know', () => {
  const { texts } = viewOf({
    body: '<p>Read the almanac of the harbor office of 1921, and <illegible> of its letters.</p>',
    moreinfo: '<ul><li><a href="https://a.example/">The almanac of the harbor office of 1921</a></li></ul>',
  });
  expect(texts.map(({ html }) => html)).toEqual([
    '<p>Read the almanac of the harbor office of 1921, and &lt;illegible&gt; of its letters.</p>',
    expect.stringContaining('<a href="https://a.example/" rel="external noreferrer">The almanac'),
  ]);
});

it('links notes both ways, and no link leads nowhere', () => {
  const { texts } = viewOf({
    body: '<p>Stones.<sup id="ref 1"></sup><sup id="ref-1"><a href="#note-1">[1]</a></sup> <a href="#nowhere">x</a> <cite id="log">Log</cite></p>',
    footnotes: '<ol><li id="note-1"><a href="#ref-1">↑</a> See the <a href="#log">log</a>.</li><li id="note-2">Other.</li></ol>',
  });
  expect(texts.map(({ html }) => html)).toEqual([
    '<p>Stones.<sup></sup><sup id="text-ref-1"><a href="#text-note-1">[1]</a></sup> <a>x</a> <span id="text-log">Log</span></p>',
    '<ol><li id="text-note-1"><a href="#text-ref-1">↑</a> See the <a href="#text-log">log</a>.</li><li>Other.</li></ol>',
  ]);
});

it('shows each item of a list once', () => {
  const item = (words: string) => `<li>${words}</li>`;
  const [old, added] = [
    'The almanac of the harbor office, volume seven, 1921.',
    'The letters of the harbor office, volume two, 1922.',
  ];
  const { texts } = viewOf({
    body: `<ol>${item(old)}</ol>`,
    related: `<p>See:</p><ul>${item(`<i>${old}</i>`)}${item(added)}</ul>`,
  });
  expect(texts[1]?.html).toBe(`<p>See:</p><ul>${item(added)}</ul>`);
});

it('links to named anchors, and shows no script or style that is the target of a link', () => {
  const { texts } = viewOf({
    body: '<p><a href="#log">Log</a> <a href="#s">x</a> <a href="#t">y</a></p><script id="s">run()</script><style id="t">p{}</style><p><a name="log">1921</a></p>',
  });
  expect(texts[0]?.html).toBe('<p><a href="#text-log">Log</a> <a>x</a> <a>y</a></p><p><a id="text-log">1921</a></p>');
});

it('has the facts of the guide and its databoxes, and a map', () => {
  const view = viewOf({
    body: '<div id="databox-Piers" style="display:none">DateOpened:1921; Page:https://pier.example/;</div><p>Text</p>',
    rg_readinglevel: ['Work', 'Sea'],
    rg_phase: 'First',
    rg_interested_in: 'Boats',
    coordinates: [-63.02, 44.31],
  });
  expect(view.facts.map(({ label, values }) => [label, ...values.map(({ label: text, href }) => href ?? text)])).toEqual([
    ['Opened', '1921'],
    ['Page', 'https://pier.example/'],
    ['Reading level', 'Work', 'Sea'],
    ['Phase', 'First'],
    ['Interested in', 'Boats'],
    ['Position', '44.3100, −63.0200'],
  ]);
  expect(view.map?.spots).toMatchObject([{ name: 'Quay Street' }]);
  expect(viewOf({ coordinates: {} }).map).toBeUndefined();
});

it('shows sources with their record, collection and institution', () => {
  const source = (name: string, body: Record<string, unknown>): [Resource, unknown] => [
    { kind: 'source', name },
    { id: name, ...body },
  ];
  const view = viewOf({ sources: [{ id: 's-1' }, { id: 's-2' }] }, [
    source('s-1', {
      caption: 'The quay',
      external_url: 'https://catalog.example/demo-org-1-2/',
      transcript: '<p>Listen.</p>',
      media_format: 'video',
      courtesy: 'Quay Society',
    }),
    source('s-2', {
      caption: 'A net',
      densho_id: 'net-7',
      collection_name: 'Nets',
      institution_id: 'Net Museum',
      links: { img: `${GUIDE}/media/` },
    }),
    [
      { kind: 'object', name: 'demo-org' },
      { id: 'demo-org', model: 'organization', title: 'Harbor Museum' },
    ],
    [
      { kind: 'object', name: 'demo-org-1' },
      { id: 'demo-org-1', model: 'collection', title: 'Films' },
    ],
    [
      { kind: 'object', name: 'demo-org-1-2' },
      { id: 'demo-org-1-2', model: 'entity', title: 'Quay film', collection_id: 'demo-org-1' },
    ],
  ]);
  expect(view.sources).toMatchObject([
    {
      caption: 'The quay',
      transcript: '<p>Listen.</p>',
      lacksRecording: true,
      courtesy: 'Quay Society',
      embed: { kind: 'text', record: { card: { id: 'demo-org-1-2' } } },
      facts: [
        { label: 'Collection', text: 'Films', target: { href: '../objects/demo-org-1.html' } },
        { label: 'Institution', text: 'Harbor Museum', target: { href: '../objects/demo-org.html' } },
      ],
    },
    {
      caption: 'A net',
      lacksRecording: false,
      embed: { kind: 'text', record: undefined },
      facts: [
        { label: 'Collection', text: 'Nets' },
        { label: 'Institution', text: 'Net Museum' },
        { label: 'Original', text: 'net-7' },
      ],
    },
  ]);
});

it('is named in the report of a build if another page differs from it in spaces only', () => {
  const page = (name: string): [Resource, unknown] => [
    { kind: 'article', name },
    { title: name, body: `<p>${name}</p>` },
  ];
  const { problems } = readCatalogue(createSnapshotOf([page('Quay Street'), page('Quay  Street')]));
  expect(problems).toEqual([
    { page: 'guide/quay-street.html', cause: 'the guide also has it as “Quay Street”, which is not shown' },
  ]);
});

it('is cited with its author and the date of its last change', () => {
  const { citations } = viewOf({ modified: '2020-06-22T19:02:00', authors: ['Ada B. Quill'] }, [
    [{ kind: 'author', name: 'Ada B. Quill' }, { id: 'Ada B. Quill' }],
  ]);
  const styles = Object.fromEntries(citations.map(({ style, text }) => [style, text]));
  expect(styles['Chicago']).toMatch(/^Quill, Ada B\. “Quay Street\.” June 22, 2020\./);
  expect(styles['APA']).toMatch(/^Quill, A\. B\. \(2020, June 22\)\. Quay Street\./);
  expect(styles['MLA']).toMatch(/^Quill, Ada B\. “Quay Street\.” 22 June 2020\./);
  expect(styles['RIS']).toContain('AU  - Quill, Ada B.\n');
  expect(styles['RIS']).toContain('DA  - 2020/06/22/\n');
  expect(styles['BibTeX']).toMatch(/author = \{.*Quill.*Ada B.*\}[\s\S]*year = \{2020\}/);
  expect(styles['CSL-JSON']).toContain('"date-parts": [');
});
