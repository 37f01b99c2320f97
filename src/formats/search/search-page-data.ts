/** The data that the site passes to the script of its search page. */
import type { SearchFacet } from '../../model/facets.ts';
import type { PluralForms } from '../plural-forms.ts';

/** Texts that the search page's script shows; see src/site/language/en.json. `#` becomes a number or a filter's name. */
export interface SearchWords {
  /** Headings of the filters. */
  filters: Readonly<Record<SearchFacet, string>>;
  /** Labels of the fields that filter the values of a facet. */
  filterValues: Readonly<Record<SearchFacet, string>>;
  /** Buttons below the values of a facet: `#` becomes the number of all values. */
  showAll: string;
  showFewer: string;
  /** Below them: `#` becomes the number of values that are shown, `##` that of all. */
  firstValues: string;
  /** The number of values that are shown, for screen readers; and instead of values if none matches. */
  shown: string;
  noMatches: string;
  /** If several results are in one entry: `#` becomes the number of results in words. */
  grouped: string;
  /** A name that several people have: `#` becomes the name, `##` the number of the narrator or the ID of the name record. */
  narratorName: string;
  recordName: string;
  /** `#` becomes the code of a language that is in no list. */
  unknownLanguage: string;
  /** `#` becomes years, `##` the number of results. */
  yearBar: PluralForms;
  /** On a phone, the button that closes the filters. */
  showResults: PluralForms;
  /** Of a print-out with only the first results: `#` becomes their number, `##` that of all. */
  part: string;
  results: PluralForms;
  /** Of a name. */
  records: PluralForms;
  none: string;
  /** `#` becomes the words that the reader typed. */
  noneFor: string;
  /** `#` becomes words that no record has; there are results without them. */
  withoutUnknown: string;
  /** `#` becomes words that no record has together with the others; there are results without them. */
  withoutLeftOut: string;
  /** If results have different ones of the words. */
  someWords: string;
  /** `#` becomes a word in these sentences. */
  quoted: string;
  /** `#` becomes a link to the query with words that exist. */
  didYouMean: string;
  /** If similar words were searched: `#` becomes the words of the reader, `##` those that were searched. */
  corrected: string;
  /** Link to a search for the words of the reader. */
  undoCorrection: string;
  /** Before the text of a field in which a word was found: `#` becomes the label of the field. */
  foundIn: string;
  /** Before links to the files of a record in which words were found: `#` becomes their number. */
  inFiles: PluralForms;
  /** The link from the values of a facet to the results. */
  skipToResults: string;
  /** Before links to the segments of an interview: `#` becomes their number. The first, if the words are spoken in all. */
  heardIn: string;
  inSegments: string;
  /** Link to a search for them. */
  allSegments: string;
  /** Before the title of a content warning. */
  contentWarning: string;
  /** If a word was found in text that is only for search. */
  foundInHidden: string;
  remove: string;
  notLoaded: string;
}
