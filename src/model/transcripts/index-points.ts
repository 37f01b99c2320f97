/** An index inside a recording: what is spoken about from which moment on. Its fields have the names of OHMS, in any format. */
import { safeExternalUrl } from '../external-url.ts';
import type { Cue } from '../media/captions.ts';
import { toOneLine } from '../text/legible.ts';

/** The suffixes of fields in the language of the recording and in that of the translation. */
export const INDEX_LANGUAGES = ['', '_alt'] as const;
/** One of these. */
export type IndexLanguage = (typeof INDEX_LANGUAGES)[number];

/** Fields by name, as they are in the file. */
export type Fields = Readonly<Record<string, string>>;

/** The fields of a point that say what is spoken about, in the order of OHMS. Each can have the suffix `_alt`. */
export const POINT_FIELDS = ['title', 'partial_transcript', 'synopsis', 'keywords', 'subjects'] as const;

/** A point of an index. */
export interface IndexPoint {
  /** In seconds. */
  start: number;
  /** Where the next point begins; undefined for the last one. */
  end: number | undefined;
  fields: Fields;
  /** Each with `gps` (latitude and longitude), `gps_zoom` and `gps_text`. */
  places: readonly Fields[];
  /** Each with `hyperlink` and `hyperlink_text`. */
  links: readonly Fields[];
}

/** An index, and its languages as the file states them. */
export interface RecordingIndex {
  points: IndexPoint[];
  language: string;
  translation: string;
}

/** A moment later than this, 1,000 hours, is a mistake. */
export const MAX_SECONDS = 3_600_000;
/** Whether the time of a point is one. */
export const isTimed = ({ start }: Pick<IndexPoint, 'start'>): boolean => start >= 0 && start < MAX_SECONDS;

/** Returns points in the order of a file as an index; undefined without any. */
export function createIndex(
  points: ReadonlyArray<Omit<IndexPoint, 'end'> & { end?: number }>,
  [language = '', translation = '']: ReadonlyArray<string | undefined>,
): RecordingIndex | undefined {
  const timed = points.filter(isTimed);
  const ended = timed.map((point, i) => {
    const next = timed[i + 1]?.start;
    return { ...point, end: point.end ?? (next !== undefined && next > point.start ? next : undefined) };
  });
  return ended.length === 0 ? undefined : { points: ended, language, translation };
}

/** Returns the chapters of a WebVTT file as an index. */
export function indexOfChapters(chapters: readonly Cue[], language: string | undefined): RecordingIndex | undefined {
  const points = chapters.map(({ start, end, text }) => ({ start, end, fields: { title: text }, places: [], links: [] }));
  return createIndex(points, [language]);
}

/** Returns a field of a point, place or link in a language; empty if it has none. Lists are separated by “; ”. */
export function indexText(fields: Fields, name: string, language: IndexLanguage): string {
  const text = toOneLine(fields[`${name}${language}`] ?? '');
  return name === 'keywords' || name === 'subjects' ? text.replace(/(?:\s*;)+\s*/g, '; ').replace(/^; |; $/g, '') : text;
}

/** Returns what a point links to at URLs of http or https, each with its label in a language. */
export function pointLinks({ links }: Pick<IndexPoint, 'links'>, language: IndexLanguage) {
  return links.flatMap((each) => {
    const url = safeExternalUrl((each['hyperlink'] ?? '').trim());
    return url === undefined ? [] : [{ url, label: indexText(each, 'hyperlink_text', language) || url }];
  });
}

/** Returns what a point is called in a language: its title, or else what it says first; empty if it says nothing. */
export function pointTitle({ fields }: IndexPoint, language: IndexLanguage): string {
  return POINT_FIELDS.map((name) => indexText(fields, name, language)).find((text) => text !== '') ?? '';
}
