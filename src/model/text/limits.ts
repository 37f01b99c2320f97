/** Limits for untrusted content: no single record makes a build slow or every page large. The snapshot stores all of it. */

/** Maximum characters that are read of one field: ten times the longest text of a real archive. */
export const MAX_TEXT_LENGTH = 1_000_000;
/** Maximum elements that are read of one list in a record, such as its topics or persons. */
export const MAX_LIST_MEMBERS = 5_000;
/** Maximum bytes, and so also characters, read of a transcript or other text file: about thirty hours of speech with times. */
export const MAX_FILE_TEXT_LENGTH = 4_000_000;
/** Maximum nesting depth of HTML. Deeper markup is shown as text without tags. Parsing time grows with the depth. */
export const MAX_MARKUP_DEPTH = 500;
/** Maximum characters of a URL that a page links to. Browsers accept only slightly longer ones. */
export const MAX_URL_LENGTH = 8_000;

/** Maximum characters of a title outside its own record: in lists, breadcrumbs and page titles. */
export const MAX_TITLE_LENGTH = 200;
/** Maximum characters of the archive’s title, which appears on every page. */
export const MAX_SITE_TITLE_LENGTH = 120;
/** Maximum characters of a topic, name or code in lists, in filters and on its own page. */
export const MAX_LABEL_LENGTH = 200;
/** Maximum characters of a date or another short fact on a card. */
export const MAX_FACT_LENGTH = 80;
/** Maximum levels of a term that contains its hierarchy (“Work -- Fishing”). Deeper levels are joined to the last one. */
export const MAX_TERM_LEVELS = 12;
/** Maximum characters of a query. Each word takes time, and a link may contain thousands. */
export const MAX_QUERY_LENGTH = 200;

/**
 * Bytes of a text or body that is read from a snapshot. Larger ones become NULL before they are read, as a string of JavaScript
 * could not have them. `octet_length` is taken from the header of the row.
 */
export const MAX_VALUE_BYTES = 256 * 1024 * 1024;
