import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spellEastAsian } from './east-asian.ts';
import { eastAsian } from './fold-letters.ts';
import { parseQuery } from './parse-query.ts';

beforeAll(() => {
  eastAsian.spell = spellEastAsian;
});
afterAll(() => {
  eastAsian.spell = (folded) => folded;
});

const parse = (typed: string) => {
  const { words, phrases } = parseQuery(typed);
  return [
    ...words.map(({ text, isPrefix }) => (isPrefix ? `${text}…` : text)),
    ...phrases.map((phrase) => `"${phrase.join(' ')}"`),
  ];
};

it.each([
  ['net loft', ['net', 'loft…']],
  ['net li', ['net', 'li']],
  ['the picnic at Brannan Slough', ['picnic', 'brannan', 'slough…']],
  ['el muelle de la isla', ['muelle', 'isla…']],
  ['the', ['the…']],
  ['T. R. Quill', ['quill…']],
  ['x', ['x']],
  ['1 9', ['1', '9']],
  ['"second ferry" petition', ['petition…', '"second ferry"']],
  ['“listen for the bell”', ['"listen for the bell"']],
  ['"smoked" eel', ['smoked', 'eel…']],
  ['eel "smoked"', ['smoked', 'eel']],
  ['smoked "ee', ['smoked', 'ee']],
  ['net nets net', ['net', 'nets']],
  ['灯', ['灯…']],
  ['港 の灯', ['港…', 'の灯']],
  ['«smoked eel» bell', ['bell…', '"smoked eel"']],
  ['「山の灯」', ['"山の の灯"']],
  ['"山の灯 港"', ['"山の の灯 灯 港"']],
  ['letters from VDH-0031', ['letters', 'vdh', '0031…']],
  ['Hà Nội', ['ha', 'noi…']],
  ['LÀ NẴNG', ['la', 'nang…']],
  ['también está la isla', ['isla…']],
  ['tambien esta la isla', ['isla…']],
  ["l'été était à Paris", ['lete', 'paris…']],
  ['الى المدرسة', ['مدرسه…']],
  ['إلى المدرسة', ['مدرسه…']],
  ['צה"ל', ['צהל…']],
  ['צה"ל ז"ל', ['צהל', 'זל']],
  ['רמטכ"ל צה"ל', ['רמטכל', 'צהל…']],
  ['"צה"ל חיפה"', ['"צהל חיפה"']],
  ['ב"הארץ" היום', ['הארץ', 'ב', 'היום…']],
  ['""', []],
  ['“', []],
])('reads %s', (typed, expected) => expect(parse(typed)).toEqual(expected));

it('knows the pairs of a run', () => expect(parseQuery('東京都 net').runs).toEqual([['東京', '京都']]));

it('keeps words in kana together, and knows where words of different scripts meet', () => {
  const { words, runs } = parseQuery('灯台のフェリー');
  const run = '灯台のフエリ';
  expect(words).toEqual([
    { text: '灯台', isPrefix: false, run, part: '灯台' },
    { text: '台の', isPrefix: false, run, isJoint: true },
    { text: 'のフ', isPrefix: false, run, isJoint: true },
    ...['フエ', 'エリ'].map((text) => ({ text, isPrefix: false, run, part: 'フエリ', whole: 'フエリ' })),
  ]);
  expect(runs).toEqual([
    ['灯台', '台の', 'のフ', 'フエ', 'エリ'],
    ['フエ', 'エリ'],
  ]);
});

it.each([
  ['関ヶ原', ['関ケ原', '関ケ原']],
  ['虎ノ門', ['虎ノ門', '虎ノ門']],
  ['カメラ カメラマン', ['カメラ', 'カメラ', 'カメラマン', 'カメラマン']],
  ['カメラマン カメラ', ['カメラ', 'カメラ', 'カメラマン', 'カメラマン']],
])('knows of which part each pair is: %s', (typed, parts) =>
  expect(parseQuery(typed).words.map(({ part }) => part)).toEqual(parts),
);

it.each([
  ['Box demo-org-1-2', ['demo', 'org', '1', '2']],
  ['ＶＤＨ－0031', ['vdh', '0031']],
  ['TSU.99.1 letters', ['tsu', '99', '1']],
  ['mid-1940s', []],
  ['post-1945', []],
  ['1942-03-04', []],
  ['5/may/1942', ['5', 'may', '1942']],
  ['sheep-camp', []],
])('keeps the parts of a code together: %s', (typed, parts) =>
  expect(parseQuery(typed).words.flatMap(({ text, whole }) => (whole === undefined ? [] : [text]))).toEqual(parts),
);

it('reads any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      expect(parseQuery(typed).words.length).toBeLessThan(1000);
    }),
  );
});
