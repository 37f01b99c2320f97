/** Splits the text of a date into tokens that do not depend on its language: English, Spanish or Japanese. */
import { CJK_RULES } from './japanese.ts';
import * as names from './names.ts';
import { dateToken, decade, END, number, type Rule, rule, shortDecade, sign, type Token, word, yearRange } from './rules.ts';
import { CERTAINTY_RULES, JOINING_RULES, NOISE_RULES, OPEN_RULES, PART_RULES } from './word-rules.ts';

/** Returns the tokens of a text; undefined if a part of it has no meaning in a date. */
export function tokenize(text: string): Token[] | undefined {
  const tokens = scan(text);
  return tokens.some(({ is }) => is === 'unknown') ? undefined : tokens;
}

/** Returns the tokens of a text, with `unknown` for every word without a meaning in a date. */
export const tokenizeLeniently = (text: string): Token[] => scan(text, { isLenient: true });

/** Stops at the first unknown word, unless it is lenient. */
function scan(text: string, { isLenient = false } = {}): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const [length, found] = tokensAt(text, at);
    at += length;
    if (found[0]?.is === 'stop' || found[1]?.is === 'stop') return cutBefore(tokens, found);
    tokens.push(...found);
    if (!isLenient && found[0]?.is === 'unknown') break;
  }
  return tokens;
}

/** “1942/printed 1980”: the slash belongs to what is cut off. */
function cutBefore(tokens: Token[], [first]: Token[]): Token[] {
  const last = tokens.at(-1)?.is;
  return first?.is === 'stop' && (last === 'dash' || last === 'to') ? tokens.slice(0, -1) : tokens;
}

const UNKNOWN_WORD = /[^\s,;:()[\]]+|\S/y;

/** Returns the tokens that begin at a place, and the length of their text. */
function tokensAt(text: string, at: number): [length: number, tokens: Token[]] {
  for (const [pattern, read] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const found = match && match[0] !== '' ? read(match) : undefined;
    if (match && found) return [match[0].length, found];
  }
  UNKNOWN_WORD.lastIndex = at;
  const unknown = UNKNOWN_WORD.exec(text)?.[0] ?? ' ';
  return [unknown.length, [{ is: 'unknown', hasDigit: /\d/.test(unknown) }]];
}

/** A day of the end of a range: “13 May 1942-2 June 1945”. */
const BEFORE_MONTH = ` (?:de )?(?:${names.MONTH})(?![a-z])`;
const CENTURY = '(?:centur(?:y|ies)|cent\\.?|c\\.)';
/** The rules in the order in which they are tried. The first that applies is used, so longer forms precede shorter ones. */
const RULES: Rule[] = [
  rule('[\\s\\[\\]"()“”«»„¿¡「」『』【】〔〕]+|<(?=[^<>]*>)|>(?<=<[^<>]*>)|[.。](?=\\s|$)', () => []),
  sign('→|(?<=[\\d年月日] ?)\\.{2,3}(?= ?\\d)|(?<!.)\\.\\.(?=\\d)', 'dash'),
  rule('(\\d{4}):(\\d\\d):(\\d\\d)(?: \\d\\d:\\d\\d:\\d\\d)?(?!\\d)', (m) => dateToken(m[1], m[2], m[3])),
  rule('(?:at )?\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]\\.? ?m\\.?)?(?: (?:[pmce][sd]t|gmt|utc|jst|hst))?(?![\\p{L}\\d])', () => []),
  rule('(?:at )?\\d{1,2} ?[ap]\\.? ?m\\.?(?![\\p{L}\\d])', () => []),

  sign('0000-00-00(?!\\d)', 'undated'),

  // Whole dates in digits. A month or day of 00, XX or -- is one that is not known.
  rule(
    '(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?:[t ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?: ?[+-]\\d{2}:?\\d{2})?|[+-]\\d{2}:\\d{2})?(?: ?z)?(?!\\d)',
    (m) => dateToken(m[1], m[3], m[4]),
  ),
  rule('(\\d\\d99)[-/]00(?![\\d/-])', (m) => yearRange(number(m[1]), number(m[1]) + 1)),
  rule('(\\d{4})-(\\d{2})-(?:xx|uu|--|\\?\\?)', (m) => dateToken(m[1], m[2], '0')),
  rule('(\\d{4})-(?:xx|uu|--|\\?\\?|00)(?:-(?:xx|uu|--|\\?\\?|00))?(?!\\d)', (m) => dateToken(m[1], '0', '0')),
  rule('(\\d{1,2})([-/])(\\d{1,2})\\2(\\d{4})(?!\\d)', (m) =>
    number(m[1]) > 12 ? dateToken(m[4], m[3], m[1]) : dateToken(m[4], m[1], m[3]),
  ),
  rule('(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?!\\d)', (m) =>
    number(m[2]) > 12 ? dateToken(m[3], m[1], m[2]) : dateToken(m[3], m[2], m[1]),
  ),
  // “5/13, 5/14/1942”: the year is stated once.
  rule(
    '(\\d{1,2})/(\\d{1,2})(?=(?: ?(?:[,;&-]|and|to|y|al?) ?\\d{1,2}/\\d{1,2}(?!\\d))* ?(?:[,;&-]|and|to|y|al?) ?(\\d{1,2})/(\\d{1,2})/\\d{4}(?!\\d))',
    (m) => dayAndMonth(number(m[1]), number(m[2]), number(m[3]) > 12),
  ),
  rule('(\\d{1,2})/(\\d{1,2})(?=(?: ?(?:[,;&-]|and|to|y|al?) ?\\d{1,2}/\\d{1,2}(?!\\d))*, ?\\d{4}(?!\\d))', (m) =>
    dayAndMonth(number(m[1]), number(m[2]), false),
  ),
  rule('(\\d{1,2})([-/. ])([xvi]{1,4})\\2(\\d{4})(?!\\d)', (m) => romanDate(m[4], m[3], m[1])),
  rule('([xvi]{1,4})[-./](\\d{4})(?!\\d)', (m) => romanDate(m[2], m[1], '0')),
  rule('9999(?!\\d)', () => [{ is: 'present' }]),
  rule('(1[5-9]\\d\\d|20\\d\\d)(\\d\\d)(\\d\\d)(?!\\d)', (m) => dateToken(m[1], m[2], m[3])),
  rule('([ikmq])(\\d{4})(\\d{4})(?!\\d)', (m) => marcDates(m[1], m[2], m[3])),
  rule('(\\d{3})\\ds3(?!\\d)', (m) => decade(m[1])),
  rule('(\\d{2})\\d\\ds2(?!\\d)', (m) => [{ is: 'century', century: number(m[1]) * 100 }]),
  rule(`(\\d{1,2})[-/](${names.MONTH})\\.?[-/](\\d{4})(?!\\d)`, (m) => dateToken(m[3], names.monthNumber(m[2]), m[1])),
  ruleOfStart(`(${names.MONTH})\\.? (\\d{1,2})[-/](\\d{4})(?!\\d)`, (m) => dateToken(m[3], names.monthNumber(m[1]), m[2])),
  rule(`(\\d{1,2}) (?:de )?(${names.MONTH})\\.?[-/](\\d{4})(?!\\d)`, (m) => dateToken(m[3], names.monthNumber(m[2]), m[1])),
  rule(`(${names.MONTH})\\.?-(\\d{1,2})-(\\d{4})(?!\\d)`, (m) => dateToken(m[3], names.monthNumber(m[1]), m[2])),
  rule(`(\\d{4})[-/](${names.MONTH})\\.?[-/](\\d{1,2})(?!\\d)`, (m) => dateToken(m[1], names.monthNumber(m[2]), m[3])),
  ruleOfStart(`(\\d{4})[-/](${names.MONTH})\\.? (\\d{1,2})(?!\\d|,? ?\\d{4})`, (m) =>
    dateToken(m[1], names.monthNumber(m[2]), m[3]),
  ),
  ruleOfStart(`(\\d{4})[-/](${names.MONTH})(?:\\.|${END})(?!\\.? ?\\d)`, (m) => dateToken(m[1], names.monthNumber(m[2]), '0')),
  ruleOfStart(`(${names.MONTH})\\.?[-/](\\d{4})(?!\\d)`, (m) => dateToken(m[2], names.monthNumber(m[1]), '0')),
  rule(`(?<!(?:${names.MONTH})\\.? ?)(0?[1-9]|1[0-2])[-/](\\d{4})(?!\\d|[-/]\\d{1,2}(?![\\d/-]))`, (m) =>
    dateToken(m[2], m[1], '0'),
  ),
  rule('(\\d{4})\\.(0?[1-9]|1[0-2])(?![\\d.\\p{L}])', (m) => dateToken(m[1], m[2], '0')),
  rule('(?<![\\d.])(0?[1-9]|1[0-2])\\.(\\d{4})(?![\\d.])', (m) => dateToken(m[2], m[1], '0')),
  rule(`(\\d{4})-([1-9])(?![\\dx]|-\\d|${BEFORE_MONTH})`, (m) => dateToken(m[1], m[2], '0')),
  rule("(\\d{3})0[-/](\\d)0'?s(?![\\p{L}\\d])", (m) => [
    { is: 'decade', decade: number(m[1]) * 10 },
    { is: 'dash' },
    { is: 'short decade', tens: number(m[2]) * 10 },
  ]),
  rule(`(\\d{4})-(\\d\\d)(?![\\dx]|-\\d|${BEFORE_MONTH})`, (m) => yearAndTwoDigits(number(m[1]), number(m[2]))),
  rule(`(\\d{4})/(0?[1-9]|1[0-2])(?!\\d|/|${BEFORE_MONTH})`, (m) =>
    number(m[2]) > number(m[1]?.slice(2)) ? undefined : dateToken(m[1], m[2], '0'),
  ),

  ...CJK_RULES,

  // Decades and centuries. The turn of a century is five years on both sides of its first year.
  rule(`(?:the )?turn of the (\\d{1,2})(?:st|nd|rd|th) ${CENTURY}${END}`, (m) =>
    yearRange(number(m[1]) * 100 - 105, number(m[1]) * 100 - 95, { is: 'approximate' }),
  ),
  rule(`(\\d{2})00'?s${END}`, hundred),
  rule(`(\\d{3})0'?s${END}`, (m) => decade(m[1])),
  rule(`'?(\\d)0'?s${END}`, (m) => shortDecade(m[1])),
  rule('(\\d{3})(?:[-_xu](?![\\dx_u-]|\\s*\\d{4})|\\?(?![\\d?]))', (m) => decade(m[1])),
  rule('(\\d{2})(?:--|__|xx|uu|\\?\\?)(?!\\d)', (m) => [{ is: 'century', century: number(m[1]) * 100 }]),
  rule(`(?:decadas?|decenios?) (?:de (?:los )?(?:anos )?)?(\\d{3})0${END}`, (m) => decade(m[1])),
  rule(`(?:los )?anos (\\d{3})0${END}`, (m) => decade(m[1])),
  rule(`(?:los )?anos (\\d)0${END}(?: del?)?`, (m) => shortDecade(m[1])),
  // “décadas de 1930, 1940 y 1950”: the word is stated once.
  rule(
    `(\\d{3})0${END}(?<=(?:decadas|decenios|(?<!entre (?:los )?)anos)(?: de)?(?: los)?(?: anos)? (?:\\d{3}0(?:,? y|,) )+\\d{4})`,
    (m) => decade(m[1]),
  ),
  rule(`(${names.NTH})(?:st|nd|rd|th|\\.?a)? (?:decade|decada) (?:of|del)(?: the)?${END}`, (m) => names.nthDecade(m[1])),
  rule(`nineteen[- ](${names.TENS})${END}`, (m) => names.namedDecade(m[1])),
  rule(`(\\d{1,2})(?:st|nd|rd|th)?[- ]?${CENTURY}${END}`, (m) => [{ is: 'century', century: (number(m[1]) - 1) * 100 }]),
  rule(`(${names.CENTURY_ORDINALS})[- ]${CENTURY}${END}`, (m) => names.ordinalCentury(m[1])),
  // “late eighteenth and early nineteenth centuries”
  rule(
    `(${names.CENTURY_ORDINALS})(?=(?:,| ?-| and| to| or| through| &)+ ?(?:the )?(?:(?:early|mid|late)[- ])?(?:${names.CENTURY_ORDINALS})(?:[-, ]|$).*cent)`,
    (m) => names.ordinalCentury(m[1]),
  ),
  rule(`siglos? (${names.CENTURY_WORDS_ES})${END}`, (m) => names.spanishCentury(m[1])),
  rule(
    `(${names.DAY_WORDS})(?= (?:day )?of (?:the month of )?(?:${names.MONTH})| (?:dias? )?del? (?:mes de )?(?:${names.MONTH}))`,
    (m) => names.dayOf(m[1]),
  ),
  rule(`(?:siglos?|s\\.|ss\\.) ?(${names.ROMAN_NUMBER})${END}`, (m) => names.romanCentury(m[1])),
  rule(`(${names.ROMAN_NUMBER}) (?:cent(?:ury|uries|\\.)${END}|(?=(?:-|and|to) (?:${names.ROMAN_NUMBER}) cent))`, (m) =>
    names.romanCentury(m[1]),
  ),
  rule(`(?<=(?:siglos?|ss?\\.) ?[xvi]+\\b.*?(?:-|,|(?<![a-z])(?:y|o|al?|del?)) ?)(${names.ROMAN_NUMBER})${END}`, (m) =>
    names.romanCentury(m[1]),
  ),

  ...PART_RULES,

  // Years, and numbers of one or two digits.
  rule('(?:circa|cca|approx|aprox|about|abt|hacia)\\.?(?=\\d{3})', () => [{ is: 'approximate' }]),
  rule('c\\.?p?(?=\\d{4}(?!\\d))|ca?\\.?(?=\\d{3})', () => [{ is: 'approximate' }]),
  rule(`(?<!\\d\\.?)(\\d{4})(?![\\d]|[.,]\\d{3})(?:${END}|(?=to|年|(?:${names.MONTH})(?![a-z])))`, (m) => [
    { is: 'year', year: number(m[1]) },
  ]),
  rule(`'(\\d\\d)(?!\\d|')${END}`, (m) => [{ is: 'number', number: number(m[1]) }]),
  rule(`(\\d{1,2})(?:st|nd|rd|th|d|\\.?er|\\.?o|ro|º|ª)?(?!\\d)(?:${END}|(?=(?:${names.MONTH})\\.?\\d{4}))`, (m) => [
    { is: 'number', number: number(m[1]) },
  ]),

  ...OPEN_RULES,
  ...JOINING_RULES,
  ...CERTAINTY_RULES,
  rule('%', () => [{ is: 'approximate' }, { is: 'uncertain' }]),
  sign('\\?+', 'uncertain'),
  sign('~(?=\\s*\\d{4}~|\\s*(?:明治|大正|昭和|平成|令和))|(?<=[\\d年月日])~(?=\\d)', 'dash'),
  sign('~', 'approximate'),

  // Months, seasons, holidays. “May --, 1942” has no day.
  rule(`(${names.MONTH})\\.? ?(?:--+|__+|xx|\\?\\?+)(?=,? ?\\d{4}(?!\\d))`, (m) => [
    { is: 'month', month: number(names.monthNumber(m[1])) },
  ]),
  ...names.MONTHS.map(([month, names]) => rule(`(?:${names})(?:\\.|${END}|(?=\\d))`, () => [{ is: 'month', month }])),
  ...names.SEASONS.map(([season, names]) => word(names, { is: 'season', season })),
  word('christmas(?: day)?|navidad|xmas', { is: 'holiday', month: 12, day: 25 }),
  word('christmas eve|nochebuena', { is: 'holiday', month: 12, day: 24 }),
  word("new year'?s(?: day)?|ano nuevo", { is: 'holiday', month: 1, day: 1 }),
  word("new year'?s eve", { is: 'holiday', month: 12, day: 31 }),
  word('independence day|fourth of july', { is: 'holiday', month: 7, day: 4 }),
  rule(`(?:--+|__+)(?= ?(?:${names.MONTH})(?![a-z]))(?<!\\d ?-+)`, () => []),

  ...NOISE_RULES,
  rule('([a-z]{5,12})(?![a-z])', (m) => names.misspelledMonth(m[1])),
  sign('[,|]', ','),
  sign(';', ';'),
  rule('[.:<>]', () => []),
  sign('/|-+|~|〜', 'dash'),
];

/**
 * Reads four digits, a hyphen and two digits: a month (`1942-03`), the end of a range (`1942-45`), or a season of EDTF
 * (`1942-21`). Where month and range are both possible (`1908-10`), it is a range up to 1999: so cataloguers write, while
 * programs wrote later dates.
 */
function yearAndTwoDigits(year: number, digits: number): Token[] | undefined {
  const isLater = digits > year % 100;
  if (digits >= 1 && digits <= 12 && !(isLater && year >= 1900 && year < 2000))
    return dateToken(String(year), String(digits), '0');
  if (isLater) return [{ is: 'year', year }, { is: 'dash' }, { is: 'number', number: digits }];
  return digits >= 21 && digits <= 24
    ? [
        { is: 'season', season: digits },
        { is: 'year', year },
      ]
    : undefined;
}

/** Returns a rule that a month or number must not precede, since its hyphen is that of a range then: “1968 Sept.-1969 Jan.”. */
function ruleOfStart(pattern: string, read: Rule[1]): Rule {
  return rule(pattern, (m) => (PART_OF_DATE.test(m.input.slice(0, m.index)) ? undefined : read(m)));
}

const PART_OF_DATE = new RegExp(`(?:\\d(?:st|nd|rd|th)?|(?<!\\p{L})(?:${names.MONTH}))[.,]{0,2} $`, 'u');

function romanDate(year: string | undefined, month: string | undefined, day: string | undefined): Token[] | undefined {
  const monthDigits = names.romanMonth(month);
  return monthDigits === undefined ? undefined : dateToken(year, monthDigits, day);
}

/** “1800s” is a century, “1900s” a decade; but beside another century, and in its middle or late part, a century too. */
function hundred({ 1: digits, input, index }: RegExpExecArray): Token[] {
  const year = number(digits) * 100;
  const isCentury =
    year < 1900 || /(?:\d\d00(?:'?s)? ?(?:-|to|and|through|&) ?|(?:mid|middle|late)[- ])$/.test(input.slice(0, index));
  return [isCentury ? { is: 'century', century: year } : { is: 'decade', decade: year }];
}

/** A day and a month in digits; the month is first, unless it cannot be, or what follows has the day first. */
function dayAndMonth(first: number, second: number, isDayFirst: boolean): Token[] | undefined {
  const [month, day] = first > 12 || isDayFirst ? [second, first] : [first, second];
  if (month > 12) return undefined;
  return [
    { is: 'month', month },
    { is: 'number', number: day },
  ];
}

/** The dates of MARC 21 (field 008) with their code; those of `q` are questionable. */
function marcDates(code: string | undefined, first: string | undefined, last: string | undefined): Token[] {
  const doubt: Token[] = code === 'q' ? [{ is: 'uncertain' }] : [];
  const end: Token = last === '9999' ? { is: 'present' } : { is: 'year', year: number(last) };
  return [{ is: 'year', year: number(first) }, ...doubt, { is: 'dash' }, end, ...doubt];
}
