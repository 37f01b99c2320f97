/** View models of trees and timelines: terms that contain their hierarchy (“Work › Fishing”) as a tree, years grouped by decade. */
import { MAX_TERM_LEVELS } from '../../model/limits.ts';
import { STEP, stepsOfTerm } from '../../model/term-steps.ts';
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
}

/** Returns terms as a tree, sorted by label on each level. */
export function createTree(lines: NameLine[], compare: (a: string, b: string) => number): Branch[] {
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
  return sortBranches(top, compare);
}

/** Returns the levels of a term, outermost first; levels beyond `MAX_TERM_LEVELS` stay joined. */
function splitLevels(label: string): string[] {
  const parts = stepsOfTerm(label).split(STEP);
  return parts.length <= MAX_TERM_LEVELS
    ? parts
    : [...parts.slice(0, MAX_TERM_LEVELS - 1), parts.slice(MAX_TERM_LEVELS - 1).join(STEP)];
}

function sortBranches(branches: Branch[], compare: (a: string, b: string) => number): Branch[] {
  return branches
    .map((branch) => ({ ...branch, branches: sortBranches(branch.branches, compare) }))
    .sort((a, b) => compare(a.label, b.label));
}

/** A decade and its years. */
export interface Decade {
  /** The decade itself. */
  line: NameLine;
  years: NameLine[];
}

/** Groups years by decade, oldest first; `others` are values without a decade. The `sort` of a value is its slug: `1940s`, `1943`. */
export function createTimeline(lines: NameLine[]): { decades: Decade[]; others: NameLine[] } {
  const decades = lines.filter(({ sort }) => /^\d+s$/.test(sort)).map((line): Decade => ({ line, years: [] }));
  const others: NameLine[] = [];
  for (const line of lines) {
    if (/^\d+s$/.test(line.sort)) continue;
    const decade = decades.find((candidate) => candidate.line.sort === `${line.sort.slice(0, -1)}0s`);
    if (decade) decade.years.push(line);
    else others.push(line);
  }
  return { decades, others };
}
