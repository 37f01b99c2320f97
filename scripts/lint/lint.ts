/** `npm run lint`, after Biome: applies the rules that Biome does not have. */
import { formatFinding } from './finding.ts';
import { lintRepository } from './rules.ts';

const findings = lintRepository(process.cwd());
for (const finding of findings) console.log(formatFinding(finding));
process.exitCode = findings.length > 0 ? 1 : 0;
