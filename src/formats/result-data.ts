/** The data of one result: what the result list shows of a search document, and where the words of a query may be in it. */
import type { LocalText } from '../model/text/local-text.ts';

/** A field of a record or guide page in which words are searched. */
export type SearchedField = readonly [
  /** As in the record; the search page has its label. */
  name: string,
  /** Its value for display: for genres, formats and languages the code, of which the search page has the label. */
  text: string,
  /** Further words with which it is found: the years of a date, the label of a code. */
  also?: string,
];

/** The name of the field with a creator begins with this, and ends in the creator’s role. */
export const CREATOR_WITH_ROLE = 'creators:';

/** A text of a result. */
export type ResultText = 'title' | 'description' | 'body' | 'spoken';

/** Between texts that a document has as one, such as captions and a transcript. */
export const SEAM = ' … ';

/** What the citation of a record says that its fields do not. */
export interface CitedFacts {
  /** The reference type of RIS, such as `ART`. */
  type: string;
  /** Those responsible for it, as filed: “Fairtide, Hugo”. `isWhole`: a name without family name, such as an organization's. */
  authors: ReadonlyArray<{ name: string; isWhole?: boolean }>;
  /** The year of its date, if that has one. */
  year?: number;
  /** The day on which it was harvested: `YYYY-MM-DD`. */
  accessed?: string;
}

/** The data of one result. All texts are untrusted. */
export interface ResultData {
  title: string;
  /** The title in other languages, by BCP 47 tag. */
  titles?: Readonly<Record<string, string>>;
  /** A code, of which the search page has the label. */
  kind: string;
  /** As `encodeShownDate` encodes it: in no language, if it can be written in any. */
  date?: string;
  /** For a segment or file, the title of the record that it belongs to. */
  parent?: string;
  /** The title of its collection. */
  collection?: string;
  /** Path of an image in the site. */
  image: string;
  /** All of it, for an excerpt. */
  description: string;
  /** The text of a guide page, for an excerpt. */
  body?: string;
  /** Transcripts, for an excerpt in quotation marks. */
  spoken?: string;
  /**
   * When its captions begin: `AT:SECONDS`, divided by spaces, in the order of `AT`, the index in `spoken`. A transcript without
   * captions has an entry without seconds where it begins.
   */
  moments?: string;
  fields: readonly SearchedField[];
  /** For a record that is cited. */
  cited?: CitedFacts;
  /** Titles of content warnings: results show no excerpt of what they cover. */
  warnings?: readonly LocalText[];
  /** Cultural-protocol labels, with the path of their image in the site. */
  labels?: ReadonlyArray<{ title: LocalText; image: string | undefined }>;
  /** The languages of the texts that are not in the archive’s main language: BCP 47 tags. */
  langs?: Readonly<Partial<Record<ResultText, string>>>;
}
