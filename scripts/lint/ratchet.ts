/**
 * Compares the number of findings with the maxima in maxima.json, so that it can fall but not rise. The rules thus apply to new text
 * while old text is being rewritten. A rule without a maximum allows no findings.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, formatFinding } from './finding.ts';

/** By counter, such as `word:British` or `docstring`. */
export type Counts = Readonly<Record<string, number>>;

/** What to print, and whether the rules are followed. */
export interface Verdict {
  lines: string[];
  isOk: boolean;
}

const MAXIMA = 'scripts/lint/maxima.json';
const MAX_PRINTED = 50;

/** Reads the maxima of the repository at `root`; none if it has no such file. */
export function readMaxima(root: string): Counts {
  const file = join(root, MAXIMA);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Counts) : {};
}

/** Lowers the maxima to the current counts. Raises none. Returns the counters that were lowered. */
export function lowerMaxima(root: string, findings: readonly Finding[]): string[] {
  const maxima = readMaxima(root);
  const counts = countFindings(findings);
  const lowered = Object.keys(maxima).filter((counter) => (counts[counter] ?? 0) < (maxima[counter] ?? 0));
  const next = Object.entries(maxima)
    .map(([counter, max]) => [counter, Math.min(max, counts[counter] ?? 0)] as const)
    .filter(([, max]) => max > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(root, MAXIMA), `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
  return lowered;
}

/** Compares findings with the maxima. */
export function judge(findings: readonly Finding[], maxima: Counts): Verdict {
  const counts = countFindings(findings);
  const lines = findings.filter(({ counter }) => counter === undefined).map(formatFinding);
  for (const [counter, count] of Object.entries(counts)) {
    const max = maxima[counter] ?? 0;
    if (count <= max) continue;
    const found = findings.filter((finding) => finding.counter === counter);
    lines.push(...found.slice(0, MAX_PRINTED).map(formatFinding));
    if (found.length > MAX_PRINTED) lines.push(`… and ${found.length - MAX_PRINTED} more`);
    if (max > 0) lines.push(`${counter}: ${count} findings, more than the maximum of ${max} in ${MAXIMA}. Correct the new ones.`);
  }
  const isOk = lines.length === 0;
  const lowerable = Object.keys(maxima).filter((counter) => (counts[counter] ?? 0) < (maxima[counter] ?? 0));
  if (isOk && lowerable.length > 0)
    lines.push(`Fewer findings than the maxima in ${MAXIMA} (${lowerable.join(', ')}): run "node scripts/lint/lint.ts --lower".`);
  return { lines, isOk };
}

/** Counts findings by counter. Findings without a counter are not counted: they are never allowed. */
export function countFindings(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { counter } of findings) if (counter !== undefined) counts[counter] = (counts[counter] ?? 0) + 1;
  return counts;
}
