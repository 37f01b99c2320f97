import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from '../../formats/search/parse-query.ts';
import { createExcerpt, type MarkedText, markExcerpt, markText } from './excerpt.ts';
import { findReasons } from './match-reasons.ts';
import { createMatcher, replaceWords } from './text-matches.ts';

const matcherFor = (typed: string) => createMatcher(parseQuery(typed));
const marked = ({ segments }: MarkedText) => segments.filter(({ isMatch }) => isMatch).map(({ text }) => text);
const textOf = ({ segments }: MarkedText) => segments.map(({ text }) => text).join('');
const hits = (text: string, typed: string) => marked(markText(text, matcherFor(typed)));

it.each([
  ['Lanterns and a Lantern; magic-lantern', 'lantern', ['Lanterns', 'Lantern', 'lantern']],
  ['lantern and lanterns', 'lantern light', ['lantern']],
  ['Yoshiko Ōta', 'ota', ['Ōta']],
  ['Yoshiko O\u0304ta', 'Ōta', ['Ōta']],
  ["Siobhan O'Tide", 'O’Tide', ["O'Tide"]],
  ["Siobhan O'Tide", 'tide', ['Tide']],
  ['Women’s work', 'womens', ['Women’s']],
  ['The lamp on the quay', 'the lamp', ['lamp']],
  ['listen for the bell, the bell', '"for the bell"', ['for the bell']],
  ['山の灯が見える', '山の灯', ['山の灯']],
  ['照らす灯、港の灯り', '灯', ['灯', '灯']],
  ['ﾗｼﾞｵを聞く', 'ラジオ', ['ﾗｼﾞｵ']],
  ['ＦＬＯＯＤ of 1947', 'flood', ['ＦＬＯＯＤ']],
  ['ʻIolani Palace', 'iolani', ['ʻIolani']],
  ['Hawai`i', 'hawaii', ['Hawai`i']],
  ['the 1930’s', '1930s', ['1930’s']],
  ['a + b (c)', '+ (', []],
])('marks in “%s” for %s: %j', (text, typed, expected) => expect(hits(text, typed)).toEqual(expected));

it('returns pieces that join to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, typed) => {
      expect(textOf(markText(text, matcherFor(typed)))).toBe(text.normalize('NFC'));
      expect(textOf(markText(text, matcherFor(text.slice(0, 5))))).toBe(text.normalize('NFC'));
    }),
  );
});

it('quotes the transcript if it has more of the words', () => {
  const excerpt = (description: string, spoken: string | undefined, typed: string) =>
    textOf(
      createExcerpt(
        { title: '', kind: '', image: '', fields: [], description, ...(spoken ? { spoken } : {}) },
        matcherFor(typed),
      ),
    );
  expect(excerpt('A calm description', 'and the gulls knew', 'gulls')).toBe('“and the gulls knew”');
  expect(excerpt('Gulls in the description', 'and the gulls knew', 'gulls')).toBe('Gulls in the description');
  expect(excerpt('Gulls in the description', 'and the gulls knew', '"gulls knew"')).toBe('“and the gulls knew”');
  expect(excerpt('A calm description', undefined, 'gulls')).toBe('A calm description');
  expect(excerpt('A calm description', 'nothing of it', 'gulls')).toBe('A calm description');
});

it('ends between words if the script has spaces', () => {
  expect(textOf(markExcerpt('lantern '.repeat(80), matcherFor('lantern')))).toMatch(/^(?:lantern )+…$/);
  expect(textOf(markExcerpt('字'.repeat(500), matcherFor('x'))).length).toBeGreaterThan(200);
});

it('shows the text around the most words, or its beginning', () => {
  const long = `a lantern ${'calm water '.repeat(60)}then a lantern in the net loft ${'and calm water '.repeat(60)}`;
  expect(textOf(markExcerpt(long, matcherFor('net lantern')))).toMatch(/^… .*lantern in the net loft.* …$/);
  expect(textOf(markExcerpt(long, matcherFor('nowhere')))).toMatch(/^a lantern calm/);
  expect(textOf(markExcerpt('short', matcherFor('short')))).toBe('short');
  expect(textOf(markExcerpt(`${'字'.repeat(500)}灯${'字'.repeat(500)}`, matcherFor('灯')))).toContain('灯');
});

it('names the fields of words that title and excerpt do not show', () => {
  const fields = [
    ['creation', '1942-1945', '1942 1943 1944 1945 1940s'],
    ['genre', 'photograph', 'Photographs'],
    ['creators', 'Wren Quill, photographer'],
    ['facility', 'Quayside Cannery'],
  ] as const;
  const reasons = (typed: string, shown: number[] = []) => {
    const matcher = matcherFor(typed);
    const missing = new Set([...matcher.termsOf(undefined)].filter((term) => !shown.includes(term)));
    return findReasons({ fields }, matcher, missing, (name, text) => (name === 'genre' ? 'Fotografías' : text)).map(
      ({ name, text }) => `${name}: ${marked(text).join('|')}`,
    );
  };
  expect(reasons('cannery')).toEqual(['facility: Cannery']);
  expect(reasons('quill cannery')).toEqual(['creators: Quill', 'facility: Cannery']);
  expect(reasons('quill cannery', [0])).toEqual(['facility: Cannery']);
  expect(reasons('1943')).toEqual(['creation: 1942-1945']);
  expect(reasons('1942')).toEqual(['creation: 1942']);
  expect(reasons('photographs')).toEqual(['genre: Fotografías']);
  expect(reasons('fotografias')).toEqual(['genre: Fotografías']);
  expect(reasons('quillmarrow')).toEqual(['undefined: ']);
});

it('shows words that are far from each other in a text, and does not call them hidden', () => {
  const spoken = `a judge ${'and so on '.repeat(50)}then a piano ${'and so on '.repeat(50)}and a lantern`;
  const matcher = matcherFor('judge piano lantern');
  const reasons = findReasons({ fields: [], description: 'nothing', spoken }, matcher, new Set([0, 1, 2]), (_, text) => text);
  expect(reasons.map(({ name, text }) => `${name}: ${marked(text).join('|')}`)).toEqual([
    'spoken: judge',
    'spoken: piano',
    'spoken: lantern',
  ]);
});

it('explains only the words that a result has', () => {
  expect([...matcherFor('judge piano').termsOf(new Set(['piano']))]).toEqual([1]);
});

it('replaces words of what was typed', () => {
  expect(replaceWords('Lantren, "Procesión"!', [{ from: 'lantren', to: 'lantern' }])).toBe('lantern, "Procesión"!');
  expect(replaceWords('O’Tidde x', [{ from: 'otidde', to: 'otide' }])).toBe('otide x');
});

it('quotes one text only, if a document has several', () => {
  const spoken = 'The gulls knew it before we did. … First day on the ferries. It began.';
  expect(textOf(markExcerpt(spoken, matcherFor('gulls')))).toBe('The gulls knew it before we did.');
  expect(textOf(markExcerpt(spoken, matcherFor('ferries')))).toBe('First day on the ferries. It began.');
});
