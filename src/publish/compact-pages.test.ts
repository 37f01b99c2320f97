import { describe, expect, it } from 'vitest';
import { isPackedPage } from '../formats/compact-names.ts';
import { compactPage } from './compact-pages.ts';

describe('pages in packs', () => {
  it.each([
    ['objects/a-1.html', true],
    ['objects/a-1/2.html', true],
    ['es/objects/a-1.html', true],
    ['browse/topic/11.html', true],
    ['authors/a_z/b.html', true],
    ['people/a.html', true],
    ['es/people/a.html', true],
    ['index.html', false],
    ['es/index.html', false],
    ['search.html', false],
    ['authors/index.html', false],
    ['people/index.html', false],
    ['browse/topic/index.html', false],
    ['ja/browse/topic/index.html', false],
    ['collections/index.html', false],
    ['media/a/a-1.image.jpg', false],
  ])('decides whether %s is in a pack: %s', (path, isPacked) => expect(isPackedPage(path)).toBe(isPacked));
});

const createPage = (body: string) => `<html><head></head><body>${body}</body></html>`;

it('changes the links of which a script makes elements', () => {
  const data = (href: string) =>
    createPage(`<script type="application/json">{"points":[{"label":"Quay","href":"${href}"},{"href":"#spot-1"}]}</script>`);
  expect(compactPage(data('../../browse/place/quay.html'), 'browse/place/index.html')).toBe(
    data('../../page.html?browse/place/quay.html'),
  );
});

it('links from a page that is a file to pages in packs', () => {
  expect(
    compactPage(
      createPage('<a href="../../objects/a-1.html#play">x</a> <a href="11.html">y</a> <a href="../../about.html">z</a>'),
      'browse/topic/index.html',
    ),
  ).toBe(
    createPage(
      '<a href="../../page.html?objects/a-1.html#play">x</a> <a href="../../page.html?browse/topic/11.html">y</a> <a href="../../about.html">z</a>',
    ),
  );
});

it('uses paths from the top of the site in a page in a pack', () => {
  const html = createPage(
    '<link href="../assets/site.css"><a href="../objects/a-2.html">x</a><form action="../search.html"></form><video src="../media/a/v.mp4" poster="../media/a/p.webp"></video>',
  );
  expect(compactPage(html, 'objects/a-1.html')).toBe(
    createPage(
      '<link href="assets/site.css"><a href="page.html?objects/a-2.html">x</a><form action="search.html"></form><video src="media/a/v.mp4" poster="media/a/p.webp"></video>',
    ),
  );
});

it('does not change fragments, URLs with a scheme, and plain text', () => {
  const html = createPage(
    '<a href="#spot-1">x</a><a href="https://a.example/objects/a-1.html">y</a> href="../objects/z.html in words',
  );
  expect(compactPage(html, 'objects/a-1.html')).toBe(html);
});

it('shows thumbnails from packs, in every locale', () => {
  const out = compactPage(createPage('<img src="../../thumbs/a/a-1.webp" width="4" height="3">'), 'es/objects/a-1.html');
  expect(out).toContain('data-thumb="thumbs/a/a-1.webp" width="4" height="3"');
  expect(out).toContain('<script defer src="assets/packed-thumbnails.js"></script></head>');
  expect(compactPage(createPage('<a href="../objects/a-1.html">x</a>'), 'es/search.html')).toContain(
    '<script defer src="../assets/packed-thumbnails.js"></script></head>',
  );
});

describe('only links are changed', () => {
  it.each([
    ['text', '<p>Write href="../objects/a-2.html" src="../thumbs/a/a.webp" in the page.</p>'],
    ['code', '<pre class="code">&lt;a href="../objects/a-2.html"&gt;</pre>'],
    ['an attribute in single quotes', `<p title='see href="../objects/a-2.html" there'>x</p>`],
    [
      'data',
      '<script type="application/ld+json">{"text":"\\u003ca href=\'../objects/a-2.html\'> href=\\"../objects/a-2.html\\""}</script>',
    ],
    ['a comment', '<!-- <a href="../objects/a-2.html"> -->'],
    ['a title', '<svg><title>a href="../objects/a-2.html"</title></svg>'],
  ])('does not change %s that looks like a link', (_, html) =>
    expect(compactPage(createPage(html), 'objects/a-1.html')).toBe(createPage(html)),
  );

  it('finds links in any notation', () => {
    const html = createPage(
      `<a href='a-2.html'>x</a><a HREF=a-2.html>y</a><a href = "a-2.html">z</a><a href="a-2.html?a=1&amp;b='2'">w</a>`,
    );
    const link = 'href="page.html?objects/a-2.html"';
    expect(compactPage(html, 'objects/a-1.html')).toBe(
      createPage(`<a ${link}>x</a><a ${link}>y</a><a ${link}>z</a><a href="page.html?objects/a-2.html?a=1&amp;b='2'">w</a>`),
    );
  });
});

it('takes readers from the former address of a page to the page in its pack', () => {
  const page = (content: string) =>
    `<html><head><meta http-equiv="refresh" content="${content}"><meta name="description" content="0; url=x.html"></head></html>`;
  expect(compactPage(page('0; url=../people/a.html'), 'authors/a.html')).toBe(page('0; url=page.html?people/a.html'));
});
