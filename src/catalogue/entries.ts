/** The entries of the catalogue: the data of a record, author or guide page that lists, links and relations need. */
import type { Position } from '../model/coordinates.ts';
import type { DayOrder } from '../model/dates/day-order.ts';
import type { Facet } from '../model/facets.ts';
import type { Model } from '../model/ids.ts';
import type { NamedFile } from '../model/media/media.ts';
import type { ArchivalRecord } from '../model/records.ts';
import type { FacetValue } from './lists/facets.ts';

/** Where the text of a record's page comes from: the record, its list entry, or only breadcrumbs of other records. */
export type Origin = 'record' | 'summary' | 'breadcrumbs';

/** One record in the catalogue. */
export interface ObjectEntry {
  id: string;
  model: Model;
  /** As plain text, never empty. */
  title: string;
  /** The title in other languages, by BCP 47 tag. */
  titles?: Readonly<Record<string, string>>;
  /** Beginning of the description, as plain text of about 200 characters. */
  excerpt: string;
  /** IDs from the collection down, without the record itself and without file roles. */
  ancestors: string[];
  /** The file role in its breadcrumbs, such as `mezzanine`. It has no page. */
  fileRoleAbove: string | undefined;
  /** ID of the parent. */
  parent: string | undefined;
  /** Position among siblings. */
  sort: number;
  /** The date of creation, or the inclusive dates of a finding aid, as written. */
  date: string | undefined;
  /** What the record states as its date, if no rule can read it, or if it is a day that could be two. */
  unreadDate: string | undefined;
  /** As in `ArchivalRecord`. */
  statedDayOrder?: ArchivalRecord['statedDayOrder'];
  /** The archive's order of days, if the record was read with it. */
  dayOrder?: DayOrder;
  genre: string | undefined;
  format: string | undefined;
  /** URLs of its images, the best first, then of the media files from which an image can be made. */
  mediaUrls: string[];
  /** Its recordings, transcripts and originals. */
  media: NamedFile[];
  streamOnlyUrls: string[];
  durationSeconds: number | undefined;
  /** What a segment is about, as plain text, for lists in which its title would only be a number. */
  subject: string | undefined;
  /** File role, such as `mezzanine` or `transcript`. */
  role: string | undefined;
  /** Narrators of an interview: one key per narrator, the same in all of a narrator's interviews. */
  narrators: string[];
  /** Positions on the map, each with the slug of its place; latitude and longitude in degrees. */
  positions: Array<{ place: string; lat: number; lng: number }>;
  /** Places whose position is stated but cannot be used, with the words of the position. */
  unusablePositions: Array<{ place: string; position: string }>;
  /** Facet values, each once. */
  facets: Partial<Record<Facet, FacetValue[]>>;
  /** IDs that the record's fields and texts mention. Not all of them have a page. */
  mentions: string[];
  /** The targets of the links in the record's texts, as they give them. */
  linkTargets: string[];
  /** How the archive wants the record, and what is below it, to be cited: plain text. */
  preferredCitation: string | undefined;
  /** URL of its page in the live archive, if that is not on the host of the records API. */
  liveUrl: string | undefined;
  origin: Origin;
  /** Identifies the body behind the page: its SHA-256 and the time of its response. */
  bodyVersion: string;
  /** When the record was found to be removed upstream: ISO 8601 in UTC. */
  removedAt: string | undefined;
  /** `record_lastmod` in ISO 8601, with a time zone only if upstream states one (src/model/timestamps.ts). */
  lastmod: string | undefined;
}

/** Fields that only the record's own page needs. */
const DETAIL_FIELDS = [
  'excerpt',
  'unreadDate',
  'statedDayOrder',
  'narrators',
  'positions',
  'unusablePositions',
  'mentions',
  'linkTargets',
  'liveUrl',
  'bodyVersion',
  'lastmod',
] as const;
type DetailField = (typeof DETAIL_FIELDS)[number];

/** What pages of other records show of a record: in lists, breadcrumbs and links. Of its facets, it has only the languages. */
export type ListedEntry = Omit<ObjectEntry, DetailField | 'facets'> & { facets: Pick<ObjectEntry['facets'], 'language'> };

/** Returns what the pages of other records show of a record. */
export function listedEntry(entry: ObjectEntry): ListedEntry {
  const { facets, ...rest } = entry;
  const { language } = facets;
  const details: ReadonlySet<string> = new Set(DETAIL_FIELDS);
  const listed = Object.fromEntries(Object.entries(rest).filter(([field]) => !details.has(field)));
  return { ...(listed as Omit<ListedEntry, 'facets'>), facets: language === undefined ? {} : { language } };
}

/** Returns the fields that only the record's own page needs, without facets. */
export function detailFields(entry: ObjectEntry): Pick<ObjectEntry, DetailField> {
  return Object.fromEntries(DETAIL_FIELDS.map((field) => [field, entry[field]])) as unknown as Pick<ObjectEntry, DetailField>;
}

/** What entries of authors and of guide pages have in common. */
interface GuideEntry {
  /** The name that identifies it, as received. */
  name: string;
  /** For display. */
  title: string;
  slug: string;
  liveUrl: string | undefined;
  titleSort: string;
  /** SHA-256 of the body; empty for an author of whom there is only a list entry. */
  sha256: string;
  /** As in `ObjectEntry`. */
  removedAt: string | undefined;
}

/** One author in the catalogue. */
export interface AuthorEntry extends GuideEntry {
  modified: string | undefined;
  /** Slugs of the author's guide pages. */
  articles: string[];
}

/** One guide page in the catalogue. */
export interface ArticleEntry extends GuideEntry {
  /** Beginning of the description or text, as plain text of about 200 characters. */
  excerpt: string;
  /** Slugs of its published authors. */
  authors: string[];
  /** Number of sources that it names and that are shown. */
  sourceCount: number;
  /** IDs of the records that its sources and text link to. */
  objects: string[];
  /** URLs of images of its sources, each with the IDs of the records that the source names. */
  images: Array<{ url: string; objects: string[] }>;
  /** The position that it describes. */
  position: Position | undefined;
}

/** The authors and guide pages that are shown. */
export interface Guide {
  readonly authors: readonly AuthorEntry[];
  readonly articles: readonly ArticleEntry[];
}

/** Something in the snapshot that the site does not show, and the reason. */
export interface Withheld {
  /** ID of a record, or `an author`. */
  what: string;
  /** It is private, or below a private record, or withdrawn, or an unpublished author. */
  reason: 'private' | 'below-private' | 'withdrawn' | 'unpublished';
}
