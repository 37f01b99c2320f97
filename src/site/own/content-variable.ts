/** The environment variable with the directory of the own pages, for Astro's content collections: Astro loads their definition by itself. */
export const CONTENT_VARIABLE = 'MICROFICHE_OWN_CONTENT';
