/** Installs Debian packages with apt-get: as root, or with sudo. */
import { spawn, spawnSync } from 'node:child_process';
import { findProgram } from '../../src/platform/find-program.ts';

const INSTALL = 'apt-get install --yes --no-install-recommends';
/** Another apt-get, such as the daily one, may be running: seconds to wait for it. */
const LOCK_TIMEOUT = ['-o', 'DPkg::Lock::Timeout=300'];
/** A package must not ask questions. sudo takes no variables from its caller, so they are set after it. */
const WITHOUT_QUESTIONS = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive'];

/** How this user becomes root: by being it (nothing to put before a command), or with sudo. */
export type Root = readonly [] | readonly ['sudo'];

/** How this user becomes root; undefined if there is no way. sudo may ask for a password only at a terminal. */
export function rootAccess(): Root | undefined {
  if (isRoot()) return [];
  if (!findProgram('sudo')) return undefined;
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo'];
  return process.stdin.isTTY && spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0 ? ['sudo'] : undefined;
}

function isRoot(): boolean {
  return spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout?.trim() === '0';
}

/** The command to type in a shell to install the packages. */
export function commandByHand(packages: readonly string[]): string {
  const commands = `apt-get update && ${INSTALL} ${packages.join(' ')}`;
  if (isRoot()) return commands;
  return findProgram('sudo') ? `sudo sh -c '${commands}'` : `su -c '${commands}'`;
}

/** Reads the package lists, then installs the packages; `reinstall` replaces damaged files too. Returns whether the packages were installed. */
export async function install(packages: readonly string[], root: Root, { reinstall }: { reinstall: boolean }): Promise<boolean> {
  const update = await run([...root, ...WITHOUT_QUESTIONS, 'apt-get', 'update', ...LOCK_TIMEOUT]);
  if (update !== 0)
    console.log(
      `apt-get update failed (${ending(update)}): some package lists may be out of date or missing. Installing with the lists that are there.`,
    );
  const options = reinstall ? [...LOCK_TIMEOUT, '--reinstall'] : LOCK_TIMEOUT;
  const installed = await run([...root, ...WITHOUT_QUESTIONS, ...INSTALL.split(' '), ...options, ...packages]);
  if (installed !== 0) console.error(`apt-get install failed (${ending(installed)}). Its messages above say why.`);
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

function ending(code: number | null): string {
  return code === null ? 'ended by a signal' : `exit code ${code}`;
}
