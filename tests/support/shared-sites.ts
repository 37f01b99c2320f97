/** What test files share: sites of the mirror, each of which is built once, and its derivatives. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { derivativesDirectory } from '../../src/derivatives/cache-directories.ts';
import { runMicroficheJson } from './commands.ts';

/** Returns the site that `build` makes of the mirror with these options. Tests only read it. */
export async function sharedSite(...options: string[]): Promise<string> {
  const { snapshot } = inject('mirror');
  const name = createHash('sha256').update(options.join('\n')).digest('hex').slice(0, 12);
  const site = join(dirname(snapshot), `site-${name}`);
  if (existsSync(site)) return site;
  const draft = `${site}-${process.pid}`;
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', draft, ...options]);
  try {
    renameSync(draft, site);
  } catch (error) {
    if (!existsSync(site)) throw error;
    rmSync(draft, { recursive: true }); // another test file has built it meanwhile
  }
  return site;
}

/** Creates a directory for the caches of builds, with the derivatives of the mirror, which take longest to create. */
export function createCache(directory: string): void {
  cpSync(inject('mirror').derivatives, derivativesDirectory(directory), { recursive: true });
}
