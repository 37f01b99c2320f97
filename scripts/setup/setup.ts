/** `npm run setup`: finds the programs that the tests need and that are missing, and installs them. Exits with 0 if all can be used, 1 if not, 2 on a usage error. */
import { parseArgs } from 'node:util';
import { findProgram } from '../../src/platform/find-program.ts';
import { commandByHand, install, rootAccess } from './apt.ts';
import { type Unusable, unusablePrograms } from './inspect.ts';
import { neededPrograms } from './programs.ts';

const USAGE = `Usage: npm run setup -- [options]

Finds the programs that the tests need, and installs the missing ones with apt-get.

Options:
  --bench    include the programs that only the benchmarks need
  --dry-run  print the missing programs and how to install them, and install nothing
  --help     display this text`;

interface Flags {
  bench: boolean;
  dryRun: boolean;
}

const WHAT_NEXT = 'Correct the cause, then run "npm run setup" again.';
const ANOTHER_BROWSER = 'To use a browser that is installed under another name, set CHROMIUM or FIREFOX to its file.';

/** Installs what is missing. Returns the exit code. */
async function setUp({ bench, dryRun }: Flags): Promise<number> {
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
  const packages = [...new Set(unusable.map(({ program }) => program.package))].sort();
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
  if (!(await install(packages, root, { reinstall }))) return reportFailure(WHAT_NEXT, ANOTHER_BROWSER);
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

/** Returns the options on the command line; undefined after a usage error, which it prints. */
function parseFlags(): (Flags & { help: boolean }) | undefined {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({ options: { bench: flag, 'dry-run': flag, help: flag } });
    return { bench: values.bench, dryRun: values['dry-run'], help: values.help };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

const flags = parseFlags();
if (flags?.help) console.log(USAGE);
else process.exitCode = flags ? await setUp(flags) : 2;
