/** The view model of topics as a tree, in which each branch counts the records of all topics below it. */

import { hasSearch } from '../../parts/frame/suggestions.ts';
import { type Branch, createTree } from '../../parts/names/tree.ts';
import type { Site } from '../../site.ts';
import type { TermLine } from './term.ts';

/** A search for more topics would have a URL that is too long. */
const MAX_SEARCHED = 40;

/** Returns topics as a tree. */
export function createTopicTree(lines: TermLine[], site: Site): Branch[] {
  const slugs = new Map(lines.map(({ path, slug }) => [path, slug]));
  return createTree(lines, site.locale.compare).map((branch) => withTotals(branch, slugs, site).branch);
}

/** Returns a branch with its totals, and the slugs of all topics in it. */
function withTotals(
  branch: Branch,
  slugs: ReadonlyMap<string, string>,
  site: Site,
): { branch: Branch; slugs: readonly string[] } {
  const below = branch.branches.map((each) => withTotals(each, slugs, site));
  const own = branch.path === undefined ? undefined : slugs.get(branch.path);
  const all = [...(own === undefined ? [] : [own]), ...below.flatMap((each) => each.slugs)];
  if (below.length === 0) return { branch, slugs: all };
  const count = site.relations.countWithAny('topic', all);
  const total = { count, query: searchFor(all, site) };
  return { branch: { ...branch, branches: below.map((each) => each.branch), total }, slugs: all };
}

/** Returns the query of a search for records with any of some topics; undefined if the site cannot search for them. */
function searchFor(slugs: readonly string[], site: Site): string | undefined {
  if (slugs.length > MAX_SEARCHED || !hasSearch(site)) return undefined;
  const labels = slugs.flatMap((slug) => site.relations.term('topic', slug)?.label ?? []);
  return String(new URLSearchParams(labels.map((label): [string, string] => ['topic', label])));
}
