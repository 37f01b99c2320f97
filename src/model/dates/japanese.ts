/** The rules for Japanese, and for Chinese and Korean as far as they write dates alike. */
import { type Part, partYears } from './calendar.ts';
import { BARE_ERA_NAMES, ERA_LETTERS, ERA_NAMES, eraYear } from './eras.ts';
import { dateToken, decade, END, number, type Rule, rule, shortDecade, sign, type Token, yearRange } from './rules.ts';

/** The words for parts of a time. */
const PARTS: ReadonlyArray<readonly [Part, string]> = [
  ['first half', '前半|前期'],
  ['second half', '後半|後期'],
  ['early', '初期|初頭|初年|初め|はじめ|上旬'],
  ['mid', '中期|中頃|中葉|中旬|半ば'],
  ['late', '末期|末頃|末|下旬|終わり'],
];
const PART_WORDS = PARTS.map(([, words]) => words).join('|');
const partOf = (word: string | undefined): Part | undefined =>
  PARTS.find(([, words]) => word !== undefined && words.split('|').includes(word))?.[0];

/** After a date with middle dots. In 昭和17・18年 and 昭和17年5・6月, they are those of a list. */
const NO_LIST = '(?!・\\d|(?<=・\\d{1,2})[年月])';
const YEAR_WORD = '(?:年度?|[- ]?nen(?![a-z]))';

/** The rules in the order in which they are tried. */
export const CJK_RULES: readonly Rule[] = [
  rule(`(${ERA_NAMES}) ?(\\d0)(?:年代)?[-〜~、・](?:\\1)?(\\d0)年代`, (m) => eraDecades(m[1], m[2], m[3])),
  rule(`(${ERA_NAMES}) ?(元|\\d{1,4}) ?年代の?(${PART_WORDS})?`, (m) => eraDecade(m[1], m[2], partOf(m[3]))),
  rule(`(${ERA_NAMES})[- ]?(\\d{1,2})([./・-])(\\d{1,2})\\3(\\d{1,2})(?![\\d./])${NO_LIST}`, (m) =>
    eraDate(m[1], m[2], m[4], m[5]),
  ),
  rule(`(${ERA_NAMES})[- ]?(\\d{1,2})[./・](\\d{1,2})(?![\\d./])${NO_LIST}`, (m) => eraDate(m[1], m[2], m[3])),
  rule(`(${ERA_NAMES}) ?(\\d{1,2})年? ?[-〜~、・] ?(\\d{1,2})年(?!\\d|代)`, (m) => eraRange(m[1], m[2], m[3])),
  rule(`(${ERA_NAMES})[- ]?(元|gan|\\d{1,4})(?: ?${YEAR_WORD}|${END})`, (m) => eraToken(m[1], m[2])),
  rule(`(${ERA_LETTERS})\\.?(\\d{1,2})[./・-](\\d{1,2})[./・-](\\d{1,2})(?!\\d)${NO_LIST}`, (m) =>
    eraDate(m[1], m[2], m[3], m[4]),
  ),
  rule(`(${ERA_LETTERS})\\.?(\\d{1,2})(?:年|(?=[春夏秋冬]))`, (m) => eraToken(m[1], m[2])),
  rule(`([明大昭平令])(\\d{1,2})[.・](\\d{1,2})(?![\\d.])${NO_LIST}`, (m) => eraDate(m[1], m[2], m[3])),
  rule('([明大昭平令])(\\d{1,2})(?![\\d.])', (m) => eraToken(m[1], m[2])),
  rule(`(${ERA_LETTERS})\\.(\\d{1,2})$`, (m) => eraToken(m[1], m[2])),
  // An era has three periods, a century or decade two halves.
  rule(`(${ERA_NAMES})(?:時代|期)?の?([前後])期`, (m) => [
    { is: 'era', era: m[1] ?? '' },
    { is: 'part', part: m[2] === '前' ? 'first third' : 'last third' },
  ]),
  rule(`(${ERA_NAMES})(?:時代|年間|期| (?:period|era)${END}|(?=の?(?:${PART_WORDS})))`, (m) => [{ is: 'era', era: m[1] ?? '' }]),
  rule(`(${BARE_ERA_NAMES})(?! ?\\d)${END}`, (m) => [{ is: 'era', era: m[1] ?? '' }]),
  rule('(\\d{3})0(?:年代)?[-〜~、・](\\d{1,3})0年代', (m) => decadePair(m[1], m[2])),
  rule('(\\d{1,2})世紀(\\d0)年代', (m) => [{ is: 'decade', decade: (number(m[1]) - 1) * 100 + number(m[2]) }]),
  rule('(\\d{3})0年代', (m) => decade(m[1])),
  rule('(\\d)0年代', (m) => shortDecade(m[1])),
  rule(`(\\d{4})・(\\d{1,2})(?:・(\\d{1,2}))?(?!\\d)${NO_LIST}`, (m) => dottedDate(m[1], m[2], m[3])),
  rule('(\\d{4})年度?', (m) => [{ is: 'year', year: number(m[1]) }]),
  rule('(\\d{1,2})([、・,〜~-])(\\d{1,2})月', (m) => monthPair(m[1], m[2], m[3])),
  rule('(\\d{1,2})(?: ?月|[- ]?gatsu(?![a-z]))', (m) => [{ is: 'month', month: number(m[1]) }]),
  rule('(\\d{1,2})(?: ?日|[- ]?(?:nichi|ka)(?![a-z]))', (m) => [{ is: 'number', number: number(m[1]) }]),
  rule('(\\d{1,2})世紀', (m) => [{ is: 'century', century: (number(m[1]) - 1) * 100 }]),
  rule('(?:午前|午後)?\\d{1,2}時(?:\\d{1,2}分)?', () => []),
  rule('(\\d{1,2})年度?', (m) => [{ is: 'short year', shortYear: number(m[1]) }]),
  ...['春', '夏', '秋', '冬'].map((name, n): Rule => rule(name, () => [{ is: 'season', season: 21 + n }])),
  sign('頃|경|ころ|ごろ|前後|約|およそ', 'approximate'),
  rule('元旦|元日', () => [{ is: 'holiday', month: 1, day: 1 }]),
  rule('正月', () => [{ is: 'month', month: 1 }]),
  sign('と?推定(?:される)?|と思われる|と考えられる|おそらく|たぶん|か(?=[)\\]]?$)', 'uncertain'),
  rule(
    '(?:撮影|制作|製作|作成|発行|刊行|出版|成立)?(?:年月日|年月|日付|時期|年代|年|日)?の?(?:不明|未詳|不詳)|(?:日付|年月日|年代)(?:なし|無し|記載なし)|無日付',
    () => [{ is: 'undated' }],
  ),
  ...PARTS.map(([part, words]) => rule(words, () => [{ is: 'part', part }])),
  sign('現在|現代|今日', 'present'),
  sign('(?:より)?以前|まで', 'until'),
  sign('(?:より)?以降|以後|以来', 'since'),
  sign('(?:より?も?|の)前', 'before'),
  sign('より?後|の?後', 'after'),
  sign('自', 'from'),
  sign('から|より(?!も?[前後以])|至|乃至', 'dash'),
  sign('及び|および|と', 'and'),
  sign('または|又は|か', 'or'),
  sign('[、・]', ','),
  rule(
    '[(]?[月火水木金土日]曜日?[)]?|に?(?:撮影|作成|発行|出版|制作|製作|刊行|記)|付け?|消印|吉日|に至る|にかけて|にわたり|にわたって|西暦|紀元|(?<=[年月])中|の|に|年',
    () => [],
  ),
];

function eraToken(era = '', count = ''): Token[] | undefined {
  const nth = count === '元' || count === 'gan' ? 1 : number(count);
  const year = eraYear(era, nth);
  return year === undefined ? undefined : [{ is: 'year', year, eraStart: year - nth }];
}

/** 昭和17.5.13, S17.5.13; without a day, 昭和17.5. */
function eraDate(era = '', count = '', month = '', day = ''): Token[] | undefined {
  const year = eraYear(era, number(count));
  return year === undefined || number(month) > 12 ? undefined : dateToken(String(year), month, day || '0');
}

/** 1941・12・8 and 1941・12. Where a month might also be a later year, as in 1908・10, it is one of a list. */
function dottedDate(year = '', month = '', day?: string): Token[] | undefined {
  const isYear = day === undefined && month.length === 2 && number(month) > number(year.slice(2));
  return isYear || number(month) > 12 ? undefined : dateToken(year, month, day ?? '0');
}

function eraRange(era: string | undefined, from: string | undefined, to: string | undefined): Token[] | undefined {
  // 三十七、八年: the tens are stated once.
  const end = number(to) < number(from) && number(to) < 10 ? number(from) - (number(from) % 10) + number(to) : number(to);
  const [first, last] = [eraToken(era, from), eraToken(era, String(end))];
  return first && last && [...first, { is: 'dash' }, ...last];
}

/** 昭和10年代: the years Shōwa 10 to 19, or a part of them. */
function eraDecade(era = '', count = '', part?: Part): Token[] | undefined {
  const start = eraYear(era, number(count));
  if (start === undefined || number(count) % 10 !== 0) return undefined;
  const [first, last] = partYears(start, 10, part);
  return part ? yearRange(first, last, { is: 'approximate' }) : yearRange(first, last);
}

/** 昭和30～40年代: two such decades, and what is between them. */
function eraDecades(era = '', from = '', to = ''): Token[] | undefined {
  const [first, last] = [eraYear(era, number(from)), eraYear(era, number(to))];
  if (first === undefined || last === undefined || last < first) return undefined;
  return yearRange(first, last + 9);
}

/** 1940～50年代: two decades, the century of the later one perhaps not stated. */
function decadePair(first = '', last = ''): Token[] | undefined {
  const year = number(first) * 10;
  const later = number(`${first.slice(0, 3 - last.length)}${last}`) * 10;
  return later < year ? undefined : [{ is: 'decade', decade: year }, { is: 'dash' }, { is: 'decade', decade: later }];
}

/** 5、6月 and 5〜6月: two months, or those from one to the other. */
function monthPair(first: string | undefined, mark = '', second: string | undefined): Token[] {
  const join: Token = { is: /[、・,]/.test(mark) ? 'and' : 'dash' };
  return [{ is: 'month', month: number(first) }, join, { is: 'month', month: number(second) }];
}
