/** `npm run setup` finds missing programs, and installs them or says how. Here, apt-get and sudo only log their calls. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { neededPrograms, programFile } from '../../scripts/setup/programs.ts';
import { createTestDirectory, ROOT } from '../support/commands.ts';

/** A machine whose programs are scripts in one directory. */
interface Machine {
  directory: string;
  /** The calls of apt-get, in order. Each begins with the variable that prevents prompts by packages. */
  calls(): string[];
}

const WORKS = 'exit 0';

function writeScript(directory: string, name: string, script: string): void {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Creates a machine with the programs that tests need, and apt-get, which runs the script `install` to install packages. */
function createMachine({ user = 'root', install = '' }: { user?: 'root' | 'operator'; install?: string } = {}): Machine {
  const directory = createTestDirectory();
  const log = join(directory, 'calls.txt');
  for (const { name } of neededPrograms({ benchmarks: false })) writeScript(directory, name, WORKS);
  writeScript(directory, 'id', `echo ${user === 'root' ? 0 : 1000}`);
  writeScript(
    directory,
    'apt-get',
    `echo "$DEBIAN_FRONTEND: $*" >> ${log}\ncd ${directory}\nif [ "$1" = install ]; then :; ${install}\nfi`,
  );
  return { directory, calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) };
}

/** Returns a script for `install`, which adds a program that works. */
const addProgram = (name: string) => `printf '#!/bin/sh\\n' > ${name}; /bin/chmod +x ${name}`;

function setUp({ directory }: Machine, args: string[] = [], env: Record<string, string> = {}) {
  const ran = spawnSync(process.execPath, [join(ROOT, 'scripts/setup/setup.ts'), ...args], {
    encoding: 'utf8',
    env: { PATH: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

const UPDATE = 'noninteractive: update -o DPkg::Lock::Timeout=300';
const INSTALL = 'noninteractive: install --yes --no-install-recommends -o DPkg::Lock::Timeout=300';

it('prints one line if nothing is missing', () => {
  const one = createMachine({ user: 'operator' });
  const { code, stdout, stderr } = setUp(one);
  expect([code, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(/^The tests need \d+ programs .* all of them are installed\.\n$/),
    '',
  ]);
  expect(one.calls()).toEqual([]);
});

it('as root, lists the missing programs and their purposes, then installs them', () => {
  const one = createMachine({ install: [addProgram('chromium'), addProgram('mcopy')].join('; ') });
  for (const name of ['chromium', 'mcopy']) rmSync(join(one.directory, name));
  const { code, stdout, stderr } = setUp(one);
  expect([code, stderr]).toEqual([0, '']);
  expect(one.calls()).toEqual([UPDATE, `${INSTALL} chromium mtools`]);
  expect(stdout).toContain('  chromium is not installed. Needed for: tests that open pages in a browser.\n');
  expect(stdout).toContain('  mcopy is not installed. Needed for: tests with a FAT32 file system.\n');
  expect(stdout).toMatch(/Debian packages to install: chromium, mtools\n.*All programs that were missing are installed\.\n$/s);
  expect(setUp(one)).toMatchObject({ code: 0, stdout: expect.stringContaining('all of them are installed') });
});

it('installs with sudo if sudo does not prompt', () => {
  const one = createMachine({ user: 'operator', install: addProgram('ffmpeg') });
  rmSync(join(one.directory, 'ffmpeg'));
  const log = join(one.directory, 'sudo.txt');
  writeScript(one.directory, 'sudo', `echo "$*" >> ${log}\n[ "$1" = -n ] && shift\nPATH=$PATH:/bin\nexec "$@"`);
  expect(setUp(one).code).toBe(0);
  expect(one.calls()).toEqual([UPDATE, `${INSTALL} ffmpeg`]);
  const [probe, ...commands] = readFileSync(log, 'utf8').trim().split('\n');
  expect(probe).toBe('-n true');
  expect(commands.every((line) => line.startsWith('/usr/bin/env DEBIAN_FRONTEND=noninteractive apt-get '))).toBe(true);
});

it.each([
  ['without sudo', '', /^ {2}su -c 'apt-get update && apt-get install --yes --no-install-recommends dosfstools poppler-utils'$/m],
  [
    'if sudo would prompt, without a terminal',
    'exit 1',
    /^ {2}sudo sh -c 'apt-get update && apt-get install --yes --no-install-recommends dosfstools poppler-utils'$/m,
  ],
])('prints the one command to run, %s', (_, sudo, command) => {
  const one = createMachine({ user: 'operator' });
  if (sudo) writeScript(one.directory, 'sudo', sudo);
  for (const name of ['pdftoppm', 'pdftotext', 'fsck.vfat']) writeScript(one.directory, name, 'exit 127');
  const { code, stdout, stderr } = setUp(one);
  expect([code, stderr]).toEqual([1, expect.stringMatching(command)]);
  expect(stderr).toContain('Only root can install packages. Run this command, then "npm run setup" again:');
  expect(stdout).toContain('Debian packages to install: dosfstools, poppler-utils\n');
  expect(one.calls()).toEqual([]);
});

it('lists the programs and their purposes on a system without apt-get', () => {
  const one = createMachine();
  for (const name of ['apt-get', 'ffmpeg', 'firefox-esr']) rmSync(join(one.directory, name));
  const { code, stdout, stderr } = setUp(one);
  expect(code).toBe(1);
  expect(stdout).toBe(
    'The tests need programs that are not installed or cannot run:\n' +
      '  firefox-esr is not installed. Needed for: tests that open pages in a browser.\n' +
      '  ffmpeg is not installed. Needed for: posters of videos, waveforms of recordings.\n',
  );
  expect(stderr).toMatch(
    /only with apt-get, which this system does not have\.\n.*its own package manager.*\n.*set CHROMIUM or FIREFOX/,
  );
});

it('reinstalls a program that exists but cannot run', () => {
  const one = createMachine({ install: addProgram('chromium') });
  writeScript(
    one.directory,
    'chromium',
    'echo "a warning" >&2; echo "error while loading shared libraries: libnss3.so" >&2; exit 127',
  );
  const { code, stdout } = setUp(one);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(
      `chromium cannot run: it is ${join(one.directory, 'chromium')}, which fails (error while loading shared libraries: libnss3.so).`,
    ),
  ]);
  expect(one.calls()).toEqual([UPDATE, `${INSTALL} --reinstall chromium`]);
});

it('fails if a program still cannot run after its package is installed', () => {
  const one = createMachine();
  writeScript(one.directory, 'ffmpeg', 'kill -SEGV $$');
  const { code, stderr } = setUp(one);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/are still unusable:\n {2}ffmpeg cannot run: .* \(ended by SIGSEGV\)\./),
  ]);
  expect(one.calls()).toHaveLength(2);
});

it('installs with the old package lists if apt-get update fails', () => {
  const one = createMachine({ install: addProgram('ffmpeg') });
  rmSync(join(one.directory, 'ffmpeg'));
  const apt = readFileSync(join(one.directory, 'apt-get'), 'utf8');
  writeScript(one.directory, 'apt-get', `${apt}\n[ "$1" = install ] || exit 100`);
  const { code, stdout } = setUp(one);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('apt-get update failed (exit code 100): some package lists may be'),
  ]);
  expect(one.calls()).toEqual([UPDATE, `${INSTALL} ffmpeg`]);
});

it('fails with advice if apt-get cannot install', () => {
  const one = createMachine({ install: 'echo "E: Unable to locate package ffmpeg" >&2; exit 100' });
  rmSync(join(one.directory, 'ffmpeg'));
  const { code, stderr } = setUp(one);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^E: Unable to locate package ffmpeg\napt-get install failed \(exit code 100\)\. .*\n.*run "npm run setup" again\./,
  );
});

it('uses the browser that a variable names, and installs nothing if it cannot run', () => {
  const one = createMachine();
  rmSync(join(one.directory, 'chromium'));
  writeScript(one.directory, 'chrome', WORKS);
  expect(setUp(one, [], { CHROMIUM: join(one.directory, 'chrome') }).code).toBe(0);
  writeScript(one.directory, 'chrome', 'exit 1');
  for (const named of ['chrome', 'no-such-file']) {
    const { code, stdout, stderr } = setUp(one, [], { CHROMIUM: join(one.directory, named) });
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`chromium cannot run: CHROMIUM names ${join(one.directory, named)}, which `),
    ]);
    expect(stderr).toBe('Correct or unset CHROMIUM. Then run "npm run setup" again.\n');
  }
  expect(one.calls()).toEqual([]);
});

it('with --dry-run, prints what it would install, and installs nothing', () => {
  const one = createMachine();
  rmSync(join(one.directory, 'mcopy'));
  const { code, stdout } = setUp(one, ['--dry-run', '--bench']);
  expect([code, one.calls()]).toEqual([0, []]);
  expect(stdout).toMatch(
    /^The tests and the benchmarks need .*\n.*Debian packages to install: hugo, jekyll, libvips-tools, mtools\nNothing was .*\n {2}apt-get update && /s,
  );
});

it('rejects an unknown option with exit code 2', () => {
  expect(setUp(createMachine(), ['--yes'])).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--yes'") });
});

it('names a program that a test needs and that is not installed, and the command that installs it', () => {
  vi.stubEnv('PATH', createTestDirectory());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => programFile('mcopy')).toThrow('mcopy is not installed. Run "npm run setup"');
});
