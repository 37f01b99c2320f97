/** Finds programs that are missing or cannot run. */
import { type ExecFileException, execFile } from 'node:child_process';
import { fileOf, type Program } from './programs.ts';

/** A program that cannot be used. */
export interface Unusable {
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
export async function unusablePrograms(programs: readonly Program[]): Promise<Unusable[]> {
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
