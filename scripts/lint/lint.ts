/**
 * `npm run lint`, after Biome: applies the rules that Biome does not have. `--lower` lowers the maxima to the current counts. `--counts` prints
 * the counts. Paths as arguments print all findings in these files and directories, also those that a maximum allows.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatFinding } from './finding.ts';
import { countFindings, judge, lowerMaxima, readMaxima } from './ratchet.ts';
import { lintRepository } from './rules.ts';
import { levelOf } from './words.ts';

const { values, positionals } = parseArgs({
  options: { lower: { type: 'boolean' }, counts: { type: 'boolean' } },
  allowPositionals: true,
});
const root = process.cwd();
const findings = lintRepository(root);

if (positionals.length > 0) {
  const places = positionals.map((place) => resolve(root, place));
  const below = findings.filter(({ path }) => places.some((place) => `${join(root, path)}/`.startsWith(`${place}/`)));
  for (const finding of below) console.log(formatFinding(finding));
  process.exitCode = below.length > 0 ? 1 : 0;
} else if (values.counts) {
  const totals: Record<string, number> = {};
  for (const [counter, count] of Object.entries(countFindings(findings)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const level = levelOf(counter) ?? (counter.startsWith('size:') ? 'size' : 'doc');
    totals[level] = (totals[level] ?? 0) + count;
    console.log(`${String(count).padStart(5)} ${level.padEnd(5)} ${counter}`);
  }
  for (const [level, total] of Object.entries(totals)) console.log(`${String(total).padStart(5)} ${level.padEnd(5)} in total`);
} else {
  if (values.lower) for (const counter of lowerMaxima(root, findings)) console.log(`Lowered: ${counter}`);
  const { lines, isOk } = judge(findings, readMaxima(root));
  for (const line of lines) console.log(line);
  process.exitCode = isOk ? 0 : 1;
}
