/** `npm create microfiche`, as on Windows. tests/full/package.test.ts has it as on this system. */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { createTestDirectory, ROOT } from '../support/commands.ts';

/** Loaded before the program, which then takes this system for Windows, as Node itself does when it starts a shell. */
const ON_WINDOWS = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' });`;

it.skipIf(process.platform === 'win32')('starts npm.cmd by cmd.exe, and names what to do if npm fails', async () => {
  const directory = createTestDirectory();
  const [bin, calls] = [join(directory, 'bin'), join(directory, 'calls.txt')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'cmd.exe'), `#!/bin/sh\nprintf '%s\\n' "$@" "$PWD" > '${calls}'\nexit 9\n`);
  chmodSync(join(bin, 'cmd.exe'), 0o755);
  const args = ['--import', ON_WINDOWS, join(ROOT, 'scripts/create/index.mjs'), 'my-archive', '--', '--yes'];
  const { exitCode, stderr } = await execa(process.execPath, args, {
    cwd: directory,
    env: {
      PATH: [bin, dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter),
      npm_execpath: undefined,
      comspec: undefined,
    },
    extendEnv: true,
    reject: false,
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('npm could not install microfiche-archive')]);
  expect(readFileSync(calls, 'utf8').split('\n').slice(0, -1)).toEqual([
    '/d',
    '/s',
    '/c',
    '"npm.cmd install --no-audit --no-fund"',
    join(realpathSync(directory), 'my-archive'),
  ]);
  expect(existsSync(join(directory, 'my-archive/package.json'))).toBe(true);
});
