import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeExternalUrl } from '../../model/external-url.ts';
import { findHtmlReferences } from '../../publish/references.ts';
import { toSafeHtml, toSafeOwnHtml } from './sanitize.ts';

const resolve = (href: string) => {
  const outside = safeExternalUrl(href);
  return outside === undefined ? undefined : { href: outside, external: true };
};
const clean = (html: string) => toSafeHtml(html, resolve);

describe('sanitize', () => {
  it.each([
    ['<i>one</i> &amp; <b>two</b>', '<i>one</i> &amp; <b>two</b>'],
    ['<script>alert(1)</script>after', 'after'],
    ['<img src=x onerror=alert(1)>after', 'after'],
    ['<a href="javascript:alert(1)">words</a>', '<a>words</a>'],
    [
      '<a href="https://x.example/" onclick="alert(1)">words</a>',
      '<a href="https://x.example/" rel="external noreferrer">words</a>',
    ],
    ['<p style="position:fixed" onclick="x()">words</p>', '<p>words</p>'],
    ['<style>body{display:none}</style>after', 'after'],
    ['<iframe src="//x.example"></iframe><form action="//x.example"><input></form>after', 'after'],
    ['</p></title><svg onload=alert(2)>', '<p></p>'],
    ['<p hidden>no</p><p>a <span style="display: none">no</span>b</p><i aria-hidden="true">c</i>', '<p>a b</p><i>c</i>'],
    ['<p>the\n <a>\n  Quay\n </a>\n , a\n <i>\n  Ford\n </i>\n .</p>', '<p>the\n <a>Quay</a>, a\n <i>Ford</i>.</p>'],
    ['<i>a</i> , b', '<i>a</i>, b'],
    ['plain "quotes"', 'plain &quot;quotes&quot;'],
    ['5 < 6 & 7', '5 &lt; 6 &amp; 7'],
    ['an <object>, <source>', 'an &lt;object&gt;, &lt;source&gt;'],
    ['from <illegible> to <name unknown>, <i>twice</i>', 'from &lt;illegible&gt; to &lt;name unknown&gt;, <i>twice</i>'],
    ['<illegible <script>alert(1)</script>after', '&lt;illegible after'],
    ['<p>\n<a>\nAlder Bay\n</a>\n, Demoland (\n<i>old</i>\n)</p>', '<p>\n<a>Alder Bay</a>, Demoland (<i>old</i>)</p>'],
  ])('makes %j safe', (html, safe) => expect(clean(html)).toBe(safe));

  it('leaves the text of an operator as it is', () =>
    expect(
      toSafeOwnHtml(
        '<p>a <b aria-hidden="true" hidden>b</b></p>',
        () => undefined,
        () => undefined,
      ),
    ).toBe('<p>a <b>b</b></p>'));

  it('removes everything that runs or loads', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      ' ',
      '/',
      'script',
      'img',
      'svg',
      'src',
      'onload',
      'href',
      'javascript:',
      'style',
      'url(//x)',
      'iframe',
      '&lt;',
      '<!--',
      '-->',
      '<![CDATA[',
      '\u0000',
      'a',
      'p',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const safe = clean(pieces.join(''));
        expect(safe).not.toMatch(/<(?:script|img|svg|iframe|style|!)/i);
        expect(safe).not.toMatch(/<[^>]*\s(?:on\w+|style|src)\s*=/i);
        expect(
          findHtmlReferences(safe).references.filter(({ use, href }) => use !== 'link' || /^javascript:/i.test(href)),
        ).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
