import { expect, it } from 'vitest';
import { toEadBlocks, toEadLine } from './ead-text.ts';

const resolve = (href: string) => (/^https?:/.test(href) ? { href, external: true } : undefined);

it.each([
  ['Nets & ropes', '<p>Nets &#38; ropes</p>'],
  ['', ''],
  [' <p> </p> ', ''],
  ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
  ['<p>The quay burned <em>twice</em>.</p><p>So.</p>', '<p>The quay burned <emph render="italic">twice</emph>.</p><p>So.</p>'],
  ['a<b> b </b>c', '<p>a<emph render="bold"> b </emph>c</p>'],
  ['One<br>two', '<p>One<lb/>two</p>'],
  ['<h1>Title</h1>Text', '<p><emph render="bold">Title</emph></p><p>Text</p>'],
  [
    'See <a href="https://x.example/?a=1&amp;b=2">it</a>.',
    '<p>See <ref href="https://x.example/?a=1&#38;b=2" show="new" actuate="onrequest">it</ref>.</p>',
  ],
  ['<a href="javascript:alert(1)">it</a>', '<p>it</p>'],
  [
    '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>',
    '<list listtype="unordered" mark="disc"><item>a</item><item>b<list listtype="ordered" numeration="decimal"><item>c</item></list></item></list>',
  ],
  ['<ul><li><p>a</p><p>b</p></li></ul>', '<list listtype="unordered" mark="disc"><item>a<lb/>b</item></list>'],
  ['<ul></ul>', ''],
  [
    '<dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d</dt></dl>',
    '<list listtype="deflist"><defitem><label>a</label><item>b<lb/>c</item></defitem><defitem><label>d</label><item></item></defitem></list>',
  ],
  [
    '<table><caption>T</caption><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>',
    '<table><head>T</head><tgroup cols="2"><tbody><row><entry><emph render="bold">a</emph></entry><entry>b</entry></row><row><entry>c</entry></row></tbody></tgroup></table>',
  ],
  ['<blockquote>a<blockquote>b</blockquote></blockquote>', '<blockquote><p>a</p><p>b</p></blockquote>'],
  ['<b><p>a</p><p>b</p></b>', '<p><emph render="bold">a<lb/>b</emph></p>'],
  ['<script>alert(1)</script>a\u0001\ufffe', '<p>a</p>'],
])('writes %j as blocks of EAD3', (html, xml) => {
  expect(toEadBlocks(html, resolve)).toBe(xml);
});

it('writes one line', () => {
  expect(toEadLine('<p>a</p><p>b &lt;i&gt;</p>', resolve)).toBe('a<lb/>b &#60;i&#62;');
});
