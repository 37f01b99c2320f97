/** The rules for words of English and Spanish: undated, open ends, certainty, parts, and what says nothing about time. */
import { MONTH } from './names.ts';
import words from './rule-words.json' with { type: 'json' };
import { noise, part, type Rule, rule, sign, signWord } from './rules.ts';

/** Returns a pattern for any of the words in a list, each of which is a pattern. */
const anyOf = (list: keyof typeof words): string => words[list].join('|');

const FIRST = '(?:1(?:st|\\.?(?:a|ra|er|o))\\.?|first|primer[ao]?)';
const SECOND = '(?:2(?:nd|d|\\.?(?:a|da|do|o))\\.?|second|segund[ao])';
const THIRD = '(?:3(?:rd|d|\\.?(?:a|ra|er|o))\\.?|third|tercer[ao]?)';
const FOURTH = '(?:4(?:th|\\.?(?:a|ta|to|o))\\.?|fourth|cuart[ao])';
const LAST = '(?:last|final|ultim[ao])';

/** “a fines de”; after a date, the “a” is that of a range. */
const AT = `(?:(?<!(?:\\d|[xvi]|(?:${MONTH}))[.)\\]?]* )a )?`;

/** Parts of a year, decade or century. */
export const PART_RULES: readonly Rule[] = [
  part('first half', `${FIRST} (?:half|mitad|semestre)`),
  part('second half', `(?:${SECOND}|${LAST}|latter) (?:half|mitad|semestre)`),
  part('first quarter', `${FIRST} (?:quarter|cuarto|trimestre)|q1`),
  part('second quarter', `${SECOND} (?:quarter|cuarto|trimestre)|q2`),
  part('third quarter', `${THIRD} (?:quarter|cuarto|trimestre)|q3`),
  part('last quarter', `(?:${FOURTH}|${LAST}) (?:quarter|cuarto|trimestre)|q4`),
  part('first third', `${FIRST} (?:third|tercio)`),
  part('middle third', `(?:${SECOND}|middle) (?:third|tercio)`),
  part('last third', `(?:${THIRD}|${LAST}) (?:third|tercio)`),
  part('early', `early(?! as )|beginning(?! in )|start|${AT}(?:principios?|ppios?|pcpios|inicios?|comienzos?)`),
  part('mid', `mid|middle|midst|med|${AT}mediados`),
  part('late', `late(?:r(?! than))?|end|${AT}(?:finales|fines|fins?)|ff(?=\\. ?s)`),
];

/** What says that a date is missing, and what opens an end. “Not” before such a word turns it round: see `foldNegations`. */
export const OPEN_RULES: readonly Rule[] = [
  signWord(anyOf('undated'), 'undated'),
  signWord(anyOf('undatedInSpanish'), 'undated'),
  sign('open(?= ?[-/])', 'undated'),
  rule('(date (?:is )?)?uncertain(?![\\p{L}\\d])', (m) => [{ is: m[1] && m.index === 0 ? 'undated' : 'uncertain' }]),
  signWord(anyOf('openEnd'), 'since'),
  rule('(?<=\\d ?)(?:\\+|(?:on|ff\\.?|et seq\\.?)(?![\\p{L}\\d]))(?=[\\s)\\]]*(?:$|[,;]))', () => [{ is: 'since' }]),
  signWord('(?:and|or|&) (?:earlier|before|prior)|[yo] (?:anterior(?:es)?|antes)(?! (?:al?|del?) )|(?:at the )?latest', 'until'),
  signWord('(?:at the )?earliest|como (?:muy )?(?:pronto|temprano|minimo)(?: en)?|at least(?= \\d{4})', 'since'),
  sign('(?<=[-/] ?|to )date(?![a-z])', 'present'),
  signWord(anyOf('present'), 'present'),
  signWord('by', 'by'),
  signWord(anyOf('until'), 'until'),
  signWord(anyOf('since'), 'since'),
  sign('(?:pre|ante)-', 'before'),
  sign('post-', 'after'),
  sign('<=|≤', 'until'),
  sign('>=|≥', 'since'),
  sign('<(?= ?[\\dc])(?![^<>]*>)', 'before'),
  sign('>(?= ?[\\dc])(?<!<[^<>]*>)', 'after'),
  signWord(anyOf('before'), 'before'),
  signWord(anyOf('after'), 'after'),
  signWord('between|entre', 'between'),
  signWord('from|desde', 'from'),
  signWord('until|till|hasta', 'to'),
];

/** Ranges and lists. */
export const JOINING_RULES: readonly Rule[] = [
  noise('a\\.? ?d\\.?|c\\.? ?e\\.?|d\\. ?c\\.?'),
  rule(`a(?= \\d{1,2} (?:dias?|de) )(?<!(?:\\d|(?:${MONTH})\\.?) ?a)`, () => []), // “Madrid, a 3 de mayo de 1942”
  sign('-?(?:to|and|y|a)-', 'to'),
  // A text or part of it does not begin with the “a” of a range: “a mayo de 1942” means that month.
  signWord('to|thru|through|(?<=[\\p{L}\\d][.)\\]?]* )al?|y hasta', 'to'),
  signWord('and|&|y|e|plus|also|but|pero', 'and'),
  rule('&|\\+(?! ?/)', () => [{ is: 'and' }]),
  signWord('or|o|u', 'or'),
  signWord('not?|never|ni|nunca|jamas', 'not'),
];

/** Certainty. */
export const CERTAINTY_RULES: readonly Rule[] = [
  rule('(?:\\+ ?/ ?-|\\+-|±) ?(\\d{1,2}) ?(?:years?|yrs?|anos?|年)?(?! ?\\p{L})\\.?', (m) => [
    { is: 'margin', margin: Number(m[1]) },
  ]),
  signWord(anyOf('approximate'), 'approximate'),
  signWord(anyOf('uncertain'), 'uncertain'),
  signWord(anyOf('uncertainInSpanish'), 'uncertain'),
];

/** Days of the week, dates of copies, and words that say nothing about time. */
export const NOISE_RULES: readonly Rule[] = [
  noise('(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|fri|sat|sun'),
  noise('lunes|martes|miercoles|jueves|viernes|sabado|domingo'),

  // The dates of the larger part of something, of copies and of prints do not count. A parenthesis separates as a comma does.
  rule(
    '(?:bulk|mostly|predominantly|primarily|mainly|principalmente|printed|reprinted|reproduced|digitized|scanned|digital)(?![\\p{L}\\d])',
    ({ input, index }) => [...(/[([] ?$/.test(input.slice(0, index)) ? [{ is: ',' } as const] : []), { is: 'stop' }],
  ),
  noise(
    'inclusive|original|copyright|cop|©|©|p|published|publ|issued|taken|photographed|created|made|dated|written|recorded|drawn|filmed|interviewed|conducted|held|received|postmarked|stamped|signed|sent|negative',
  ),
  rule('del?(?=\\d)', () => []),
  noise('(?:school|academic|fiscal|calendar) years?|seasons?|school session'),
  noise('days? of|(?:the )?month of|dias?(?: del?)?(?: mes(?: de)?)?|mes de|this'),
  noise('during|durante|dates?:?|years?|fechas?:?|anos?:?|fechado|of|the|in|on|del?|el|la|los|las|en'),
  rule('©', () => []),
];
