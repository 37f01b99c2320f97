import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests write many small files and sync them, which takes half the time in memory. All tests together need up to 3 GB.
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 8e9;
const freeBytes = () => {
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory());
};
if (process.env['TMPDIR'] === undefined && existsSync(MEMORY) && freeBytes() > NEEDED_BYTES) process.env['TMPDIR'] = MEMORY;

// Commands store state for their operator. Tests have a state directory of their own.
const state = mkdtempSync(join(tmpdir(), 'microfiche-state-'));
process.env['XDG_STATE_HOME'] = state;
process.on('exit', () => rmSync(state, { recursive: true, force: true }));

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the project of the tests in a directory, which all read the mirror. */
const project = (name: string, isolate = false) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.ts`], globalSetup: ['tests/support/global-setup.ts'], isolate },
});

export default defineConfig({
  root,
  test: {
    // A test ends when what it waits for has come. These only end what hangs, also on a machine with much else to do.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 100_000 } },
    // Tests wait for browsers and for each other's servers, so that two cores have time for a third, but not for a fourth.
    maxWorkers: 3,
    // Node loads the program, as it does for users, so that the commands, Astro's bundle and the tests share each module.
    server: { deps: { external: [/\/(?:src|scripts)\/(?!.*\.test\.ts$).*\.ts$/] } },
    projects: [
      // A unit test needs no program beside Node.js: it finds no other one.
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], isolate: false, env: { PATH: '' } } },
      project('core'),
      project('browser'),
      project('full', true), // these kill processes, fill disks and change the program's environment
    ],
  },
});
