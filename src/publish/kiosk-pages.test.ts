import fc from 'fast-check';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { qrPath } from '../formats/qr-path.ts';
import { createLocales, type Locale } from '../site/language/locale.ts';
import { replaceExternalLinks } from './kiosk-pages.ts';

const [{ t }] = createLocales(['en']) as [Locale];
const replace = (html: string) => replaceExternalLinks(html, t.kiosk);

it('does not change a page without external links', () => {
  const html = '<main><a href="x.html">in</a> <a href="#y">here</a> <a>none</a> &amp; https://plain.example/</main>';
  expect(replace(html)).toBe(html);
});

it('leaves the text of a link unchanged, and shows one QR code per URL', () => {
  const out = replace(
    '<main><p>See <a href="https://a.example/" rel="external">a <b>b</b></a>, <a href="https://a.example/">c</a>.</p></main>',
  );
  const button = '<button type="button" class="outside" popovertarget="outside-1">';
  expect(out).toContain(`<p>See ${button}a <b>b</b></button>, ${button}c</button>.</p><div class="outside-panel" id="outside-1"`);
  expect(out.match(/outside-panel/g)).toHaveLength(1);
  expect(out).not.toContain('<a ');
});

it.each([
  '//host/x',
  'HTTPS://a.example',
  ' https://a.example',
  'mailto:a@b.example',
  'tel:1',
  '\\\\host\\x',
  'javascript:alert(1)',
])('replaces a link to %j', (href) => expect(replace(`<main><a href="${href}">x</a></main>`)).not.toContain('<a '));

it('escapes URLs', () => {
  expect(replace('<main><a href="https://a.example/?&quot;&gt;&lt;img src=x&gt;">x</a></main>')).not.toContain('<img');
});

it('creates QR codes that can be read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.webUrl({ withQueryParameters: true, withFragments: true }), async (typed) => {
      const url = new URL(typed).href;
      const code = qrPath(url);
      if (!code) return expect(url.length).toBeGreaterThan(600);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${code.size * 6}" height="${code.size * 6}" viewBox="0 0 ${code.size} ${code.size}"><rect width="100%" height="100%" fill="#fff"/><path d="${code.path}" stroke="#000" shape-rendering="crispEdges"/></svg>`;
      const { data, info } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(url);
    }),
    { numRuns: 30 },
  );
});

it('creates no QR code for a URL that is too long for a phone to read', () => {
  expect(qrPath(`https://a.example/${'x'.repeat(600)}`)).toBeUndefined();
  expect(replace(`<main><a href="https://a.example/${'x'.repeat(600)}">x</a></main>`)).toContain('x'.repeat(600));
});
