/** Terms whose hierarchy is written into them (“Work -- Fishing”), as a tree; and years under their decades, as a timeline. */
import { MOST_LEVELS } from '../../model/limits.ts';
import type { NameLine } from './names.ts';

export interface Branch {
  /** The last part of the term. */
  label: string;
  /** The page of the term; undefined where it only stands above others. */
  path: string | undefined;
  count: number;
  branches: Branch[];
}

const SEPARATOR = ' -- ';

/** The tree of the terms, each branch in the order of its labels. */
export function treeOf(lines: NameLine[], compare: (a: string, b: string) => number): Branch[] {
  const top: Branch[] = [];
  for (const { label, path, count } of lines) {
    let level = top;
    let branch: Branch | undefined;
    for (const part of levelsOf(label)) {
      branch = level.find((one) => one.label === part);
      if (!branch) {
        branch = { label: part, path: undefined, count: 0, branches: [] };
        level.push(branch);
      }
      level = branch.branches;
    }
    if (!branch) continue;
    // Two terms may read alike and be two all the same: the second one stands beside the first.
    if (branch.path === undefined) Object.assign(branch, { path, count: count ?? 0 });
    else top.push({ label, path, count: count ?? 0, branches: [] });
  }
  return sorted(top, compare);
}

/** The levels of a term, outermost first; those that would stand too deep stay together. */
function levelsOf(label: string): string[] {
  const parts = label.split(SEPARATOR);
  return parts.length <= MOST_LEVELS ? parts : [...parts.slice(0, MOST_LEVELS - 1), parts.slice(MOST_LEVELS - 1).join(SEPARATOR)];
}

function sorted(branches: Branch[], compare: (a: string, b: string) => number): Branch[] {
  return branches
    .map((branch) => ({ ...branch, branches: sorted(branch.branches, compare) }))
    .sort((a, b) => compare(a.label, b.label));
}

export interface Decade {
  line: NameLine;
  years: NameLine[];
}

/** Decades with their years, oldest first, and what has neither. `sort` of a line is its slug: `1940s`, `1943`. */
export function timelineOf(lines: NameLine[]): { decades: Decade[]; others: NameLine[] } {
  const decades = lines.filter(({ sort }) => /^\d+s$/.test(sort)).map((line): Decade => ({ line, years: [] }));
  const others: NameLine[] = [];
  for (const line of lines) {
    if (/^\d+s$/.test(line.sort)) continue;
    const decade = decades.find((one) => one.line.sort === `${line.sort.slice(0, -1)}0s`);
    if (decade) decade.years.push(line);
    else others.push(line);
  }
  return { decades, others };
}
