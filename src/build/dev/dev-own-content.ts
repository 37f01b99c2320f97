/** The own pages of a running dev server, which change. */
import { type ReadOwnContent, throwOwnProblems } from '../../settings/read-own-content.ts';
import type { ContentReader } from '../../site/content.ts';
import { NO_CONTENT, openOwn } from '../../site/own/own-content.ts';
import { planPages } from '../../site/plan.ts';
import type { OpenSite } from '../pages/site-source.ts';
import { findEmbedMistakes, findLinkMistakes } from '../steps/check-own-content.ts';

/** Own pages that can be read again. */
export type DevOwn = ReturnType<typeof openDevOwn>;

/**
 * Checks own pages, and plans the pages of the site with them.
 * @throws {UserError} that names each mistake in them
 */
export function openDevOwn(
  own: ReadOwnContent | undefined,
  readOwn: () => Promise<ReadOwnContent | undefined>,
  { sites, entries, content }: Pick<OpenSite, 'sites' | 'entries'> & { content: ContentReader },
) {
  let files = own?.files;
  const planned = () => [...planPages({ sites, entries })];
  const check = (read: ReadOwnContent | undefined) => {
    throwOwnProblems(findEmbedMistakes(read, { entries, sites, content }));
    const paths = planned().map(({ path }) => path);
    throwOwnProblems(findLinkMistakes(read, paths));
  };
  check(own);
  const pages = planned();
  return {
    /** The pages of the site; changed when own pages are read again. */
    pages,
    /** Returns the file of an image on disk by its path in the site. */
    fileAt: (path: string) => files?.get(path),
    /** Reads them again. */
    async readAgain() {
      const read = await readOwn();
      for (const site of sites) Object.assign(site.own, openOwn(read?.content ?? NO_CONTENT)); // pages have these objects
      files = read?.files;
      pages.splice(0, pages.length, ...planned());
      check(read);
    },
  };
}
