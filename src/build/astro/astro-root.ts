/** Creates root directories for Astro outside the program: Astro writes to its root, and a package must not be written to. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Creates a directory from which the program's packages can be imported. Returns the directory of the packages. */
export function createAstroRoot(directory: string): string {
  const require = createRequire(import.meta.url);
  const packages = dirname(dirname(require.resolve('astro/package.json')));
  mkdirSync(directory, { recursive: true });
  const link = join(directory, 'node_modules');
  rmSync(link, { force: true });
  symlinkSync(packages, link, 'junction'); // the kind of link that Windows allows everyone
  return packages;
}
