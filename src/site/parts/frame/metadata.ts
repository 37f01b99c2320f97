/** Machine-readable metadata of a page: schema.org as JSON-LD, Dublin Core, and the URL of the live page. */
import type { ArticleEntry, ObjectEntry } from '../../../catalogue/entries.ts';
import type { PersonEntry } from '../../../catalogue/people/person-entries.ts';
import { articlePath } from '../../../catalogue/urls.ts';
import { type DatePeriod, datesCovered, datesOfCreation, dcmiPeriod, dublinCoreOf } from '../../../model/dublin-core.ts';
import { safeExternalUrl } from '../../../model/external-url.ts';
import { isUnnamed } from '../../../model/names/name-kinds.ts';
import { describeAgent } from '../../../model/people/agents.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { readTimestamp, toW3cdtf } from '../../../model/timestamps.ts';
import type { PersonAuthors } from '../../content.ts';
import type { Site } from '../../site.ts';
import { createAddresses, createObjectJsonLd, describeAs } from './json-ld.ts';

/** The metadata of one page. */
export interface Metadata {
  jsonLd: Record<string, unknown>;
  /** Dublin Core, `DC.title` and so on: dates in W3CDTF, periods in DCMI Period, types of the DCMI Type Vocabulary. */
  dublinCore: DublinCoreLine[];
  /** URL of the page in the live archive. */
  liveUrl: string | undefined;
  /** Open Graph's type of the page. */
  type: 'article' | 'profile' | 'website';
}

/** Characters of one text. */
const MAX_LENGTH = 500;

/** Returns the metadata of a record's page. */
export function createObjectMetadata(record: ArchivalRecord, entry: ObjectEntry, site: Site): Metadata {
  const liveUrl = safeExternalUrl(record.links['html'] ?? '');
  const collection = entry.ancestors.map((id) => site.relations.object(id)).find((above) => above?.model === 'collection');
  const created = datesOfCreation(record);
  const covered = datesCovered(record);
  const collectionTitle = collection && collection.id !== entry.id ? collection.title : undefined;
  const elements = dublinCoreLines(dublinCoreOf(record, { title: entry.title, liveUrl, collectionTitle, maxLength: MAX_LENGTH }));
  // A single date is a period too, of the same start and end.
  const periods = covered.periods.length > 0 ? covered.periods : covered.dates.map((date) => ({ start: date, end: date }));
  const dublinCore = [...elements, ...periodLines('created', created.periods), ...periodLines('temporal', periods)];
  return { jsonLd: createObjectJsonLd(record, entry, liveUrl, site), dublinCore, liveUrl, type: 'article' };
}

/** Returns the metadata of a person's page. Of several authors who are this person, the first one's live page counts. */
export function createPersonMetadata(
  { label }: PersonEntry,
  authors: PersonAuthors,
  { title, description, path }: Record<'title' | 'description' | 'path', string>,
  site: Site,
): Metadata {
  const [author] = authors;
  const liveUrl = safeExternalUrl(author?.content.author?.liveUrl ?? '');
  const { '@type': type, name: _, ...parts } = describeAgent(label);
  return {
    jsonLd: describeAs(type, {
      ...createAddresses(path, liveUrl, site, author?.entry.removedAt !== undefined),
      name: label,
      ...parts,
      description,
    }),
    dublinCore: dublinCoreLines({
      title: [title],
      identifier: [liveUrl],
      type: ['Text'],
      date: [dayOf(author?.entry.modified)],
      source: [author ? site.baseUrls.authors : site.baseUrls.catalog],
    }),
    liveUrl,
    type: 'profile',
  };
}

/** Returns the metadata of a guide page. */
export function createArticleMetadata(
  entry: ArticleEntry,
  authors: string[],
  topics: string[],
  modified: string | undefined,
  site: Site,
): Metadata {
  const liveUrl = safeExternalUrl(entry.liveUrl ?? '');
  const named = authors.filter((name) => !isUnnamed(name));
  const page = describeAs('Article', {
    ...createAddresses(articlePath(entry.slug), liveUrl, site, entry.removedAt !== undefined),
    headline: entry.title,
    description: entry.excerpt,
    author: named.map((name) => describeAgent(name)),
    about: topics.map((name) => ({ '@type': 'DefinedTerm', name })),
    dateModified: readTimestamp(modified),
  });
  const dublinCore = dublinCoreLines({
    title: [entry.title],
    identifier: [liveUrl],
    creator: named,
    subject: topics,
    description: [entry.excerpt],
    date: [dayOf(modified)],
    type: ['Text'],
  });
  return { jsonLd: page, dublinCore, liveUrl, type: 'article' };
}

function dayOf(time: string | undefined): string | undefined {
  const timestamp = readTimestamp(time);
  return timestamp && toW3cdtf(timestamp);
}

/** A line in the head of a page: `DC.title`, its content, and the scheme in which it is encoded, if it is not plain. */
type DublinCoreLine = [name: string, content: string, scheme?: string];

/** Returns elements as `DC.title` and so on, each different value once. Empty values are left out. */
function dublinCoreLines(elements: Record<string, Array<string | undefined>>): DublinCoreLine[] {
  return Object.entries(elements).flatMap(([name, values]) =>
    [...new Set(values)].flatMap((value): DublinCoreLine[] => (value ? [[`DC.${name}`, value]] : [])),
  );
}

/** Returns periods as lines of a term, such as `DCTERMS.created`. */
function periodLines(term: 'created' | 'temporal', periods: readonly DatePeriod[]): DublinCoreLine[] {
  return periods.map((period) => [`DCTERMS.${term}`, dcmiPeriod(period), 'DCTERMS.Period']);
}
