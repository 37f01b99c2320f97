/** The rules for Japanese, and for Chinese and Korean as far as they write dates alike. */
import type { Part } from './calendar.ts';
import { ERA_LETTERS, ERA_NAMES, eraSpan, eraYear } from './eras.ts';
import { dateToken, END, number, type Rule, rule, sign, type Token } from './rules.ts';

/** The words for parts of a time. */
const PARTS: ReadonlyArray<readonly [Part, string]> = [
  ['first half', '前半|前期'],
  ['second half', '後半|後期'],
  ['early', '初期|初頭|初め|はじめ|上旬'],
  ['mid', '中期|中頃|中葉|中旬|半ば'],
  ['late', '末期|末頃|末|下旬|終わり'],
];
const PART_WORDS = PARTS.map(([, words]) => words).join('|');
const partOf = (word: string | undefined): Part | undefined =>
  PARTS.find(([, words]) => word !== undefined && words.split('|').includes(word))?.[0];

const YEAR_WORD = '(?:年度?|[- ]?nen(?![a-z]))';

/** The rules in the order in which they are tried. */
export const CJK_RULES: readonly Rule[] = [
  rule(`(${ERA_NAMES}) ?(元|\\d{1,4}) ?年代`, (m) => eraDecade(m[1], m[2])),
  rule(`(${ERA_NAMES})(?:時代|年間|期)?(${PART_WORDS})`, (m) => eraTokens(m[1], partOf(m[2]))),
  rule(`(${ERA_NAMES})(?:時代|年間|期)`, (m) => eraTokens(m[1])),
  rule('(幕末)(?:期)?', (m) => eraTokens(m[1])),
  rule(`(${ERA_NAMES}) ?(\\d{1,2})年? ?[-~、・] ?(\\d{1,2})年`, (m) => eraRange(m[1], m[2], m[3])),
  rule(`(${ERA_NAMES})[- ]?(元|gan|\\d{1,4})(?: ?${YEAR_WORD}|${END})`, (m) => eraToken(m[1], m[2])),
  rule(`(${ERA_LETTERS})\\.?(\\d{1,2})[./-](\\d{1,2})[./-](\\d{1,2})(?!\\d)`, (m) => {
    const year = eraYear(m[1] ?? '', number(m[2]));
    return year === undefined ? undefined : dateToken(String(year), m[3], m[4]);
  }),
  rule(`(${ERA_LETTERS})\\.?(\\d{1,2})年`, (m) => eraToken(m[1], m[2])),
  rule('(\\d{1,2})世紀(\\d0)年代', (m) => [{ is: 'decade', year: (number(m[1]) - 1) * 100 + number(m[2]) }]),
  rule('(\\d{3})0年代', (m) => [{ is: 'decade', year: number(m[1]) * 10 }]),
  rule('(\\d{4})年度?', (m) => [{ is: 'year', year: number(m[1]) }]),
  rule('(\\d{1,2})(?: ?月|[- ]?gatsu(?![a-z]))', (m) => [{ is: 'month', month: number(m[1]) }]),
  rule('(\\d{1,2})(?: ?日|[- ]?(?:nichi|ka)(?![a-z]))', (m) => [{ is: 'number', number: number(m[1]) }]),
  rule('(\\d{1,2})世紀', (m) => [{ is: 'century', year: (number(m[1]) - 1) * 100 }]),
  rule('(?:午前|午後)?\\d{1,2}時(?:\\d{1,2}分)?', () => []),
  rule('(\\d{1,2})年(?!\\d)', (m) => [{ is: 'number', number: number(m[1]) }]),
  ...['春', '夏', '秋', '冬'].map((name, n): Rule => rule(name, () => [{ is: 'season', season: 21 + n }])),
  sign('頃|ころ|ごろ|約|およそ', 'approximate'),
  sign('推定|おそらく|たぶん', 'uncertain'),
  rule('(?:年代|日付|制作年|撮影年)?(?:不明|未詳|不詳)|日付なし|年月日なし|無日付', () => [{ is: 'undated' }]),
  ...PARTS.map(([part, words]) => rule(words, () => [{ is: 'part', part }])),
  sign('現在|現代|今日', 'present'),
  sign('以前|まで', 'until'),
  sign('以降|以後|以来', 'since'),
  sign('より?前', 'before'),
  sign('より?後|の?後', 'after'),
  sign('から|至|乃至', 'to'),
  sign('及び|および|と', 'and'),
  sign('または|又は|か', 'or'),
  sign('[、・]', ','),
  rule('[(]?[月火水木金土日]曜日?[)]?|に?(?:撮影|作成|発行|出版|制作|製作|刊行|記)|西暦|紀元|の|に|年', () => []),
];

function eraToken(era = '', count = ''): Token[] | undefined {
  const year = eraYear(era, count === '元' || count === 'gan' ? 1 : number(count));
  return year === undefined ? undefined : [{ is: 'year', year }];
}

function eraRange(era: string | undefined, from: string | undefined, to: string | undefined): Token[] | undefined {
  // 三十七、八年: the tens are stated once.
  const end = number(to) < number(from) && number(to) < 10 ? number(from) - (number(from) % 10) + number(to) : number(to);
  const [first, last] = [eraToken(era, from), eraToken(era, String(end))];
  if (first && last) return [...first, { is: 'to' }, ...last];
  return undefined;
}

/** A whole era or a part of it: 明治時代, 昭和初期. */
function eraTokens(era = '', part?: Part): Token[] | undefined {
  const span = eraSpan(era, part);
  if (!span) return undefined;
  const [first, last] = span;
  return [
    ...(part ? [{ is: 'approximate' } as const] : []),
    { is: 'year', year: first },
    { is: 'to' },
    { is: 'year', year: last },
  ];
}

/** 昭和10年代: the years Shōwa 10 to 19. */
function eraDecade(era = '', count = ''): Token[] | undefined {
  const first = eraYear(era, number(count));
  return first === undefined || number(count) % 10 !== 0
    ? undefined
    : [{ is: 'year', year: first }, { is: 'to' }, { is: 'year', year: first + 9 }];
}
