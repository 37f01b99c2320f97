/** The lock file, by which `npm ci` installs the same packages on every platform, from any registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/commands.ts';

interface LockedPackage {
  integrity?: string;
  resolved?: string;
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/** All but the root, by path. */
const locked = Object.entries(packages).filter(([path]) => path !== '');

describe('the lock file (to repair an entry, delete it, then run "npm run lock")', () => {
  it('has a checksum of each package that is downloaded', () => {
    expect(locked.length).toBeGreaterThan(500);
    // A bundled package is part of another one, whose checksum covers it.
    const unchecked = locked.filter(([, one]) => !one.inBundle && !/^sha512-[\w+/]{86}==$/.test(one.integrity ?? ''));
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('has the packages for other platforms', () => {
    const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${owner}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});
