/** `npm run typecheck`: checks the types of all code. Two checks at a time, because each uses one core for most of its time. */
import { execa } from 'execa';
import pMap from 'p-map';

/** The commands. */
export const CHECKS = [
  ['astro', 'check', '--minimumSeverity', 'warning'],
  ['tsc', '--noEmit', '-p', 'tests'],
  ['tsc', '--noEmit', '-p', 'scripts'],
  ['tsc', '--noEmit', '-p', 'src/reader'],
] as const;

if (import.meta.main) {
  const results = await pMap(CHECKS, ([program, ...args]) => run(program, args), { concurrency: 2 });
  for (const { all, failed } of results) {
    if (all) console.log(all);
    if (failed) process.exitCode = 1;
  }
}

function run(program: string, args: readonly string[]) {
  const env = { ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '1' };
  return execa(program, args, { preferLocal: true, reject: false, all: true, env });
}
