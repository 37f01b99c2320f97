/** The slim entries of which the catalogue is made: what lists, links and neighbours need of a record, an author, a guide page. */
import type { Model } from '../model/ids.ts';
import type { NamedFile } from '../model/media.ts';
import type { Facet, FacetValue } from './facets.ts';

/** Where the text of an object's page comes from: its record, a line in a list, or no more than others' breadcrumbs. */
export type Origin = 'record' | 'summary' | 'breadcrumbs';

export interface ObjectEntry {
  id: string;
  model: Model;
  /** Plain text, never empty. */
  title: string;
  /** Plain text, some 200 characters. */
  excerpt: string;
  /** From the collection down, without the object itself and without file roles. */
  ancestors: string[];
  /** The file role in its breadcrumbs, such as `mezzanine`, which has no page. */
  fileRoleAbove: string | undefined;
  parent: string | undefined;
  sort: number;
  /** `creation` as it was written. */
  date: string | undefined;
  genre: string | undefined;
  format: string | undefined;
  /** The addresses of its pictures, best first, then of what else has something to be seen in it. */
  images: string[];
  /** Its recordings, texts and originals. */
  media: NamedFile[];
  /** Addresses of its recordings that may be played from their own host only. */
  heldBack: string[];
  /** The length of a recording in seconds. */
  length: number | undefined;
  /** What a file is for: `mezzanine`, `transcript` and so on. */
  role: string | undefined;
  /** Who speaks in an interview: one key a narrator, the same in all of a narrator's interviews. */
  narrators: string[];
  /** Where it is on the map, by the slug of the place; degrees. */
  positions: Array<{ place: string; lat: number; lng: number }>;
  facets: Partial<Record<Facet, FacetValue[]>>;
  /** Ids that the record's fields and texts name: links, where they have a page. */
  mentions: string[];
  origin: Origin;
  /** What tells one state of the body behind the page from another: its SHA-256 and when it was received. */
  version: string;
  /** When the archive was found not to have it any longer: ISO 8601 in UTC. */
  goneAt: string | undefined;
  /** `record_lastmod`, where it is a moment: `YYYY-MM-DDTHH:MM:SS`, without a zone. */
  lastmod: string | undefined;
}

export interface AuthorEntry {
  /** Its identity, as it came. */
  name: string;
  /** The name as pages show it. */
  title: string;
  slug: string;
  titleSort: string;
  modified: string | undefined;
  /** Slugs of guide pages. */
  articles: string[];
  sha256: string;
  /** As in ObjectEntry. */
  goneAt: string | undefined;
}

export interface ArticleEntry {
  name: string;
  /** The address of its page in the living guide. */
  address: string | undefined;
  title: string;
  slug: string;
  titleSort: string;
  excerpt: string;
  /** Slugs of published authors. */
  authors: string[];
  /** How many sources it names, of those that are shown. */
  sourceCount: number;
  /** Ids of archival records that its sources and text lead to. */
  objects: string[];
  sha256: string;
  /** As in ObjectEntry. */
  goneAt: string | undefined;
}

/** What is known but not shown, and why. */
export interface Withheld {
  what: string;
  /** Its own record is private, what it belongs to is, the archive withdrew it, or the entry is not published. */
  reason: 'private' | 'below-private' | 'withdrawn' | 'unpublished';
}
