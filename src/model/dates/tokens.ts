/** Splits the text of a date into tokens that do not depend on its language: English, Spanish or Japanese. */
import { KANJI_NUMBER, kanjiNumber } from './eras.ts';
import { CJK_RULES } from './japanese.ts';
import { dateToken, END, noise, number, part, type Rule, rule, sign, signWord, type Token, word } from './rules.ts';

/** Longer texts are not dates. */
const MAX_LENGTH = 160;

/** Returns the tokens of a text; undefined if a part of it has no meaning in a date. */
export function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const before = at;
    for (const [pattern, read] of RULES) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      const found = match && match[0] !== '' ? read(match) : undefined;
      if (!match || !found) continue;
      tokens.push(...found);
      at += match[0].length;
      break;
    }
    if (at === before) return undefined;
  }
  const stop = tokens.findIndex(({ is }) => is === 'stop');
  return stop < 0 ? tokens : tokens.slice(0, stop);
}

/** Returns the text in the form that the rules expect: lower case, without accents, full-width letters and kinds of dashes; undefined if it is too long. */
export function normalize(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  const western = folded
    .replace(/[‐‑‒–—―−ー](?=\s*[\d〇一二三四五六七八九十明大昭平令c?\]])|[‐‑‒–—―−]/g, '-')
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[〜∼]/g, '~')
    .replace(/년/g, '年')
    .replace(/월/g, '月')
    .replace(/일/g, '日')
    .replace(/世纪/g, '世紀')
    .replace(/(?<=\d)\[(\d{1,2}\??)\]/g, '$1')
    .replace(/\[(\d{1,3})\](?=\d)/g, '$1')
    .replace(/[\p{Cf}\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return western.replace(KANJI_NUMBER, (digits) => String(kanjiNumber(digits)));
}

const MONTHS: Array<[number, string]> = [
  [1, 'january|enero|jan|ene'],
  [2, 'february|febrero|feb'],
  [3, 'march|marzo|mar'],
  [4, 'april|abril|apr|abr'],
  [5, 'may|mayo'],
  [6, 'june|junio|jun'],
  [7, 'july|julio|jul'],
  [8, 'august|agosto|aug|ago'],
  [9, 'september|septiembre|setiembre|sept|sep|set'],
  [10, 'october|octubre|oct'],
  [11, 'november|noviembre|nov'],
  [12, 'december|diciembre|dec|dic'],
];
const MONTH = MONTHS.map(([, names]) => names).join('|');
const monthNumber = (name = '') => String(MONTHS.find(([, names]) => names.split('|').includes(name))?.[0]);
const SEASONS: Array<[number, string]> = [
  [21, 'spring|primavera'],
  [22, 'summer|verano'],
  [23, 'autumn|fall|otono'],
  [24, 'winter|invierno'],
];
const CENTURIES =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first'.split(
    ' ',
  );
const ROMAN: Readonly<Record<string, number>> = { xv: 15, xvi: 16, xvii: 17, xviii: 18, xix: 19, xx: 20, xxi: 21 };
const ROMAN_NUMBER = Object.keys(ROMAN).reverse().join('|');
const romanCentury = (numeral = ''): Token => ({ is: 'century', year: ((ROMAN[numeral] ?? 0) - 1) * 100 });
const TENS = 'twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties'.split('|');

const CENTURY = '(?:centur(?:y|ies)|cent\\.?|c\\.)';
/** The rules in the order in which they are tried. The first that applies is used, so longer forms precede shorter ones. */
const RULES: Rule[] = [
  rule('[\\s\\[\\]<>"()]+|[.。](?=\\s|$)', () => []),
  rule('(?:at )?\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]\\.? ?m\\.?)?(?![\\p{L}\\d])', () => []),

  // Whole dates in digits. A month or day of 00, XX or -- is one that is not known.
  rule(
    '(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?:[t ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?)?(?: ?z| ?[+-]\\d{2}:?\\d{2})?(?!\\d)',
    (m) => dateToken(m[1], m[3], m[4]),
  ),
  rule('(\\d{4})-(\\d{2})-(?:xx|uu|--|\\?\\?)', (m) => dateToken(m[1], m[2], '0')),
  rule('(\\d{4})-(?:xx|uu|--|\\?\\?|00)(?:-(?:xx|uu|--|\\?\\?|00))?(?!\\d)', (m) => dateToken(m[1], '0', '0')),
  rule('(\\d{1,2})([-/])(\\d{1,2})\\2(\\d{4})(?!\\d)', (m) =>
    number(m[1]) > 12 ? dateToken(m[4], m[3], m[1]) : dateToken(m[4], m[1], m[3]),
  ),
  rule('(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?!\\d)', (m) =>
    number(m[2]) > 12 ? dateToken(m[3], m[1], m[2]) : dateToken(m[3], m[2], m[1]),
  ),
  rule('(1[5-9]\\d\\d|20\\d\\d)(\\d\\d)(\\d\\d)(?!\\d)', (m) => dateToken(m[1], m[2], m[3])),
  rule(`(\\d{1,2})-(${MONTH})\\.?-(\\d{4})(?!\\d)`, (m) => dateToken(m[3], monthNumber(m[2]), m[1])),
  rule(`(${MONTH})\\.?-(\\d{1,2})-(\\d{4})(?!\\d)`, (m) => dateToken(m[3], monthNumber(m[1]), m[2])),
  rule(`(\\d{4})-(${MONTH})\\.?-(\\d{1,2})(?!\\d)`, (m) => dateToken(m[1], monthNumber(m[2]), m[3])),
  rule(`(?<!(?:${MONTH})\\.? ?)(0?[1-9]|1[0-2])[-/](\\d{4})(?!\\d|[-/]\\d)`, (m) => dateToken(m[2], m[1], '0')),
  rule('(\\d{4})-([1-9])(?![\\dx]|-\\d)', (m) => dateToken(m[1], m[2], '0')),
  rule('(\\d{4})-(\\d\\d)(?![\\dx]|-\\d)', (m) => yearAndTwoDigits(number(m[1]), number(m[2]))),
  rule('(\\d{4})/(0?[1-9]|1[0-2])(?!\\d|/)', (m) =>
    number(m[2]) > number(m[1]?.slice(2)) ? undefined : dateToken(m[1], m[2], '0'),
  ),

  ...CJK_RULES,

  // Decades and centuries.
  rule(`(\\d{2})00'?s${END}`, (m) => [
    number(m[1]) < 19 ? { is: 'century', year: number(m[1]) * 100 } : { is: 'decade', year: number(m[1]) * 100 },
  ]),
  rule(`(\\d{3})0'?s${END}`, (m) => [{ is: 'decade', year: number(m[1]) * 10 }]),
  rule(`'?(\\d)0'?s${END}`, (m) => [{ is: 'short decade', tens: number(m[1]) * 10 }]),
  rule('(\\d{3})(?:[-_xu](?![\\dx_u-]|\\s*\\d{4})|\\?(?![\\d?]))', (m) => [{ is: 'decade', year: number(m[1]) * 10 }]),
  rule('(\\d{2})(?:--|__|xx|uu|\\?\\?)(?!\\d)', (m) => [{ is: 'century', year: number(m[1]) * 100 }]),
  rule(`(?:decada|decenio) (?:de (?:los )?(?:anos )?)?(\\d{3})0${END}`, (m) => [{ is: 'decade', year: number(m[1]) * 10 }]),
  rule(`(?:los )?anos (\\d{3})0${END}`, (m) => [{ is: 'decade', year: number(m[1]) * 10 }]),
  rule(`nineteen[- ](${TENS.join('|')})${END}`, (m) => [{ is: 'decade', year: 1920 + 10 * TENS.indexOf(m[1] ?? '') }]),
  rule(`(\\d{1,2})(?:st|nd|rd|th)?[- ]?${CENTURY}${END}`, (m) => [{ is: 'century', year: (number(m[1]) - 1) * 100 }]),
  rule(`(${[...CENTURIES].reverse().join('|')})[- ]${CENTURY}${END}`, (m) => [
    { is: 'century', year: CENTURIES.indexOf(m[1] ?? '') * 100 },
  ]),
  rule(`(?:siglos?|s\\.|ss\\.) ?(${ROMAN_NUMBER})${END}`, (m) => [romanCentury(m[1])]),
  rule(`(?<=[xvi] ?(?:-|y|al?) ?)(${ROMAN_NUMBER})${END}`, (m) => [romanCentury(m[1])]),

  // Years, and numbers of one or two digits.
  rule(`c\\.?p?(?=\\d{4}(?!\\d))|ca?\\.?(?=\\d{3})`, () => [{ is: 'approximate' }]),
  rule(`(?<!\\d\\.?)(\\d{4})(?![\\d]|[.,]\\d{3})(?:${END}|(?=to|年))`, (m) => [{ is: 'year', year: number(m[1]) }]),
  rule(`'(\\d\\d)(?!\\d|')${END}`, (m) => [{ is: 'number', number: number(m[1]) }]),
  rule(`(\\d{1,2})(?:st|nd|rd|th|er|o|º|ª)?(?!\\d)${END}`, (m) => [{ is: 'number', number: number(m[1]) }]),

  // Parts of a year, decade or century.
  part('first half', '(?:1st|first) half|primera mitad|primer semestre'),
  part('second half', '(?:2nd|second|latter|last) half|segunda mitad|segundo semestre'),
  part('first quarter', '(?:1st|first) quarter|primer cuarto|primer trimestre|q1'),
  part('second quarter', '(?:2nd|second) quarter|segundo cuarto|segundo trimestre|q2'),
  part('third quarter', '(?:3rd|third) quarter|tercer cuarto|tercer trimestre|q3'),
  part('last quarter', '(?:4th|fourth|last) quarter|ultimo cuarto|ultimo trimestre|q4'),
  part('early', 'early|beginning|start|(?:a )?(?:principios|inicios|comienzos)'),
  part('mid', 'mid|middle|midst|(?:a )?mediados'),
  part('late', 'late|later|end|(?:a )?(?:finales|fines)'),

  // Undated, open ends, and what precedes and follows dates.
  signWord(
    'undated|n\\.? ?d\\.?|no date|(?:date (?:of (?:publication|creation|production) )?)?not (?:identified|given|stated|recorded|available)|not dated|date (?:is )?(?:unknown|not known|uncertain)|unknown(?: date)?|s\\. ?f\\.?|s\\.? ?d\\.?|sin fecha|fecha desconocida|desconocid[ao]',
    'undated',
  ),
  signWord('(?:and|or|&) (?:later|after|onwards?)|y (?:posterior(?:es)?|despues)|onwards?|en adelante|forward', 'since'),
  signWord('(?:and|or|&) (?:earlier|before|prior)|y (?:anterior(?:es)?|antes)', 'until'),
  sign('(?<=[-/] ?|to )date(?![a-z])', 'present'),
  signWord(
    '(?:the )?present(?: day)?|ongoing|current|now|today|(?:la )?actualidad|(?:el )?presente|hoy|(?<=[-/] ?)open',
    'present',
  ),
  signWord('not after|no later than|not later than|by|up to|no despues de', 'until'),
  signWord(
    'not before|no earlier than|not earlier than|since|as of|starting(?: in)?|beginning(?: in)?|no antes de|a partir de',
    'since',
  ),
  sign('(?:pre|ante)-', 'before'),
  sign('post-', 'after'),
  signWord('before|pre|prior to|ante|earlier than|antes de|anterior a', 'before'),
  signWord('after|post|later than|subsequent to|despues de|posterior a', 'after'),
  signWord('between|entre', 'between'),
  signWord('from|desde', 'from'),
  signWord('until|till|hasta', 'to'),
  noise('a\\.? ?d\\.?|c\\.? ?e\\.?|d\\. ?c\\.?'),
  signWord('to|thru|through|al?|y hasta', 'to'),
  signWord('and|&|y|e|plus|also', 'and'),
  rule('&|\\+', () => [{ is: 'and' }]),
  signWord('or|o|u', 'or'),

  // Certainty.
  signWord(
    'c|ca|cca|circa|cir|approx|approximate|approximately|about|around|abt|est|estimated|hacia|alrededor de|aproximadamente|aprox|cerca de',
    'approximate',
  ),
  signWord(
    'probably|prob|possibly|poss|perhaps|likely|maybe|presumably|inferred|probablemente|posiblemente|quizas?|tal vez',
    'uncertain',
  ),
  rule('%', () => [{ is: 'approximate' }, { is: 'uncertain' }]),
  sign('\\?+', 'uncertain'),
  sign('~(?=\\s*\\d{4}~|\\s*(?:明治|大正|昭和|平成|令和))|(?<=[\\d年月日])~(?=\\d)', 'to'),
  sign('~', 'approximate'),

  // Months, seasons, holidays.
  ...MONTHS.map(([month, names]) => rule(`(?:${names})(?:\\.|${END}|(?=\\d))`, () => [{ is: 'month', month }])),
  ...SEASONS.map(([season, names]) => word(names, { is: 'season', season })),
  word('christmas(?: day)?|navidad|xmas', { is: 'holiday', month: 12, day: 25 }),
  word('christmas eve|nochebuena', { is: 'holiday', month: 12, day: 24 }),
  word("new year'?s(?: day)?|ano nuevo", { is: 'holiday', month: 1, day: 1 }),
  word("new year'?s eve", { is: 'holiday', month: 12, day: 31 }),
  word('independence day|fourth of july', { is: 'holiday', month: 7, day: 4 }),
  noise('(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun'),
  noise('lunes|martes|miercoles|jueves|viernes|sabado|domingo'),

  // The dates of the larger part of something, of copies and of prints do not count.
  signWord(
    'bulk|mostly|predominantly|primarily|mainly|principalmente|printed|reprinted|reproduced|digitized|scanned|digital',
    'stop',
  ),
  noise(
    'inclusive|original|copyright|cop|©|©|p|published|publ|issued|taken|photographed|created|made|dated|written|recorded|drawn|filmed|interviewed|conducted|held|received|postmarked|stamped|signed|sent|negative',
  ),
  noise('dates?:?|years?|fecha:?|ano:?|fechado|of|the|in|on|del?|el|la|los|las|en'),
  rule('©', () => []),
  sign(',', ','),
  sign(';', ';'),
  rule('[.:]', () => []),
  sign('/|-+|~', 'to'),
];

/**
 * Reads four digits, a hyphen and two digits: a month (`1942-03`), the end of a range (`1942-45`), or a season of EDTF (`1942-21`). Where month
 * and range are both possible (`1908-10`), it is a range up to 1999: so cataloguers write, while programs wrote later dates.
 */
function yearAndTwoDigits(year: number, digits: number): Token[] | undefined {
  const isLater = digits > year % 100;
  if (digits >= 1 && digits <= 12 && !(isLater && year >= 1900 && year < 2000))
    return dateToken(String(year), String(digits), '0');
  if (isLater) return [{ is: 'year', year }, { is: 'to' }, { is: 'number', number: digits }];
  return digits >= 21 && digits <= 24
    ? [
        { is: 'season', season: digits },
        { is: 'year', year },
      ]
    : undefined;
}
