/** Writes docs/cli.md from the definitions of the commands, so that it equals the output of `--help`. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../commands.ts';

/** Path of docs/cli.md. */
export const CLI_REFERENCE = join(import.meta.dirname, '../../docs/cli.md');

/** Columns of a help text. */
const WIDTH = 100;

/** Returns the text of docs/cli.md. */
export function cliReference(): string {
  const sections = createProgram().commands.map((command) => `## ${command.name()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`);
  return `${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `# Command line reference

<!-- Made by \`npm run docs\` from the options and commands in scripts/options.ts and scripts/commands.ts. Change these, not this file. -->

\`npx --no-install microfiche <command>\`. Options can also be given as settings: see [configuration](configuration.md). Exit codes and the output of
\`--json\` are in [reports](reports.md).
`;

/** Returns what `microfiche <command> --help` prints, at a fixed width. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return help.trim();
}
