/** Parses durations in words: English, Spanish and Japanese, and ISO 8601 (`62 minutes`, `2 hrs. 5 min.`, `1時間2分`, `PT1H2M`). */

/** Longer texts are descriptions. */
const MAX_LENGTH = 500;
const SECONDS_BY_UNIT = { h: 3600, m: 60, s: 1 } as const;
type Unit = keyof typeof SECONDS_BY_UNIT;

/** Spellings of each unit, in lower case. A single letter is read only beside another unit: “62 m” may be meters of film. */
const UNIT_FORMS: Readonly<Record<Unit, string>> = {
  h: 'hours?|hrs?|hr|h|horas?|hs|時間',
  m: 'minutes?|mins?|minutos?|minute|m|分間?',
  s: 'seconds?|secs?|sec|segundos?|segs?|seg|s|秒間?',
};
const NUMBER = String.raw`\d+(?:[.,]\d+)?(?: ?[1-3]/[24])?|[1-3]/[24]`;
const AMOUNT = new RegExp(`(${NUMBER})(?: |-)?(?:(${UNIT_FORMS.h})|(${UNIT_FORMS.m})|(${UNIT_FORMS.s}))(?![a-zñáéíóú])\\.?`, 'g');
/** The text between two amounts of one duration. */
const JOINT = /^ ?(?:,|and|y|con|,? ?&)? ?$|^ ?, (?:and|y) $/;
/** Words that make the number only part of the length, or a bound of it. */
const UNUSABLE_CONTEXT =
  /\beach\b|\bper\b|\bapiece\b|\bcada\b|\bc\/u\b|各|ずつ|\b(?:over|under|less|more|up to|at least|maximum|minimum|menos|más|hasta)\b|以上|以下|未満|弱|強/;
/** A number before the amount, so that it is the end of a range. */
const RANGE_BEFORE = /(?:\d|分|時間) ?(?:[-‐-―~〜～/]|\bto\b|\bor\b|\ba\b|\bo\b|から|又は|または) ?$/;
/** A unit without a readable number, such as “an hour and 5 minutes”. */
const LONE_UNIT = /\b(?:hours?|minutes?|hrs|mins|horas?|minutos?)\b/;
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    'one two three four five six seven eight nine ten eleven twelve',
    'una dos tres cuatro cinco seis siete ocho nueve diez once doce',
  ].flatMap((words) => words.split(' ').map((word, i) => [word, String(i + 1)] as const)),
);
const ISO_8601 = /^p(?:(\d+)d)?t(?=\d)(?:(\d+(?:[.,]\d+)?)h)?(?:(\d+(?:[.,]\d+)?)m)?(?:(\d+(?:[.,]\d+)?)s)?$/;

/**
 * Returns the seconds of the one duration that a text states, also inside other words (`1 videocassette (62 min.)`). Returns
 * undefined if it states none, or several, a range, a bound (“over an hour”), or the length of each of several things.
 */
export function parseDurationInWords(value: string): number | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const text = simplify(value);
  const iso = ISO_8601.exec(text);
  if (iso) return toSeconds(iso[1]) * 86_400 + toSeconds(iso[2]) * 3600 + toSeconds(iso[3]) * 60 + toSeconds(iso[4]);
  const amounts = [...text.matchAll(AMOUNT)];
  const [first] = amounts;
  const last = amounts[amounts.length - 1];
  if (!first || !last || UNUSABLE_CONTEXT.test(text) || RANGE_BEFORE.test(text.slice(0, first.index))) return undefined;
  if (LONE_UNIT.test(text.replaceAll(AMOUNT, ' '))) return undefined;
  const units = amounts.map(unitOf);
  const isLonelyLetter = amounts.length === 1 && /[\d ][ms]\.?$/.test(first[0]);
  if (isLonelyLetter || units.some((unit, i) => i > 0 && rankOf(unit) <= rankOf(units[i - 1] as Unit))) return undefined;
  for (const [i, amount] of amounts.entries()) {
    const before = amounts[i - 1];
    if (before && !JOINT.test(text.slice(before.index + before[0].length, amount.index))) return undefined;
  }
  return amounts.reduce((total, amount) => total + toSeconds(amount[1]) * SECONDS_BY_UNIT[unitOf(amount)], 0);
}

/** Returns a text in lower case, with ASCII digits, simple fractions and single spaces, and with small numbers as digits. */
function simplify(value: string): string {
  return value
    .replace(/[¼½¾]/g, (sign) => ` ${{ '¼': '1/4', '½': '1/2', '¾': '3/4' }[sign]}`)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[a-z]+/g, (word) => NUMBER_WORDS.get(word) ?? word);
}

function unitOf(amount: RegExpExecArray): Unit {
  return amount[2] !== undefined ? 'h' : amount[3] !== undefined ? 'm' : 's';
}

function rankOf(unit: Unit): number {
  return Object.keys(SECONDS_BY_UNIT).indexOf(unit);
}

/** Returns the value of `1,5`, `1.5`, `1,200`, `1 1/2` or `1/2`; 0 for undefined. */
function toSeconds(amount: string | undefined): number {
  const [, whole = '', top = '0', bottom = '1'] = /^(\d+(?:[.,]\d+)?)?(?: ?([1-3])\/([24]))?$/.exec(amount ?? '0') ?? [];
  return Number(/,\d{3}$/.test(whole) ? whole.replace(',', '') : whole.replace(',', '.')) + Number(top) / Number(bottom);
}
