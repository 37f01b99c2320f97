/** The directory of own pages. */

/** The directory of own pages in the working directory, if settings name no other one. */
export const CONTENT_DIRECTORY = 'content';

/** The environment variable with the directory of own pages: Astro loads the definition of content collections by itself. */
export const CONTENT_VARIABLE = 'MICROFICHE_OWN_CONTENT';
