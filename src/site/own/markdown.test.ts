import fc from 'fast-check';
import { type MarkdownToHtmlResult, markdownToHtml } from 'satteri';
import { expect, it } from 'vitest';
import { parseDirective } from './directives.ts';
import { embedPlugin, MARKDOWN_FEATURES, splitAtEmbeds } from './embed-markup.ts';
import { parseMarkdown } from './markdown.ts';
import { pathInContent, resolveOwnLink } from './own-links.ts';

const render = (source: string) =>
  (markdownToHtml(source, { features: MARKDOWN_FEATURES, mdastPlugins: [embedPlugin] }) as MarkdownToHtmlResult).html;
const FRONT = '---\ntitle: One\n---\n';

it('returns directives, links and words with their lines', () => {
  const source = `${FRONT}At 10:30, *see* [it](two.md).\n\n::image[A **caption**]{id=a-b-1}\n\n![alt](x.jpg "Title")\n\n| a | b |\n| - | - |\n| c | d |\n`;
  const { frontMatter, embeds, links, text, problems } = parseMarkdown(source);
  expect(problems).toEqual([]);
  expect(frontMatter).toEqual({ title: 'One' });
  expect(links).toEqual([{ line: 4, href: 'two.md' }]);
  expect(embeds).toEqual([
    { line: 6, embed: { kind: 'image', id: 'a-b-1' } },
    { line: 8, embed: { kind: 'image-file', src: 'x.jpg', alt: 'alt' } },
  ]);
  expect(text).toBe('At 10:30, see it.\nA caption\nTitle\na\nb\nc\nd');
});

it('returns the links of HTML within the text, each with its line', () => {
  const source = `${FRONT}An <a\nhref="one.md">inline</a> one.\n\n<div>\n<p>A block, and <A HREF='../objects/a&amp;b.html'>another</A></p>\n</div>\n\n- In a list: <a href=three.md>x</a>\n\n::map[A <a href="four.md">caption</a>]\n\n<!-- <a href="none.md"> -->\n\n\`<a href="none.md">\` <a>no link</a>\n`;
  expect(parseMarkdown(source).links).toEqual([
    { line: 4, href: 'one.md' },
    { line: 8, href: '../objects/a&b.html' },
    { line: 11, href: 'three.md' },
    { line: 13, href: 'four.md' },
  ]);
});

it('reads a date with and without quotation marks', () => {
  for (const date of ['2026-05-01', '"2026-05-01"'])
    expect(parseMarkdown(`---\ntitle: One\ndate: ${date}\n---\n`).frontMatter?.date).toBe('2026-05-01');
  for (const date of ['2026-02-30', '2026', 'May 1'])
    expect(parseMarkdown(`---\ntitle: One\ndate: ${date}\n---\n`).problems).toEqual([
      { line: 3, problem: '"date" must be a date such as 2026-05-01.' },
    ]);
});

it('names each mistake in front matter with its line', () => {
  expect(parseMarkdown('---\ntitle: 1942\nauthor: Me\ntags: a\norder: first\n---\n').problems).toEqual([
    { line: 2, problem: expect.stringMatching(/^"title" must be text of at most 200 characters\. Put numbers in/) },
    { line: 5, problem: '"order" must be a number.' },
    { line: 3, problem: expect.stringMatching(/^the field "author" does not exist/) },
    { line: 4, problem: expect.stringMatching(/^the field "tags" does not exist/) },
  ]);
});

it('never throws, and finds the same directives as the page', () => {
  const block = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, ' ')),
    fc.constantFrom(
      '::map',
      '::image{id=a-b-1}',
      '> ::map',
      '- ::map',
      ':::x',
      '![a](b.jpg)',
      '<div>',
      '::grid{q="<&\\"\'>"}',
      '# A',
      '[^1]: x',
    ),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
      const body = blocks.join('\n\n');
      const parsed = parseMarkdown(FRONT + body);
      if (parsed.problems.length > 0) return;
      const shown = splitAtEmbeds(render(body)).flatMap((part) => ('directive' in part ? [part.directive.name] : []));
      const names = parsed.embeds.map(({ embed }) => ({ query: 'grid', list: 'grid' })[embed.kind as 'query'] ?? embed.kind);
      expect(shown).toEqual(names);
    }),
    { numRuns: 300 },
  );
});

it('passes every value of an attribute on to the page', () => {
  const value = fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.replace(/["\\&{}\r\n]/g, ''));
  fc.assert(
    fc.property(value, (q) => {
      const [part] = splitAtEmbeds(render(`::grid{q="${q}"}`));
      expect(part).toMatchObject({ directive: { name: 'grid', attributes: { q } } });
    }),
  );
});

it('keeps text with colons, as times and URLs have', () => {
  for (const text of ['At 10:30 and 0:35', 'a:b{c}', 'https://x.example/a:b', '日本12:30'])
    expect(
      render(text)
        .replace(/<[^>]*>/g, '')
        .trim(),
    ).toBe(text);
});

it('says what is wrong with a directive, or what it means', () => {
  const names = fc.constantFrom('image', 'player', 'document', 'map', 'timeline', 'grid', 'pictur', 'constructor', '');
  const attributes = fc.dictionary(
    fc.constantFrom('id', 'ids', 'at', 'page', 'q', 'limit', 'topic', 'collection', '__proto__', 'x'),
    fc.oneof(fc.string(), fc.constantFrom('a-b-1', '0:35', '3')),
  );
  fc.assert(
    fc.property(names, attributes, (name, written) => {
      const parsed = parseDirective({ name, attributes: written });
      if ('problem' in parsed) expect(parsed.problem.length).toBeGreaterThan(10);
      else expect(parsed.kind).toBeTruthy();
    }),
  );
});

it('resolves links and images relative to the directory of their kind', () => {
  expect(resolveOwnLink('../objects/a-1.html#t=3', 'exhibits')).toEqual({ path: 'objects/a-1.html', fragment: '#t=3' });
  expect(resolveOwnLink('two.es.md', 'pages')).toEqual({ path: 'pages/two.html', fragment: '' });
  expect(resolveOwnLink('../exhibits/es/two.md#a', 'pages')).toEqual({ path: 'exhibits/two.html', fragment: '#a' });
  for (const href of ['https://a.example/', '//a.example/', '/about.html', 'mailto:a@b.example', '#a', '%zz'])
    expect(resolveOwnLink(href, 'pages')).toBeUndefined();
  expect(pathInContent('pages', 'es/one', '../a%20b.jpg')).toBe('pages/a b.jpg');
  for (const src of ['../../../a.jpg', '/a.jpg', 'data:image/png,x', '..\\a.jpg'])
    expect(pathInContent('pages', 'one', src)).toBeUndefined();
  expect(pathInContent('pages', 'one', '../exhibits/images/a.jpg')).toBe('exhibits/images/a.jpg');
  for (const src of ['../snapshot/media/a.jpg', '../logo.png', '../pagesother/a.jpg', '.a.jpg', '.private/a.jpg', '..'])
    expect(pathInContent('pages', 'one', src)).toBeUndefined();
});
