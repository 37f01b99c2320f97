/** Formats citations of a record: in the styles of Chicago, APA and MLA, and in the formats of reference managers. */
import { formatApa } from './apa.ts';
import { formatBiblatex, formatBibtex } from './bibtex.ts';
import { formatChicago } from './chicago.ts';
import { formatCslJson } from './csl-json.ts';
import { type CitationInput, type CitedItem, createCitedItem } from './item.ts';
import { formatMla } from './mla.ts';
import { commas, sentences } from './prose.ts';
import { formatRis } from './ris.ts';
import { ENGLISH, type Wording } from './wording.ts';

export type { CitationInput } from './item.ts';

/** Each style or format, in the order of pages. */
const FORMATS = [
  ['Chicago', formatChicago],
  ['APA', formatApa],
  ['MLA', formatMla],
  ['BibTeX', formatBibtex],
  ['biblatex', formatBiblatex],
  ['RIS', formatRis],
  ['CSL-JSON', formatCslJson],
] as const;

/** A style or format of citations. */
export type CitationStyle = (typeof FORMATS)[number][0];

/** The citations of a record. */
export interface Citations {
  texts: Array<[style: CitationStyle, text: string]>;
  /** Styles that could not be formatted, and why; their text is a plain citation. */
  problems: Array<{ style: CitationStyle; error: unknown }>;
}

/**
 * Returns the citations of a record as text: the styles in a language, and the formats of reference managers in English. A date that cannot be written
 * otherwise is in the archive's own words. Never throws: a citation that fails is replaced by a plain one.
 */
export function createCitations(cited: CitationInput, wording = ENGLISH): Citations {
  return formatAll(cited, FORMATS, wording);
}

/** As `createCitations`, with the given formats, so that tests can use one that fails. */
export function formatAll(
  cited: CitationInput,
  formats: ReadonlyArray<readonly [CitationStyle, (item: CitedItem, wording: Wording) => string]>,
  wording = ENGLISH,
): Citations {
  const problems: Citations['problems'] = [];
  let item: CitedItem | undefined;
  const texts = formats.map(([style, format]): [CitationStyle, string] => {
    try {
      item ??= createCitedItem(cited);
      return [style, format(item, wording)];
    } catch (error) {
      problems.push({ style, error });
      return [style, plainCitation(cited)];
    }
  });
  return { texts, problems };
}

/** Title, ID, collection, archive and URL: what a reader needs to find the item. */
function plainCitation({ record, title, archive, collection, url }: CitationInput): string {
  return sentences([title, commas(record.id, collection, archive), url]);
}
