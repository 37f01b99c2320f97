/** How a record is to be cited: Chicago, APA, BibTeX and RIS by Citation.js, from one description in CSL-JSON. */
import { plugins } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';
import { type DateRange, parseDateRange } from '../../model/dates.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { plainText } from '../../model/text.ts';
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

export const CITATION_STYLES = ['Chicago', 'APA', 'BibTeX', 'RIS'] as const;
export type CitationStyle = (typeof CITATION_STYLES)[number];

const CHICAGO = 'microfiche-chicago';
const csl = plugins.config.get('@csl');
csl.templates.add(CHICAGO, CHICAGO_STYLE);

/** The citations of a record, each as text. Their language is English, whatever the page's: that is what the styles are made for. */
export function citationsOf(cited: Cited): Array<[style: CitationStyle, text: string]> {
  const item = describe(cited);
  const styled = (template: string): string => {
    const engine = csl.engine([item], template, 'en-US', 'text');
    engine.updateItems([item.id]);
    return (engine.makeBibliography()[1][0] ?? '').trim();
  };
  return [
    ['Chicago', styled(CHICAGO)],
    ['APA', styled('apa')],
    ['BibTeX', plugins.output.format('bibtex', [item]).trim()],
    ['RIS', plugins.output.format('ris', [item]).trim()],
  ];
}

/** The record as CSL-JSON. */
function describe({ record, title, archive, collection, url, accessed }: Cited): { id: string } & Record<string, unknown> {
  const names = (wanted: (role: string) => boolean) =>
    record.creators
      .filter(({ role }) => wanted((role ?? '').toLowerCase()))
      .map(({ namepart }) => ({ literal: plainText(namepart) }));
  const interviewers = names((role) => role === 'interviewer');
  const authors = names((role) => role !== 'interviewer');
  const range = parseDateRange(record.creation);
  const literal = plainText(record.creation);
  return {
    id: record.id,
    type: typeOf(record),
    title,
    ...(authors.length > 0 ? { author: authors } : {}),
    ...(interviewers.length > 0 ? { interviewer: interviewers } : {}),
    ...(range ? { issued: dateOf(range) } : literal ? { issued: { literal } } : {}),
    ...(record.genre ? { medium: record.genre.replaceAll('_', ' ') } : {}),
    archive,
    ...(collection ? { archive_collection: collection } : {}),
    archive_location: record.id,
    ...(url ? { URL: url } : {}),
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
