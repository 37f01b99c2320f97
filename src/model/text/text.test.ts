import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstSentence, toPlainText, truncateSentences, truncateWords } from './text.ts';

describe('toPlainText', () => {
  it.each([
    ['The <i>Constance</i> &amp; her crew', 'The Constance & her crew'],
    ['<script>alert(1)</script>Fog <img src=x onerror=alert(1)>bell', 'Fog bell'],
    ['<p>One</p><p>Two</p>', 'One Two'],
    ['a\u0000b\u202ec\u0007', 'abc'],
    ['  folded \n white\tspace ', 'folded white space'],
    ['5 < 6', '5 < 6'],
    ['', ''],
    ['Letter from <illegible> to Mary', 'Letter from <illegible> to Mary'],
    ['the boat <name unknown> had <unclear>sunk</unclear>; 5 < 6', 'the boat <name unknown> had <unclear>sunk</unclear>; 5 < 6'],
    ['<title unknown>, by <a lady>, <?>, <3, </>', '<title unknown>, by <a lady>, <?>, <3, </>'],
    [
      'filed under <code 5>, an <object> on a <map>, <source> and <time> not given, <section 3 />, </map torn>',
      'filed under <code 5>, an <object> on a <map>, <source> and <time> not given, <section 3 />, </map torn>',
    ],
    [
      '<object><map name="a">Quay</map></object> <section>Fog</section><p>bell<source src="a"><time datetime="1921">1921</time>',
      'Quay Fog bell1921',
    ],
    ['from <mary@demo.example>, <https://demo.example/a>', 'from <mary@demo.example>, <https://demo.example/a>'],
    ['<o:p>Fog</o:p><br/><p>bell</p><p hidden>gone</p><!-- note --><?xml version="1.0"?>', 'Fog bell'],
    ['<![CDATA[Fog <i>bell</i>]]> on <![CDATA[the <quay>]]>', 'Fog bell on the <quay>'],
    ['Smith &amp; Sons &lt;draft&gt; &amp;lt;b&amp;gt;', 'Smith & Sons <draft> &lt;b&gt;'],
    ['<a href="x">\n  Alder Bay\n</a>\n, Demoland (\n<i>\nold\n</i>\n)', 'Alder Bay, Demoland (old)'],
    ['the camps , of which', 'the camps, of which'],
    ['<p>all the "\n <b>\n  quays\n </b>\n " and</p>', 'all the "quays" and'],
  ])('extracts the text of %j', (html, text) => expect(toPlainText(html)).toBe(text));

  it('never throws, and leaves no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (html) => {
        expect(toPlainText(html)).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 1000 },
    );
  });
});

it('shortens between words', () => {
  expect(truncateWords('one two three', 9)).toBe('one two…');
  expect(truncateWords('short', 9)).toBe('short');
});

it('takes the first sentence of a text, also with initials and abbreviations in capitals', () => {
  expect(firstSentence('Arrival in the U.S. and the first winter. Then the nets.')).toBe(
    'Arrival in the U.S. and the first winter',
  );
  expect(firstSentence('A letter to J. B. Quill about nets. Two pages.')).toBe('A letter to J. B. Quill about nets');
  expect(firstSentence('He said “No!” Then he left.')).toBe('He said “No!”');
  expect(firstSentence('Nets')).toBe('Nets');
});

it('cuts a text after a sentence if most of it fits', () => {
  const text = 'The quay was built in 1912. It burned in 1938 and was built again. A third sentence follows here.';
  expect(truncateSentences(text, 75)).toBe('The quay was built in 1912. It burned in 1938 and was built again.');
  expect(truncateSentences(text, 60)).toBe('The quay was built in 1912. It burned in 1938 and was built…');
  expect(truncateSentences(text, 200)).toBe(text);
});

it('removes the spaces that programs put before full stops and within quotation marks, and no others', () => {
  expect(toPlainText('a visit by Eleanor Quill . Then an " assembly center ." And more.')).toBe(
    'a visit by Eleanor Quill. Then an "assembly center." And more.',
  );
  expect(toPlainText('She said "yes" and "no" . .NET and … so on')).toBe('She said "yes" and "no". .NET and … so on');
});
