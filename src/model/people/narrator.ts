/** Parses what the API publishes of a narrator (docs/upstream-api.md, “Narrators”). */
import { safeExternalUrl } from '../external-url.ts';
import { readMediaUrl } from '../media/media-url.ts';
import { MAX_LABEL_LENGTH } from '../text/limits.ts';
import { cleanTitle, toPlainText, truncateWords } from '../text/text.ts';
import { fields, isObject, type Reader, stated, text, verbatim } from '../values.ts';

/** A narrator, as the narrator's own resource or an entry in the list of narrators gives it. Nothing else of a person is read. */
export type Narrator = NonNullable<ReturnType<typeof readNarrator>>;

const toLabel = (words: string | undefined) => truncateWords(cleanTitle(toPlainText(words)), MAX_LABEL_LENGTH) || undefined;
const label: Reader<string | undefined> = (value) => toLabel(text(value));
const name: Reader<string | undefined> = (value) => toLabel(stated(value));
const read = fields({
  id: verbatim,
  display_name: name,
  first_name: name,
  middle_name: name,
  last_name: name,
  nickname: name,
  b_date: label,
  d_date: label,
  birth_location: label,
  generation: label,
  bio: text,
  nr_id: label,
});

/** Parses a narrator; undefined if the payload is none, or names no one. Never throws. */
export function readNarrator(payload: unknown) {
  const narrator = read(payload);
  if (!narrator?.id || !isObject(payload)) return undefined;
  const { id, display_name: shown, first_name: first, middle_name: middle, last_name: last, b_date, d_date, bio } = narrator;
  const fullName = [first, middle, last].filter((part) => part !== undefined).join(' ') || undefined;
  const name = shown ?? fullName;
  if (name === undefined) return undefined;
  const links = isObject(payload['links']) ? payload['links'] : {};
  const portrait = verbatim(links['img']) ?? '';
  return {
    /** The number that records have as `oh_id`. */
    id: id.trim(),
    name,
    ...definedIn({
      /** With all given names. */
      fullName: last === undefined || fullName === name ? undefined : fullName,
      nickname: narrator.nickname,
      /** A date as YYYY-MM-DD; a year if only that is known. */
      born: dateOfLife(b_date, bio),
      /** Not before the year after birth: that is a mistake. */
      died: yearOf(d_date) <= yearOf(b_date) ? undefined : dateOfLife(d_date, bio),
      birthPlace: narrator.birth_location,
      generation: narrator.generation,
      /** Untrusted HTML. */
      biography: bio,
      /** ID of the name record. */
      nr: narrator.nr_id,
      /** URL of an image. */
      portrait: readMediaUrl(portrait, verbatim(links['json']) ?? verbatim(links['html'])) || undefined,
      liveUrl: safeExternalUrl(verbatim(links['html']) ?? ''),
    }),
  };
}

const yearOf = (date = '') => Number(/\b\d{4}\b/.exec(date)?.[0]);
const JANUARY_1 = /\bJan(?:uary|\.)? 1(?:st)?\b|\b1(?:st)?(?: of)? Jan(?:uary)?\b/i;

/** Returns a date without its time. January 1 means a year of which the day is not known, unless the biography names that day. */
function dateOfLife(date: string | undefined, biography = ''): string | undefined {
  const { day, year } = /^(?<day>(?<year>\d{4})-\d\d-\d\d)(?:[T ]|$)/.exec(date ?? '')?.groups ?? {};
  return day?.endsWith('-01-01') && !JANUARY_1.test(biography) ? year : (day ?? date);
}

function definedIn<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ReturnType<typeof definedIn<T>>;
}
