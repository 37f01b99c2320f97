/** The command line: `npx microfiche <command>`. Exits 0 on success, 1 on failure, 2 on wrong use. */
import '../src/media/derivatives/threads.ts';
import { Command, CommanderError } from 'commander';
import { explain, isExpected, UsageError } from '../src/model/errors.ts';
import { VERSION } from '../src/model/version.ts';

import { buildCommand } from './build.ts';
import { checkFolders, deferRequired } from './checks.ts';
import { applyConfig } from './config.ts';
import { harvestCommand } from './harvest.ts';
import { mediaCommand } from './media.ts';
import { mirrorCommand } from './mirror.ts';
import { purgeCommand } from './purge.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { usbCommand } from './usb.ts';
import { verifyCommand } from './verify.ts';

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';

const program = new Command('microfiche')
  .description('Turns a living archive’s JSON API into a still copy that people can keep.')
  .version(VERSION)
  .showHelpAfterError('(--help lists the options)');

for (const command of [
  harvestCommand(),
  mediaCommand(),
  buildCommand(),
  serveCommand(),
  verifyCommand(),
  statusCommand(),
  purgeCommand(),
  usbCommand(),
  mirrorCommand(),
]) {
  const checkRequired = deferRequired(command);
  program.addCommand(
    command.hook('preAction', (_, action) => {
      applyConfig(action);
      checkRequired();
      checkFolders(action);
    }),
  );
}
for (const command of [program, ...program.commands]) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2; // commander has said why
  } else {
    console.error(`microfiche: ${explain(error)}`);
    if (!isExpected(error)) console.error((error as Error).stack);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
