/**
 * The part of `npm run lint` that Biome has no rules for. `--lower` lowers the maxima to the counts of today. Paths list every finding below
 * them, also those that a maximum allows.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatFinding } from './finding.ts';
import { judge, lowerMaxima, readMaxima } from './ratchet.ts';
import { lintRepository } from './rules.ts';

const { values, positionals } = parseArgs({ options: { lower: { type: 'boolean' } }, allowPositionals: true });
const root = process.cwd();
const findings = lintRepository(root);

if (positionals.length > 0) {
  const places = positionals.map((place) => resolve(root, place));
  const below = findings.filter(({ path }) => places.some((place) => `${join(root, path)}/`.startsWith(`${place}/`)));
  for (const finding of below) console.log(formatFinding(finding));
  process.exitCode = below.length > 0 ? 1 : 0;
} else {
  if (values.lower) for (const counter of lowerMaxima(root, findings)) console.log(`Lowered: ${counter}`);
  const { lines, isOk } = judge(findings, readMaxima(root));
  for (const line of lines) console.log(line);
  process.exitCode = isOk ? 0 : 1;
}
