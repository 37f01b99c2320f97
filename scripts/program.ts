/** Runs the command line: `npx --no-install microfiche <command>`. */
import { statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { UsageError, UserError } from '../src/model/errors.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { createProgram } from './commands.ts';
import { setOutput } from './output.ts';
import { reportError } from './report-error.ts';

/** Runs the program with command-line arguments, without the name of the program. Returns its exit code, one of `EXIT_CODES`. */
export async function runProgram(args: readonly string[]): Promise<number> {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  let exitCode: number = EXIT_CODES.success;
  using printing = new DisposableStack();
  const program = createProgram((code) => {
    exitCode = code;
  }, args[0]);
  program.hook('preAction', async (_, command) => {
    const extra = command.registeredArguments.at(-1)?.variadic ? undefined : command.args[command.registeredArguments.length];
    if (extra !== undefined)
      throw new UsageError(`Unexpected "${extra}": see --help. A value with a space needs quotation marks: --budget "20 GB".`);
    await (await import('./options/config.ts')).applyConfig(command);
    assertDirectories(command);
    if (command.name() !== 'completion') printing.use(setOutput(command.opts(), () => exitCode));
  });
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportError(error);
    return error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usageError; // commander has printed the message
  }
}

/**
 * Checks the values of options that name directories.
 * @throws {UserError} if one names a file
 */
function assertDirectories(command: Command): void {
  for (const option of command.options) {
    const path: unknown = command.getOptionValue(option.attributeName());
    if (!option.flags.includes('<dir>') || typeof path !== 'string') continue;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new UserError(`${path} is a file. Choose a directory with ${option.long}.`);
  }
}
