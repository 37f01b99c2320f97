/** Installs Debian packages with apt-get: as root, or with sudo. */
import { spawn, spawnSync } from 'node:child_process';
import { findProgram } from '../../src/platform/find-program.ts';

const INSTALL = 'apt-get install --yes --no-install-recommends';
/** Waits up to 300 seconds for another apt-get, such as the daily one. */
const LOCK_TIMEOUT = ['-o', 'DPkg::Lock::Timeout=300'];
/** Prevents prompts by packages. sudo does not pass variables on, so they are set after it. */
const WITHOUT_PROMPTS = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive'];

/** What precedes a command that runs as root: nothing if this user is root, otherwise sudo. */
export type Root = readonly [] | readonly ['sudo'];

/** Returns what precedes a command that runs as root; undefined if this user cannot become root. sudo prompts for a password only on a terminal. */
export function rootAccess(): Root | undefined {
  if (isRoot()) return [];
  if (!findProgram('sudo')) return undefined;
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo'];
  return process.stdin.isTTY && spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0 ? ['sudo'] : undefined;
}

function isRoot(): boolean {
  return spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout?.trim() === '0';
}

/** Returns the shell command that installs the packages. */
export function commandByHand(packages: readonly string[]): string {
  const commands = `apt-get update && ${INSTALL} ${packages.join(' ')}`;
  if (isRoot()) return commands;
  return findProgram('sudo') ? `sudo sh -c '${commands}'` : `su -c '${commands}'`;
}

/** Updates the package lists, then installs the packages. `reinstall` also replaces damaged files. Returns whether the packages were installed. */
export async function install(packages: readonly string[], root: Root, { reinstall }: { reinstall: boolean }): Promise<boolean> {
  const update = await run([...root, ...WITHOUT_PROMPTS, 'apt-get', 'update', ...LOCK_TIMEOUT]);
  if (update !== 0)
    console.log(
      `apt-get update failed (${describeExit(update)}): some package lists may be out of date or missing. Installing with the existing lists.`,
    );
  const options = reinstall ? [...LOCK_TIMEOUT, '--reinstall'] : LOCK_TIMEOUT;
  const installed = await run([...root, ...WITHOUT_PROMPTS, ...INSTALL.split(' '), ...options, ...packages]);
  if (installed !== 0) console.error(`apt-get install failed (${describeExit(installed)}). See its messages above.`);
  return installed === 0;
}

/** Runs a command and shows its output. Returns its exit code, or null if a signal ended it. */
function run([program = '', ...args]: readonly string[]): Promise<number | null> {
  console.log(`> ${[program, ...args].join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

function describeExit(code: number | null): string {
  return code === null ? 'ended by a signal' : `exit code ${code}`;
}
