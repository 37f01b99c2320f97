/** The parts of a text that may be its date: without labels, notes, dates of copies and names of places. */

/** What precedes the date of a copy. */
const COPY =
  /^ *(?:bulk|print|copy|copied|reprint|digital|digiti[sz]|scan|transcri|transfer|publication|published|publish|catalog|access|copy ?print)/;
/** What precedes the date of the original. */
const ORIGINAL = /\boriginals?\b/;
/** What precedes the date of something among others: “Created: 1942; Digitized: 2010”. */
const LABEL = /(^|[;,] ?)(?!\d)[\p{L} ]{2,30}?(?: \d{1,2})?: ?(?=\S)/gu;
const CREATION_LABEL = /\b(?:creat\w*|recorded|interview\w*|photograph\w*|taken|date)\b/;

/** Returns texts to read, the most likely one first; each is read only if those before it cannot be. The text is normalized. */
export function* dateCandidates(text: string): Generator<string> {
  const corrected = /\b(?:i\.? ?e\.?|that is,?|but (?:probably|perhaps|actually|likely)) (.*?)\]?$/.exec(text)?.[1];
  if (corrected !== undefined) yield corrected;
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
  const withoutNotes = text.replace(/\([^()]*\)/g, ' ').trim();
  if (withoutNotes !== '' && withoutNotes !== text) yield withoutNotes;
  const beforeCopy = text.split(/, *(?=(?:copy|print|reprint|digital|scan|transcri|publi))/)[0] as string;
  if (beforeCopy !== text) yield beforeCopy;
  yield* withoutLeadingSegments(text);
}

/** Returns the parts that pass, joined; undefined if all or none do. */
function select(parts: readonly string[], passes: (part: string) => boolean): string | undefined {
  const selected = parts.filter(passes);
  return selected.length > 0 && selected.length < parts.length ? selected.join(';') : undefined;
}

/** “Poston, Arizona, March 1943”: a date after names of places, one comma after the other. */
function* withoutLeadingSegments(text: string): Generator<string> {
  let rest = text;
  for (let comma = /^[^\d,]+, */.exec(rest); comma; comma = /^[^\d,]+, */.exec(rest)) {
    rest = rest.slice(comma[0].length);
    yield rest;
  }
}

/**
 * Returns what follows the leading words of a text, one word after the other, up to its first digit: “Bautismos 1701–1723”. A single year is
 * not such a date, because the number may count something else.
 */
export function* withoutLeadingWords(text: string): Generator<string> {
  let rest = text;
  for (let word = LEADING_WORD.exec(rest); word; word = LEADING_WORD.exec(rest)) {
    rest = rest.slice(word[0].length);
    yield rest;
  }
}

const LEADING_WORD = /^[^\d\s]+\s+(?=\S)/;
