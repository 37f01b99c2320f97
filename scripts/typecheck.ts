/** `npm run typecheck`: checks all types: with the compiler in JavaScript for `astro check`, with the native one for the rest. */
import { execa } from 'execa';
import pMap from 'p-map';

const [ASTRO, TSC] = ['node_modules/astro/bin/astro.mjs', 'node_modules/typescript-native/bin/tsc'];

/** The commands: modules that Node runs, with their arguments. */
export const CHECKS = [
  [ASTRO, 'check', '--minimumSeverity', 'warning', '--tsconfig', 'src/pages/tsconfig.json'],
  [TSC, '--noEmit', '-p', 'tests'],
  [TSC, '--noEmit', '-p', 'scripts'],
  [TSC, '--noEmit', '-p', 'src/reader'],
] as const;

if (import.meta.main) {
  const options = { reject: false, all: true, env: { ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '1' } } as const;
  const results = await pMap(CHECKS, (check) => execa(process.execPath, check, options), { concurrency: 2 });
  for (const { all, failed } of results) {
    if (all) console.log(all);
    if (failed) process.exitCode = 1;
  }
}
