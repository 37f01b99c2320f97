import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markEnglish, missingSentences } from './mark-english.ts';

const english = missingSentences(
  {
    '// a': 'Note to translators.',
    a: 'Numbers count “records” & files.',
    'b(x, y)': 'Offline copy of {x}, from {y}.',
    c: 'Word',
    'd(count)': { one: '{count} thing was found.', other: '{count} things were found.' },
    'e(x)': '{x}.',
    f: { g: ['One text here.', 'Another text.'] },
    h: 'Translated text.',
    'i(count)': { one: '{count} translated text.', other: '{count} texts.' },
  },
  { h: 'Übersetzt.', 'i(count)': { other: '{count} Texte.' }, f: {} },
);

it('finds the sentences that a file lacks', () =>
  expect(english).toEqual([
    ['Numbers count “records” &amp; files.', ''],
    ['Offline copy of ', '.'],
    ['', ' thing was found.'],
    ['', ' things were found.'],
    ['One text here.', ''],
    ['Another text.', ''],
  ]));

it.each([
  ['<p>Numbers count “records” &amp; files.</p>', '<p lang="en" dir="ltr">Numbers count “records” &amp; files.</p>'],
  ['<p class="fine">\u200eAnother text.\u200e</p>', '<p class="fine" lang="en" dir="ltr">\u200eAnother text.\u200e</p>'],
  ['<p>\n  Offline copy of X, from Y.\n</p>', '<p lang="en" dir="ltr">\n  Offline copy of X, from Y.\n</p>'],
  ['<li><span>3 things were found.</span></li>', '<li><span lang="en" dir="ltr">3 things were found.</span></li>'],
  ['<p lang="ja">Another text.</p>', '<p lang="ja">Another text.</p>'],
  ['<p title="Another text.">Eine Seite.</p>', '<p title="Another text.">Eine Seite.</p>'],
  ['<p>See: Another text.</p>', '<p>See: Another text.</p>'],
  ['<p>Another <b>text.</b></p>', '<p>Another <b>text.</b></p>'],
  ['<script>Another text.</script>', '<script>Another text.</script>'],
])('marks what is a sentence of its own: %s', (html, marked) => expect(markEnglish(html, english)).toBe(marked));

it('changes nothing else, and takes a time that grows with the page', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('<p', ' ', '>', 'Another text.', '</p>', '<', '"', '\u200e')), (parts) => {
      expect(markEnglish(parts.join(''), english).replaceAll(' lang="en" dir="ltr"', '')).toBe(parts.join(''));
    }),
  );
  const start = performance.now();
  for (const part of ['<p ', '<p>', '<p> ', '<p>\u200e', '</p>', '<', ' ']) markEnglish(part.repeat(300_000), english);
  expect(performance.now() - start).toBeLessThan(5_000);
});
