/** The features of Astro's Markdown processor that own pages use, beside its usual ones. */
export const MARKDOWN_FEATURES = { directive: true };
