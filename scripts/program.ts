/** The command line: `npx --no-install microfiche <command>`. The exit codes are in src/model/exit-codes.ts. */
import '../src/derivatives/thread-pool.ts';
import { statSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { UserError } from '../src/model/errors.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { createProgram } from './commands.ts';
import { applyConfig } from './config.ts';
import { reportError } from './report-error.ts';

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
// A program that reads the output, such as head, may stop reading.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });

const program = createProgram().hook('preAction', async (_, command) => {
  await applyConfig(command);
  assertDirectories(command);
});
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usageError; // commander has printed the message
  } else {
    process.exitCode = reportError(error);
  }
}

/**
 * Checks the values of options that name directories.
 *
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
