/** The styles and formats of citations between which a reader chooses. The site and its scripts share them. */

/** The styles and formats that citations of records are written in, in the order of pages. */
export const FORMATTED_STYLES = ['Chicago', 'APA', 'MLA', 'Wikipedia', 'BibTeX', 'biblatex', 'RIS', 'CSL-JSON'] as const;
/** All that a reader can choose; `preferred` is the archive's own citation. */
export const CITATION_STYLES = [...FORMATTED_STYLES, 'preferred'] as const;

/** A style or format in which citations are written. */
export type FormattedStyle = (typeof FORMATTED_STYLES)[number];
/** A style or format that a reader can choose. */
export type CitationStyle = (typeof CITATION_STYLES)[number];

/** The formats of which each page has a file for reference managers. */
export const CITATION_FILES = {
  RIS: { extension: 'ris', type: 'application/x-research-info-systems' },
  BibTeX: { extension: 'bib', type: 'application/x-bibtex' },
} as const;
