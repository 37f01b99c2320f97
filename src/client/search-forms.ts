/** What the search page is told by the site around it. */
import type { SearchFacet } from './facet-table.ts';

/** The forms in which a site has its search index: Pagefind's own files, and packs for browsers that fetch nothing on file://. */
export interface SearchForms {
  index: boolean;
  packs: boolean;
}

/** The words that the search page's script says. `#` stands for a number, or for what was chosen. */
export interface SearchWords {
  /** The names of the filters. */
  filters: Readonly<Record<SearchFacet, string>>;
  one: string;
  many: string;
  none: string;
  /** `#` stands for the words that the reader typed. */
  noneFor: string;
  remove: string;
  notLoaded: string;
  cannotLoad: string;
}
