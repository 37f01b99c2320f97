/** How a record is to be cited: Chicago, APA, BibTeX and RIS by Citation.js, from one description in CSL-JSON. */
import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';
import { type DateRange, parseDateRange } from '../../model/dates.ts';
import { oneLine } from '../../model/legible.ts';
import { LONGEST_LABEL } from '../../model/limits.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { plainText, shorten } from '../../model/text.ts';
import { CHICAGO_STYLE } from './chicago.ts';

export interface Cited {
  record: ArchivalRecord;
  title: string;
  /** Plain text; the archive as a whole. */
  archive: string;
  collection: string | undefined;
  /** The page in the living archive. */
  url: string | undefined;
  /** When the copy was taken: ISO 8601. */
  accessed: string | undefined;
}

export type CitationStyle = 'Chicago' | 'APA' | 'BibTeX' | 'RIS';

const CHICAGO = 'microfiche-chicago';
// Ids have hyphens, which BibTeX allows in a key.
plugins.config.get('@bibtex').format.checkLabel = false;
const csl = plugins.config.get('@csl');
csl.templates.add(CHICAGO, CHICAGO_STYLE);

/** The citations of a record, each as text. Their language is English, whatever the page's: that is what the styles are made for. */
export function citationsOf(cited: Cited): Array<[style: CitationStyle, text: string]> {
  const item = describe(cited);
  return [
    ['Chicago', byPattern(item, CHICAGO)],
    ['APA', byPattern(item, 'apa')],
    ['BibTeX', bibtexOf(item)],
    ['RIS', risOf(item)],
  ];
}

/** The item's id is its key: it is unique in the archive, stays the same, and says which record it is. */
function bibtexOf(item: CslItem): string {
  return plugins.output.format('bibtex', [{ ...item, 'citation-key': item.id }]).trim();
}

/** One line a value: the library would break long values, and what follows a break could pass for a line of its own. */
function risOf(item: CslItem): string {
  const [{ TY: type, ...values } = {}] = plugins.output.format('ris', [item], { format: 'object' });
  const lines = Object.entries(values).flatMap(([tag, value]) =>
    [value].flat().map((one) => `${tag}  - ${oneLine(String(one))}`),
  );
  return [`TY  - ${type}`, ...lines, 'ER  -'].join('\n');
}

/** An item in CSL-JSON, as far as it is used here. */
export interface CslItem {
  id: string;
  title: string;
  author?: Array<{ literal: string }>;
  interviewer?: Array<{ literal: string }>;
  archive: string;
  archive_collection?: string;
  archive_location: string;
  URL?: string;
  [more: string]: unknown;
}

const ITEM = 'item';

/** One item in one style, by the citation processor. */
export function byProcessor(item: CslItem, template: string): string {
  // The processor keeps items by their ids in plain objects, where “constructor” is taken.
  const engine = csl.engine([{ ...item, id: ITEM }], template, 'en-US', 'text');
  try {
    engine.updateItems([ITEM]);
    return (engine.makeBibliography()[1][0] ?? '').trim();
  } catch (error) {
    // One engine serves all records: what broke it must not stay in it.
    engine.registry = new engine.registry.constructor(engine);
    throw error;
  }
}

/**
 * The same, much faster: items that differ in nothing but their words look alike in a style, so the processor is asked once for each kind of
 * item (which fields there are, how many names, which date), with a mark in place of each text. Texts to which a style could do more than put
 * them in place (which end in punctuation or hold quotation marks) go to the processor; a test holds that both ways say the same.
 */
export function byPattern(item: CslItem, template: string): string {
  const texts: string[] = [];
  const mark = (text: string): string => {
    const known = texts.indexOf(text);
    return `Zq${known >= 0 ? known : texts.push(text) - 1}qz`;
  };
  const names = (list: CslItem['author']) => list?.map(({ literal }) => ({ literal: mark(literal) }));
  const kind = JSON.stringify({
    ...item,
    title: mark(item.title),
    author: names(item.author),
    interviewer: names(item.interviewer),
    archive: mark(item.archive),
    archive_collection: item.archive_collection && mark(item.archive_collection),
    archive_location: mark(item.archive_location),
    URL: item.URL && mark(item.URL),
    id: 'kind',
  });
  const own = [item.archive_location, item.URL];
  if (!texts.every((text) => (own.includes(text) ? ADDRESS : PLAIN).test(text))) return byProcessor(item, template);
  const key = `${template} ${kind}`;
  const pattern = patterns.get(key) ?? byProcessor(JSON.parse(kind) as CslItem, template);
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(key, pattern);
  return pattern.replace(/Zq(\d+)qz/g, (_, at: string) => texts[Number(at)] as string);
}

const patterns = new Map<string, string>();
const MOST_PATTERNS = 20_000;
/** Words that every style leaves as they are: they begin and end with a letter or digit, and hold no quotation marks, markup, or signs that stand alone. */
const PLAIN = /^(?!.*\s[\p{P}\p{S}\s])[\p{Lu}\p{Lo}\p{N}](?:[^"'“”‘’«»<>&$_^{}\\]*[\p{L}\p{M}\p{N})])?$/u;
/** The same for ids and addresses, whose first letter is small. */
const ADDRESS = /^[\w:/.-]+$/;

/** Names that a citation has at most. */
const MOST_NAMES = 50;

/** Words of a record on one line, short enough for a citation. */
function wordsOf(text: string | undefined): string {
  return shorten(plainText(text), LONGEST_LABEL);
}

/** The record as CSL-JSON. */
function describe({ record, title, archive, collection, url, accessed }: Cited): CslItem {
  const names = (wanted: (role: string) => boolean) =>
    record.creators
      .filter(({ role }) => wanted((role ?? '').toLowerCase()))
      .slice(0, MOST_NAMES)
      .map(({ namepart }) => ({ literal: wordsOf(namepart) }));
  const interviewers = names((role) => role === 'interviewer');
  const authors = names((role) => role !== 'interviewer');
  const range = parseDateRange(record.creation);
  const literal = wordsOf(record.creation);
  return {
    id: record.id,
    type: typeOf(record),
    title,
    ...(authors.length > 0 ? { author: authors } : {}),
    ...(interviewers.length > 0 ? { interviewer: interviewers } : {}),
    ...(range ? { issued: dateOf(range) } : literal ? { issued: { literal } } : {}),
    ...(record.genre ? { medium: wordsOf(record.genre).replaceAll('_', ' ') } : {}),
    archive,
    ...(collection ? { archive_collection: collection } : {}),
    archive_location: record.id,
    ...(url ? { URL: url.replace(/[{}]/g, encodeURIComponent) } : {}), // braces would end a field of BibTeX
    ...(accessed ? { accessed: { 'date-parts': [partsOf(accessed.slice(0, 10))] } } : {}),
  };
}

function typeOf({ model, genre, format, ia_meta: media }: ArchivalRecord): string {
  if (model === 'collection') return 'collection';
  if (genre === 'interview' || format === 'vh') return 'interview';
  if (media) return 'motion_picture';
  if (format === 'img') return 'graphic';
  return genre === 'map' ? 'map' : 'manuscript';
}

function dateOf({ start, end, approximate }: DateRange): object {
  const parts = start === end ? [partsOf(start)] : [partsOf(start), partsOf(end)];
  return { 'date-parts': parts, ...(approximate ? { circa: true } : {}) };
}

function partsOf(date: string): number[] {
  return date.split('-').map(Number);
}
