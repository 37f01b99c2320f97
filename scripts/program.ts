/** The command line: `npx --no-install microfiche <command>`. The exit codes are in src/model/exit-codes.ts. */
import '../src/derivatives/thread-pool.ts';
import { statSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { UserError } from '../src/model/errors.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { VERSION } from '../src/model/version.ts';
import { applyConfig } from './config.ts';
import { hasConfig } from './config-file.ts';
import { HELP_OPTION } from './options.ts';
import { reportError } from './report-error.ts';

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
// A program that reads the output, such as head, may stop reading.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });

const program = new Command('microfiche')
  .description("Turns an archive's JSON API into an offline copy: a static, searchable website.")
  .version(VERSION, '-V, --version', 'Print the version')
  .helpOption(...HELP_OPTION)
  .helpCommand('help [command]', 'Display help for a command')
  .addHelpText('after', '\nThe exit codes of all commands are in docs/reports.md.')
  .showHelpAfterError('(use --help to list the options)');

/** Commands in the order of the help. Some load many modules, so a run loads only the command that it executes, if possible. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init.ts')).initCommand(),
  update: async () => (await import('./update.ts')).updateCommand(),
  harvest: async () => (await import('./harvest.ts')).harvestCommand(),
  media: async () => (await import('./media.ts')).mediaCommand(),
  build: async () => (await import('./build.ts')).buildCommand(),
  merge: async () => (await import('./merge.ts')).mergeCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  purge: async () => (await import('./purge.ts')).purgeCommand(),
  usb: async () => (await import('./usb.ts')).usbCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  mirror: async () => (await import('./mirror.ts')).mirrorCommand(),
};

const [commandName = ''] = process.argv.slice(2);
// All commands are needed to check settings, which may belong to any of them.
const canLoadOne = Object.hasOwn(COMMANDS, commandName) && !hasConfig();
const loaders = canLoadOne ? [COMMANDS[commandName]] : Object.values(COMMANDS);
for (const command of await Promise.all(loaders.map((load) => (load as () => Promise<Command>)()))) {
  const checkRequired = deferRequired(command);
  program.addCommand(
    command.hook('preAction', async (_, action) => {
      await applyConfig(action);
      checkRequired();
      assertDirectories(action);
    }),
  );
}
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

/** Makes the required options of a command optional for commander, since settings may give them. Returns a function that checks them later. */
function deferRequired(command: Command): () => void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  return () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing)
      command.error(
        `error: ${missing.long} is required, on the command line or as "${missing.attributeName()}" in microfiche.config.json`,
        {
          exitCode: 2,
        },
      );
  };
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
