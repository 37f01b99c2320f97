import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanTitle, toPlainText } from '../../model/text/text.ts';
import { textToHtml } from './paragraphs.ts';
import { toSafeHtml } from './sanitize.ts';

const clean = (html: string) => toSafeHtml(html, (href) => ({ href, external: true }));

describe('plain text', () => {
  it.each([
    ['One line.', 'One line.'],
    ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
    ['One.\r\n \r\n\tTwo.\r\n', '<p>One.</p><p>Two.</p>'],
    ['One.\rTwo.', 'One.<br>Two.'],
    ['One.\u2028Two.\u2029Three.', '<p>One.<br>Two.</p><p>Three.</p>'],
    ['Box 1\nBox 2\n\nNotes & queries', '<p>Box 1<br>Box 2</p><p>Notes &amp; queries</p>'],
    ['\n\nOne.\n\n', 'One.'],
    ['5 < 6\n\n7 > 6', '<p>5 &lt; 6</p><p>7 &gt; 6</p>'],
    ['Series:\n- Letters\n- Diaries\n\nEnd', '<p>Series:</p><ul><li>Letters</li><li>Diaries</li></ul><p>End</p>'],
    ['• 手紙\n・日記', '<ul><li>手紙</li><li>日記</li></ul>'],
    ['1. Letters\n2. Diaries\n   of 1942', '<ol><li>Letters</li><li>Diaries of 1942</li></ol>'],
    ['3) Letters\n4) Diaries', '<ol start="3"><li>Letters</li><li>Diaries</li></ol>'],
    ['- Hola.\nDijo ella.', '- Hola.<br>Dijo ella.'],
    ['1942. Born\n1943. Moved', '1942. Born<br>1943. Moved'],
    ['1. Letters\n5. Diaries', '1. Letters<br>5. Diaries'],
    ['1.5 m\n2.5 m', '1.5 m<br>2.5 m'],
  ])('%j keeps its lines', (text, html) => {
    expect(clean(text)).toBe(html);
    expect(textToHtml(text)).toBe(html);
  });

  it('loses and adds no words', () => {
    const piece = fc.constantFrom(
      'a',
      'b ',
      '\n',
      '\n\n',
      '\r\n',
      '- ',
      '* ',
      '1. ',
      '2. ',
      '  ',
      '<',
      '&',
      '<i>',
      '</i>',
      '•',
      '\u2029',
    );
    const bare = (text: string) => text.replace(/[-*•\d.\s]/g, '');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const html = textToHtml(text);
          const open: string[] = [];
          for (const [, close, name] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
            if (close) expect(open.pop()).toBe(name);
            else if (name !== 'br') open.push(name as string);
          }
          expect(open).toEqual([]);
          expect(bare(toPlainText(`<p>${html}</p>`))).toBe(bare(cleanTitle(text)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('text with HTML', () => {
  it.each([
    ['<i>One</i>.\n\nTwo <b>words</b>', '<p><i>One</i>.</p><p>Two <b>words</b></p>'],
    ['<i>One.\n\nTwo.</i>\nThree', '<i>One.<br><br>Two.</i><br>Three'],
    ['One<br>\ntwo\n\nthree', '<p>One<br />\ntwo</p><p>three</p>'],
    [
      '- <a href="https://x.example/">One</a>\n- Two',
      '<ul><li><a href="https://x.example/" rel="external noreferrer">One</a></li><li>Two</li></ul>',
    ],
    ['<p>One\ntwo</p>\n\n<p>Three</p>', '<p>One\ntwo</p>\n\n<p>Three</p>'],
    ['<ul>\n<li>One</li>\n</ul>', '<ul>\n<li>One</li>\n</ul>'],
    ['<div>One</div><div>Two</div>', '<div>One</div><div>Two</div>'],
    ['<section>One</section><h5>Two</h5>', '<div>One</div><h4>Two</h4>'],
    ['One &amp;\n\ntwo', '<p>One &amp;</p><p>two</p>'],
  ])('%j keeps its lines or its blocks', (text, html) => expect(clean(text)).toBe(html));

  it('shows neither title, script, style nor comments of a document', () => {
    const html =
      '<!DOCTYPE html><html><head><title>Tape 3 b</title><style>p{color:red}</style><script>run()</script></head><body><!-- typed by --><p>Hello</p>\n<p>there</p></body></html>';
    expect(clean(html).trim()).toBe('<p>Hello</p>\n<p>there</p>');
    expect(toPlainText(html)).toBe('Hello there');
    expect(toPlainText('About the <title> element')).toBe('About the <title> element');
    expect(toPlainText('<TITLE>x</TITLE >Hello')).toBe('Hello');
  });

  it('has spaces between blocks in plain text', () => {
    expect(toPlainText('<dl><dt>One</dt><dd>two</dd></dl><article>three</article><pre>four</pre>')).toBe('One two three four');
    expect(toPlainText('One\n\ntwo\nthree')).toBe('One two three');
  });
});
