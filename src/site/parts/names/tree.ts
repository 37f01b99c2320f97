/** The view model of trees: terms that contain their hierarchy (“Work › Fishing”). */
import { STEP, stepsOfTerm } from '../../../model/term-steps.ts';
import { MAX_TERM_LEVELS } from '../../../model/text/limits.ts';
import type { Locale } from '../../language/locale.ts';
import type { NameLine } from './name-lists.ts';

/** One node of a tree. */
export interface Branch {
  /** The last level of the term. */
  label: string;
  /** The page of the term; undefined if the level is not a term itself. */
  path: string | undefined;
  /** The number of records. */
  count: number;
  branches: Branch[];
  /** All levels below the branch: the number of records, and the query to search for them. Undefined without such levels. */
  total?: { count: number; query: string | undefined };
}

/** Returns terms as a tree, sorted by label on each level. */
export function createTree(lines: NameLine[], locale: Pick<Locale, 'compare' | 'withoutArticle'>): Branch[] {
  const top: Branch[] = [];
  for (const { label, path, count } of lines) {
    let level = top;
    let branch: Branch | undefined;
    for (const name of splitLevels(label)) {
      branch = level.find((candidate) => candidate.label === name);
      if (!branch) {
        branch = { label: name, path: undefined, count: 0, branches: [] };
        level.push(branch);
      }
      level = branch.branches;
    }
    if (!branch) continue;
    // Two terms may have the same label. The second one is added at the top.
    if (branch.path === undefined) Object.assign(branch, { path, count: count ?? 0 });
    else top.push({ label, path, count: count ?? 0, branches: [] });
  }
  return sortBranches(top, locale);
}

/** Returns the levels of a term, outermost first; levels beyond `MAX_TERM_LEVELS` stay joined. */
function splitLevels(label: string): string[] {
  const parts = stepsOfTerm(label).split(STEP);
  return parts.length <= MAX_TERM_LEVELS
    ? parts
    : [...parts.slice(0, MAX_TERM_LEVELS - 1), parts.slice(MAX_TERM_LEVELS - 1).join(STEP)];
}

function sortBranches(branches: Branch[], locale: Parameters<typeof createTree>[1]): Branch[] {
  return branches
    .map((branch) => ({ ...branch, branches: sortBranches(branch.branches, locale) }))
    .sort((a, b) => locale.compare(locale.withoutArticle(a.label), locale.withoutArticle(b.label)));
}
