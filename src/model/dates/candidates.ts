/** The parts of a text that may be its date: without labels, notes and dates of copies. */
import type { Token } from './rules.ts';
import { tokenizeLeniently } from './tokens.ts';

/** What precedes the date of a copy. */
const COPY =
  /^ *(?:bulk|the bulk of|(?:the )?majority of|print|copy|copied|reprint|digital|digiti[sz]|scan|transcri|transfer|publication|published|publish|catalog|access|copy ?print)/;
/** What precedes the date of the original. */
const ORIGINAL = /\boriginals?\b/;
/** What precedes the date of something among others: “Created: 1942; Digitized: 2010”. */
const LABEL = /(^|[;,] ?)(?!\d)[\p{L} ]{2,30}?(?: \d{1,2})?: ?(?=\S)/gu;
const CREATION_LABEL = /\b(?:creat\w*|recorded|interview\w*|photograph\w*|taken|date)\b/;

/** “1980 (original 1943)”, “1980, from original of 1942” */
const OF_ORIGINAL =
  /(?:\boriginal(?:es|s)?|(?:from|de) (?:an? |the |un |el )?negativ[eo]s?)(?: (?:dated?|of|from|taken|made|created|in|negativ[eo]s?|photographs?|images?|prints?|del?|en))*:? ([^;()\d]*\d[^;()]*)/;
/** “1950, from 1942 negative” */
const FROM_ORIGINAL =
  /\b(?:from|(?:copy|scan|print|reproduction) of) (?:an? |the |its )?([^;(),\d]*\d[^;()]*?) (?:negative|original|photograph|photo|slide|transparency|letter|document)s?\b/;
/** “printed in 1952, photographed 1943” */
const AFTER_COPY = /^(?:copied|(?:re)?print(?:ed)?|scan(?:ned)?|digiti[sz]ed|published)\b[^,;]*\d{4}, (?=.*\d)(.+)$/;
/** “start=1801; end=1900; name=…”: the period of DCMI. */
const DCMI_PERIOD = /\bstart=([^;]+); ?end=([^;]+)/;
const BEFORE_COPY = /, *(?=(?:(?:the )?(?:bulk|majority) of|copy|print|reprint|digital|scan|transcri|publi))/;

/** “Bulk 1942-1945, 1920-1988”: the larger part first. */
const BULK_FIRST = /^(?:the bulk of|(?:the )?majority of|bulk)\b/;

/** Returns texts to read, the most likely one first; each is read only if those before it cannot be. The text is normalized. */
export function dateCandidates(text: string): Set<string> {
  return new Set([...candidates(text)].filter((candidate) => candidate !== ''));
}

function* candidates(text: string): Generator<string> {
  const corrected = /\b(?:i\.? ?e\.?|that is,?|recte:?|sc\.|sic[,;:]|but (?:probably|perhaps|actually|likely)) (.*?)\]?$/.exec(
    text,
  )?.[1];
  if (corrected !== undefined) yield corrected;
  const original = FROM_ORIGINAL.exec(text)?.[1] ?? OF_ORIGINAL.exec(text)?.[1];
  if (original !== undefined) yield original.split(BEFORE_COPY)[0] as string;
  const afterCopy = AFTER_COPY.exec(text)?.[1];
  if (afterCopy !== undefined) yield afterCopy;
  const afterBulk = datesAfterBulk(text);
  if (afterBulk !== undefined) yield afterBulk;
  const period = DCMI_PERIOD.exec(text);
  if (period) yield `${period[1]} - ${period[2]}`;
  const parts = text.split(/;|,(?=[^,]*\()/);
  const own = select(parts, (part) => ORIGINAL.test(part)) ?? select(parts, (part) => !COPY.test(part));
  if (own) yield own.replace(LABEL, '$1');
  yield text;
  const unlabeled = text.replace(LABEL, '$1');
  if (unlabeled !== text) {
    const created = select(parts, (part) => CREATION_LABEL.test(/^[^:\d]*:/.exec(part)?.[0] ?? ''));
    if (created) yield created.replace(LABEL, '$1');
    yield unlabeled;
  }
  yield ONLY_NOTE.exec(text)?.[1] ?? '';
  yield withoutNotes(text);
  yield text.split(BEFORE_COPY)[0] as string;
}

/** Returns the dates of the whole after those of its larger part, which they enclose. */
function datesAfterBulk(text: string): string | undefined {
  if (!BULK_FIRST.test(text)) return undefined;
  const yearsOf = (part: string) => (part.match(/\d{4}/g) ?? []).map(Number);
  for (const { index } of text.matchAll(/(?<=\d{4}[?~)\]]*),/g)) {
    const [bulk, whole] = [yearsOf(text.slice(0, index)), yearsOf(text.slice(index))];
    if (Math.min(...whole) <= Math.min(...bulk) && Math.max(...whole) >= Math.max(...bulk)) return text.slice(index + 1).trim();
  }
  return undefined;
}

/** Returns the parts that pass, joined; undefined if all or none do. */
function select(parts: readonly string[], passes: (part: string) => boolean): string | undefined {
  const selected = parts.filter(passes);
  return selected.length > 0 && selected.length < parts.length ? selected.join(';') : undefined;
}

/** Returns a text without notes about copies: “Photograph taken 1896 (scanned 2013)”. */
export function withoutCopies(text: string): string {
  const kept = text.replace(NOTE, (all, note = '', bracketed = '') => (COPY.test(note || bracketed) ? ' ' : all));
  return (kept.split(BEFORE_COPY)[0] as string).trim();
}

/** The note in parentheses of a text that has no digit elsewhere: “pre-war (before 1942)”. */
const ONLY_NOTE = /^[^\d()]*\(([^()]*\d[^()]*)\)[^\d()]*$/;

/** A note in parentheses, or in square brackets after a date or at the end: before a date, or with digits, it may be the date. */
const NOTE = /\(([^()]*)\)|(?<=\S *)\[([^[\]\d]*)\](?:$|(?<=\d.*)(?! *\d))/g;
const BOUNDS: ReadonlySet<Token['is']> = new Set(['before', 'after', 'until', 'since', 'by', 'not', 'present']);
const DOUBTS: ReadonlySet<Token['is']> = new Set(['uncertain', 'approximate']);
const DATES: ReadonlySet<Token['is']> = new Set(['year', 'date', 'month', 'decade', 'century', 'era']);

/** Whether a note is nothing but a date, which differs from that before it. */
function isOtherDate(tokens: readonly Token[]): boolean {
  return tokens.some(({ is }) => DATES.has(is)) && !tokens.some(({ is }) => is === 'unknown');
}

/** Returns a text without its notes: with “?” if one says that it is not certain, empty if one is a bound of the date. */
function withoutNotes(text: string): string {
  const notes = [...text.matchAll(NOTE)].map(([, note, bracketed = '']) => ({
    note: note ?? bracketed,
    tokens: tokenizeLeniently(note ?? bracketed),
  }));
  const isBound = ({ tokens }: { tokens: Token[] }) =>
    tokens.some(({ is }) => BOUNDS.has(is)) &&
    (tokens.some(({ is }) => DATES.has(is)) || !tokens.some(({ is }) => is === 'unknown'));
  if (notes.some(isBound)) return '';
  const isDoubtful = notes.some(
    ({ note, tokens }) => !COPY.test(note) && (tokens.some(({ is }) => DOUBTS.has(is)) || isOtherDate(tokens)),
  );
  return `${text.replace(NOTE, ' ').trim()}${isDoubtful ? ' ?' : ''}`;
}
