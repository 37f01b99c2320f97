/** Checks own pages against the archive before anything is rendered: records, queries, and links to pages of the site. */
import type { PageProblems } from '../../catalogue/page-problems.ts';
import { ownPath } from '../../catalogue/urls.ts';
import { toPrintable } from '../../platform/text-lines.ts';
import { type OwnProblem, type ReadOwnContent, throwOwnProblems } from '../../settings/read-own-content.ts';
import type { ContentReader } from '../../site/content.ts';
import { resolveOwnLink } from '../../site/own/own-links.ts';
import { createEmbedView } from '../../site/parts/embeds/embed-views.ts';
import type { OpenSite } from '../pages/site-source.ts';
import type { BuildOptions } from './build-options.ts';

/** A mistake, and the path of the page that lacks what it names. */
export type PageMistake = OwnProblem & { page: string };

/** Returns the records and queries of own pages that are not in the site, or cannot be shown as a text has it. */
export function findEmbedMistakes(
  own: ReadOwnContent | undefined,
  { entries, sites, content }: Pick<OpenSite, 'entries' | 'sites'> & { content: Pick<ContentReader, 'land'> },
): PageMistake[] {
  if (!own) return [];
  const [site] = sites;
  const [anyImage] = Object.values(own.content.images);
  const mistakesOf = ({ file, kind, slug, frontMatter: { image }, embeds }: ReadOwnContent['texts'][number]): PageMistake[] => {
    const page = ownPath(kind, slug);
    const isLacking = image !== undefined && !site.relations.has(image);
    const ofEmbeds = embeds.flatMap(({ line, embed }) => {
      if (embed.kind === 'image-file') return []; // it was read
      const view = createEmbedView(embed, { site, entries, land: content.land, imageAt: () => anyImage });
      return 'problem' in view ? [{ page, file, line, problem: view.problem }] : [];
    });
    const ofImage = { page, file, line: 1, problem: `"image": the record "${image}" is not in this site` };
    return isLacking ? [ofImage, ...ofEmbeds] : ofEmbeds;
  };
  return own.texts.flatMap(mistakesOf);
}

/** Returns the relative links of own pages that are to no page of the site. `paths` are those of its main language. */
export function findLinkMistakes(own: ReadOwnContent | undefined, paths: Iterable<string>): PageMistake[] {
  if (!own) return [];
  const known = new Set(paths);
  return own.texts.flatMap(({ file, kind, slug, links }) =>
    links.flatMap(({ line, href }): PageMistake[] => {
      if (/^(?:https?:|mailto:|#)/i.test(href)) return [];
      const target = resolveOwnLink(href, kind);
      const shown = toPrintable(href, 200);
      if (target && known.has(target.path)) return [];
      const problem = target
        ? `the link "${shown}" is to ${toPrintable(target.path, 200)}, which is not a page of this site`
        : `the link "${shown}" must be relative, as in ../objects/demo-org-1-2.html, or begin with https://`;
      return [{ page: ownPath(kind, slug), file, line, problem }];
    }),
  );
}

/**
 * Reports mistakes in own pages: as defects of their pages if the build leaves out what is not in the site.
 * @throws {UserError} otherwise, that names each of them with its file and line. Does nothing without mistakes
 */
export function reportOwnMistakes(
  mistakes: readonly PageMistake[],
  { leavesOut }: Pick<BuildOptions, 'leavesOut'>,
  pageProblems: Pick<PageProblems, 'addDefect'>,
): void {
  if (!leavesOut) throwOwnProblems(mistakes);
  for (const { page, file, line, problem } of mistakes)
    pageProblems.addDefect(page, `${file}, line ${line}: ${problem}; it is left out`);
}
