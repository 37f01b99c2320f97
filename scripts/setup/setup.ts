/** `npm run setup`: finds and installs missing programs that tests need. Exits with 0 if all work, else 1; 2 on a usage error. */
import { type ExecFileException, execFile, spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { findProgram } from '../../src/platform/find-program.ts';
import { fileOf, neededPrograms, type Program } from './programs.ts';

const INSTALL = 'apt-get install --yes --no-install-recommends';
/** Waits up to 300 seconds for another apt-get, such as the daily one. */
const LOCK_TIMEOUT = ['-o', 'DPkg::Lock::Timeout=300'];
/** Prevents prompts by packages. sudo does not pass variables on, so they are set after it. */
const WITHOUT_PROMPTS = ['/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive'];

/** What precedes a command that runs as root: nothing if this user is root, otherwise sudo. */
type Root = readonly [] | readonly ['sudo'];

/** Returns the prefix of a command to run as root; undefined if that is impossible. sudo prompts only on a terminal. */
function rootAccess(): Root | undefined {
  if (isRoot()) return [];
  if (!findProgram('sudo')) return undefined;
  if (spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0) return ['sudo'];
  return process.stdin.isTTY && spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0 ? ['sudo'] : undefined;
}

const isRoot = (): boolean => spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout?.trim() === '0';

/** Returns the shell command that installs the packages. */
function commandByHand(packages: readonly string[]): string {
  const commands = `apt-get update && ${INSTALL} ${packages.join(' ')}`;
  if (isRoot()) return commands;
  return findProgram('sudo') ? `sudo sh -c '${commands}'` : `su -c '${commands}'`;
}

/** Updates the package lists and installs packages. `reinstall` also replaces damaged files. Returns whether it succeeded. */
function install(packages: readonly string[], root: Root, { reinstall }: { reinstall: boolean }): boolean {
  const update = run([...root, ...WITHOUT_PROMPTS, 'apt-get', 'update', ...LOCK_TIMEOUT]);
  if (update !== 0)
    console.log(
      `apt-get update failed (${describeExit(update)}): some package lists may be out of date or missing. Installing with the existing lists.`,
    );
  const options = reinstall ? [...LOCK_TIMEOUT, '--reinstall'] : LOCK_TIMEOUT;
  const installed = run([...root, ...WITHOUT_PROMPTS, ...INSTALL.split(' '), ...options, ...packages]);
  if (installed !== 0) console.error(`apt-get install failed (${describeExit(installed)}). See its messages above.`);
  return installed === 0;
}

/** Runs a command and shows its output. Returns its exit code, or null if a signal ended it. */
function run([program = '', ...args]: readonly string[]): number | null {
  console.log(`> ${[program, ...args].join(' ')}`);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw error;
  return status;
}

const describeExit = (code: number | null): string => (code === null ? 'ended by a signal' : `exit code ${code}`);

type Flags = Partial<Record<'bench' | 'dryRun', boolean>>;

const WHAT_NEXT = 'Correct the cause, then run "npm run setup" again.';
const ANOTHER_BROWSER = 'To use a browser that is installed under another name, set CHROMIUM or FIREFOX to its file.';

/** Installs what is missing. Returns the exit code. */
async function setUp({ bench = false, dryRun = false }: Flags): Promise<number> {
  const users = bench ? 'The tests and the benchmarks' : 'The tests';
  const needed = neededPrograms({ benchmarks: bench });
  const unusable = await unusablePrograms(needed);
  if (unusable.length === 0) {
    console.log(`${users} need ${needed.length} programs in addition to Node.js, and all of them are installed.`);
    return 0;
  }
  console.log(`${users} need programs that are not installed or cannot run:\n${formatUnusable(unusable)}`);
  const misnamed = new Set(unusable.filter(({ isMisnamed }) => isMisnamed).map(({ program }) => program.variable));
  if (misnamed.size > 0) return reportFailure(`Correct or unset ${[...misnamed].join(' and ')}. Then run "npm run setup" again.`);
  if (!findProgram('apt-get'))
    return reportFailure(
      'They can be installed automatically only with apt-get, which this system does not have.',
      'Install them with its own package manager. Then run "npm run setup" again.',
      ANOTHER_BROWSER,
    );
  return installMissing(unusable, dryRun);
}

async function installMissing(unusable: readonly Unusable[], dryRun: boolean): Promise<number> {
  const packages = [...new Set(unusable.map(({ program }) => program.package ?? program.name))].sort();
  console.log(`Debian packages to install: ${packages.join(', ')}`);
  if (dryRun) {
    console.log(`Nothing was installed (--dry-run). To install them yourself:\n  ${commandByHand(packages)}`);
    return 0;
  }
  const root = rootAccess();
  if (!root)
    return reportFailure(
      `Only root can install packages. Run this command, then "npm run setup" again:\n  ${commandByHand(packages)}`,
    );
  const reinstall = unusable.some(({ isBroken }) => isBroken);
  if (!install(packages, root, { reinstall })) return reportFailure(WHAT_NEXT, ANOTHER_BROWSER);
  const still = await unusablePrograms(unusable.map(({ program }) => program));
  if (still.length > 0)
    return reportFailure(
      `The packages are installed, but programs are still unusable:\n${formatUnusable(still)}`,
      WHAT_NEXT,
      ANOTHER_BROWSER,
    );
  console.log('All programs that were missing are installed.');
  return 0;
}

function formatUnusable(unusable: readonly Unusable[]): string {
  return unusable.map(({ program, problem }) => `  ${program.name} ${problem}. Needed for: ${program.purpose}.`).join('\n');
}

/** Prints an error and what to do about it. Returns the exit code. */
function reportFailure(...sentences: readonly string[]): number {
  console.error(sentences.join('\n'));
  return 1;
}

/** A program that cannot be used. */
interface Unusable {
  program: Program;
  /** The clause that follows the program’s name in a message. */
  problem: string;
  /** Whether its package may be damaged and has to be installed again. */
  isBroken: boolean;
  /** Whether its environment variable names the wrong file. Installing a package does not correct that. */
  isMisnamed: boolean;
}

/** Maximum time for a program to print its version. */
const TIMEOUT_MS = 60_000;

/** Starts each program once, in parallel, and returns those that cannot be used, in the given order. */
async function unusablePrograms(programs: readonly Program[]): Promise<Unusable[]> {
  return (await Promise.all(programs.map(inspect))).filter((one) => one !== undefined);
}

async function inspect(program: Program): Promise<Unusable | undefined> {
  const named = program.variable === undefined ? undefined : process.env[program.variable];
  const isMisnamed = Boolean(named);
  const file = fileOf(program);
  if (file === undefined) {
    const problem = named ? `cannot run: ${program.variable} names ${named}, which is not a program` : 'is not installed';
    return { program, problem, isBroken: false, isMisnamed };
  }
  const failure = program.check && (await failureOf(file, program.check));
  if (failure === undefined) return undefined;
  const which = named ? `${program.variable} names ${file}` : `it is ${file}`;
  return { program, problem: `cannot run: ${which}, which fails (${failure})`, isBroken: true, isMisnamed };
}

/** Returns why a program does not run, in one line; undefined if it runs. */
function failureOf(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: TIMEOUT_MS }, (error, _, stderr) => resolve(error ? reason(error, stderr) : undefined));
  });
}

function reason({ code, killed, signal }: ExecFileException, stderr: string): string {
  if (killed) return `it did not end within ${TIMEOUT_MS / 1000} seconds`;
  // A wrapper script may print other messages first.
  const last = stderr.trim().split('\n').at(-1);
  if (last) return last;
  return signal ? `ended by ${signal}` : `exit code ${code}`;
}

const flags = new Command('npm run setup --')
  .description('Finds the programs that the tests need, and installs the missing ones with apt-get.')
  .option('--bench', 'include the programs that only the benchmarks need')
  .option('--dry-run', 'print the missing programs and how to install them, and install nothing')
  .helpOption('--help', 'display this text')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Flags>();
process.exitCode = await setUp(flags);
