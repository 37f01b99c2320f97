/** Checks own pages against the archive before anything is rendered: records, queries, and links to pages of the site. */

import { toPrintable } from '../platform/text-lines.ts';
import type { ContentReader } from '../site/content.ts';
import { createEmbedView } from '../site/own/embed-views.ts';
import { resolveOwnLink } from '../site/own/own-links.ts';
import { type OwnProblem, type OwnText, type ReadOwnContent, throwOwnProblems } from './read-own-content.ts';
import type { OpenSite } from './site-source.ts';

/** What own pages are checked against. */
interface CheckedSite extends Pick<OpenSite, 'entries' | 'sites'> {
  content: Pick<ContentReader, 'land'>;
}

/**
 * Checks the records and queries of own pages. Does nothing without own pages.
 * @throws {UserError} that names each mistake, with its file and line
 */
export function checkEmbeds(own: ReadOwnContent | undefined, { entries, sites, content }: CheckedSite): void {
  const [site] = sites;
  if (!own || !site) return;
  const { images } = own.content;
  const [anyImage] = Object.values(images);
  const problemsOf = ({ file, image, embeds }: OwnText): OwnProblem[] => {
    const isLacking = image !== undefined && !site.relations.has(image);
    const ofEmbeds = embeds.flatMap(({ line, embed }) => {
      if (embed.kind === 'image-file') return []; // it was read
      const view = createEmbedView(embed, { site, entries, land: content.land, imageAt: () => anyImage });
      return 'problem' in view ? [{ file, line, problem: view.problem }] : [];
    });
    return isLacking ? [{ file, line: 1, problem: `"image": the record "${image}" is not in this site` }, ...ofEmbeds] : ofEmbeds;
  };
  throwOwnProblems(own.texts.flatMap(problemsOf));
}

/**
 * Checks that relative links of own pages are to pages of the site. `paths` are those of its main language. Does nothing without own pages.
 * @throws {UserError} that names each mistake, with its file and line
 */
export function checkOwnLinks(own: ReadOwnContent | undefined, paths: Iterable<string>): void {
  if (!own) return;
  const known = new Set(paths);
  throwOwnProblems(
    own.texts.flatMap(({ file, kind, links }) =>
      links.flatMap(({ line, href }): OwnProblem[] => {
        if (/^(?:https?:|mailto:|#)/i.test(href)) return [];
        const target = resolveOwnLink(href, kind);
        const shown = toPrintable(href, 200);
        if (target && known.has(target.path)) return [];
        const problem = target
          ? `the link "${shown}" is to ${toPrintable(target.path, 200)}, which is not a page of this site`
          : `the link "${shown}" must be relative, as in ../objects/demo-org-1-2.html, or begin with https://`;
        return [{ file, line, problem }];
      }),
    ),
  );
}
