import { describe, expect, it } from 'vitest';
import { readArticleFacts, readSections, textOfSections } from './article-fields.ts';
import { readArticle } from './guide.ts';

const article = (payload: Record<string, unknown>) => readArticle({ title: 'Quay Street', ...payload });
const factsOf = (payload: Record<string, unknown>) => readArticleFacts(payload).map(({ name, values }) => [name, ...values]);

describe('the texts of a guide page', () => {
  it('are those of all fields with HTML, the notes last, and of unknown fields too', () =>
    expect(
      readSections({
        footnotes: '<ol><li>Note</li></ol>',
        moreinfo: '<p>Read on</p>',
        timeline: '<p>1921 opened</p>',
        body: 'Plain body',
        reviews: '<p>Good</p>',
        related: '<ul><li>Ferry</li></ul>',
        findatia: '<p>Film</p>',
        description: '<p>Short</p>',
        rg_theme: 'Not <3 markup',
      }).map(({ field }) => field),
    ).toEqual(['body', 'findatia', 'reviews', 'related', 'moreinfo', 'timeline', 'footnotes']));

  it('have nothing that is hidden', () =>
    expect(
      textOfSections(
        readSections({
          body: '<div style="display:none"><p>Key:1;</p></div><p>Seen</p><b id="c" hidden>Quill, A.</b>',
          related: '<p hidden>x</p>',
        }),
      ),
    ).toBe('Seen'));

  it('have what is hidden from screen readers only, and fields whose HTML is in a list or in several languages', () =>
    expect(
      readSections({
        body: '<p>A <span aria-hidden="true">b</span></p><div id="databox-X" aria-hidden="true">Name:Quay;</div>',
        stages: ['<p>One.</p>', '<p>Two.</p>'],
        poem: { en: '<p>Sea</p>', ja: '<p>海</p>' },
      }).map(({ html }) => html),
    ).toEqual(['<p>A <span aria-hidden="true">b</span></p>', '<p>One.</p>\n<p>Two.</p>', '<p>Sea</p>']));

  it('have no space before a comma or a mark for want of one in indented HTML', () => {
    const html =
      '<p>\n The\n <a href="/x">\n  Ferry\n </a>\n , as (\n <i>\n  Log\n </i>\n ) "\n <b>\n says\n </b>\n ".\n <sup>\n  <a href="#n">\n   [1]\n  </a>\n </sup>\n</p>';
    expect(textOfSections(readSections({ body: html }))).toBe('The Ferry, as (Log) "says".[1]');
  });
});

describe('the facts of a guide page', () => {
  it('are read from a hidden databox, without empty ones', () =>
    expect(
      factsOf({
        body: '<div id="databox-Piers" style="display:none;"><p>\n DenshoName:Quay;\nType:\n <a href="/Piers">\n Pier\n </a>\n ;\nDateOpened:May 3, 1921;\nDateClosed:;\nDescription:Long; and low.;\nLink: https://pier.example/a;\n</p></div><p>Text</p>',
      }),
    ).toEqual([
      ['DenshoName', 'Quay'],
      ['Type', 'Pier'],
      ['DateOpened', 'May 3, 1921'],
      ['Description', 'Long; and low.'],
      ['Link', 'https://pier.example/a'],
    ]));

  it('are read from a databox in any field', () =>
    expect(factsOf({ harbor_notes: '<div id="databox-Piers" hidden>Name:Quay;</div><p>Text</p>' })).toEqual([['Name', 'Quay']]));

  it('are the objects and lists in fields that are not known', () =>
    expect(
      factsOf({
        prizes: [
          { year: 1921, title: 'Best pier', given_by: { name: 'Guild' } },
          'Second',
          { id: 'x', json: 'https://a.example/x' },
        ],
        size: { depth: { m: 4 }, note: '' },
        crew: [['Ada', 'Bram'], { persons: [{ name: 'Cy' }, { name: 'Di' }] }],
        empty: [{}, []],
      }),
    ).toEqual([
      ['prizes', 'Best pier; year: 1921; given by: Guild', 'Second', 'x'],
      ['size', 'depth: m: 4'],
      ['crew', 'Ada; Bram', 'persons: Cy; Di'],
    ]));

  it.each([
    [{ Piers: { Name: 'Quay', Opened: 1921, Closed: '' } }],
    [{ Name: 'Quay', Opened: '1921' }],
    [[{ Name: 'Quay' }, 'Opened:1921;']],
    [{ Piers: 'Name:Quay;\nOpened:1921;' }],
  ])('are read from databoxes %j', (databoxes) =>
    expect(factsOf({ databoxes })).toEqual([
      ['Name', 'Quay'],
      ['Opened', '1921'],
    ]),
  );

  it.each([
    '<div class="databox" aria-hidden="true">Name:Quay;Date Opened:1921;</div>',
    '<div id="rgdatabox-Core" hidden><p>Name: Quay</p><p>Date Opened: 1921</p></div>',
    '<ul class="databox"><li>Name: Quay</li><li>Date Opened: 1921</li></ul>',
    '<div class="my-databox">Name: Quay<br>Date Opened: 1921</div>',
    '<dl class="databox"><dt>Name</dt><dd>Quay</dd><dt>Date Opened:</dt><dd>1921</dd></dl>',
    '<table id="databox-Piers"><tr><th>Name</th><td>Quay</td></tr><tr><td>Date Opened</td><td>1921</td></tr></table>',
  ])('are read from the databox %s, which is not shown', (box) => {
    expect(factsOf({ body: `<p>Text</p>${box}` })).toEqual([
      ['Name', 'Quay'],
      ['Date Opened', '1921'],
    ]);
    expect(textOfSections(readSections({ body: `<p>Text</p>${box}` }))).toBe('Text');
  });

  it('are the fields of the guide, and fields that are not known', () =>
    expect(
      factsOf({
        title: 'x',
        rg_theme: ['Work', 'Sea'],
        rg_pov: '',
        mediatype_label: 'Essay',
        depth_m: 4,
        related: '<p>y</p>',
        source_ids: ['a'],
      }),
    ).toEqual([
      ['rg_theme', 'Work', 'Sea'],
      ['mediatype_label', 'Essay'],
      ['depth_m', '4'],
    ]));
});

it.each([
  [[-102.3, 38.05], { lat: 38.05, lng: -102.3 }],
  [['-63.02', '44.31'], { lat: 44.31, lng: -63.02 }],
  [
    { lat: 44.31, lng: -63.02 },
    { lat: 44.31, lng: -63.02 },
  ],
  [{}, undefined],
  [[], undefined],
  [null, undefined],
])('coordinates %j are %j', (coordinates, position) => expect(article({ coordinates })?.position).toEqual(position));

it('takes the position from the databox if the page has none of its own', () =>
  expect(article({ databoxes: { a: { GISLat: '44.31', GISLng: '-63.02' } } })?.position).toEqual({ lat: 44.31, lng: -63.02 }));
