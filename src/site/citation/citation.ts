/** Formats citations of records and other pages: in the styles of readers, and in the formats of reference managers. */
import type { FormattedStyle } from '../../formats/citation-styles.ts';
import { commas, sentences } from '../../model/text/citation-prose.ts';
import { isolate, isolateNames } from '../../model/text/isolate.ts';
import { formatApa } from './apa.ts';
import { formatBiblatex, formatBibtex } from './bibtex.ts';
import { formatChicago } from './chicago.ts';
import { formatCslJson } from './csl-json.ts';
import { type CitationInput, type CitedItem, type CitedPage, createCitedItem, createCitedPage } from './item.ts';
import { formatMla } from './mla.ts';
import { formatRis } from './ris.ts';
import { formatWikipedia } from './wikipedia.ts';
import { ENGLISH, type Wording } from './wording.ts';

export type { CitationInput } from './item.ts';

/** How an item is written in a style or format. */
type Format = (item: CitedItem, wording: Wording) => string;

/** Each style or format, in the order of pages. */
const FORMATS: ReadonlyArray<readonly [FormattedStyle, Format]> = [
  ['Chicago', isolated(formatChicago)],
  ['APA', isolated(formatApa)],
  ['MLA', isolated(formatMla)],
  ['Wikipedia', formatWikipedia],
  ['BibTeX', formatBibtex],
  ['biblatex', formatBiblatex],
  ['RIS', formatRis],
  ['CSL-JSON', formatCslJson],
];

/** Returns a style in whose sentences the words of the archive that are written from right to left are isolated. */
function isolated(format: Format): Format {
  return (item, wording) => {
    const { title, archive, collection } = item;
    // A style adds no period to one at the end of a title.
    const words = {
      title: title.replace(/^.*[^.,!?]/s, isolate),
      archive: isolate(archive),
      collection: collection && isolate(collection),
    };
    return isolateNames(format({ ...item, ...words }, wording));
  };
}

/** The citations of a record. */
export type Citations = ReturnType<typeof createCitations>;

/**
 * Returns the citations of a record as text: the styles in a language, and the formats of reference managers in English. A date
 * that cannot be written otherwise is in the archive's own words. Never throws: a citation that fails is replaced by a plain one.
 * Tests give formats that fail.
 */
export function createCitations(cited: CitationInput, wording = ENGLISH, formats = FORMATS) {
  const { record, title, archive, collection, url } = cited;
  /** Styles that could not be formatted, and why; their text is a plain citation. */
  const problems: Array<{ style: FormattedStyle; error: unknown }> = [];
  let item: CitedItem | undefined;
  const texts = formats.map(([style, format]): [style: FormattedStyle, text: string] => {
    try {
      item ??= createCitedItem(cited);
      return [style, format(item, wording)];
    } catch (error) {
      problems.push({ style, error });
      // What a reader needs to find the item.
      return [style, sentences([title, commas(record.id, collection, archive), url])];
    }
  });
  return { texts, problems };
}

/** Returns the citations of a page of the archive that is not about one record. */
export function createPageCitations(page: CitedPage, wording = ENGLISH): Citations['texts'] {
  const item = createCitedPage(page);
  return FORMATS.map(([style, format]) => [style, format(item, wording)]);
}
