/** How much of what others wrote is read and shown: no single record may make a build slow, or every page large. The snapshot keeps all of it. */

/** Characters of one field that are read: ten times the longest texts of real archives. The page of the record shows them all. */
export const LONGEST_TEXT = 1_000_000;
/** Members of one list of a record that are read, such as its topics or persons. */
export const MOST_MEMBERS = 5_000;
/** Bytes, and so characters, of one transcript or other text file that are read: some thirty hours of speech with its times. */
export const LONGEST_FILE_TEXT = 4_000_000;
/** Elements inside one another; deeper markup is shown as text without its tags. The time to parse grows with this. */
export const DEEPEST_MARKUP = 500;
/** Characters of an address that a page links to; browsers take hardly more. */
export const LONGEST_ADDRESS = 8_000;

/** Characters of a title wherever it stands beside its own record: in lists, breadcrumbs, page titles. */
export const LONGEST_TITLE = 200;
/** Characters of the archive’s own title, which stands on every page. */
export const LONGEST_SITE_TITLE = 120;
/** Characters of a topic, name or code in lists, filters and on its own page. */
export const LONGEST_LABEL = 200;
/** Characters of a date or another short fact on a card. */
export const LONGEST_FACT = 80;
/** Levels of a term whose hierarchy is written into it (“Work -- Fishing”); what is below stays with the last one. */
export const MOST_LEVELS = 12;
/** Characters of a search query: each word takes time, and a link may carry thousands. */
export const LONGEST_QUERY = 200;
