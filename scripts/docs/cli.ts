/** Writes docs/cli.md from the definitions of the commands, so that it equals the output of `--help`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';

const SCRIPTS = join(import.meta.dirname, '..');
/** Path of docs/cli.md. */
export const CLI_REFERENCE = join(SCRIPTS, '../docs/cli.md');

/** Columns of a help text. */
const WIDTH = 100;

/** Returns every command of the program, in the order of its help. Throws if a file of `scripts` does not define the command of its name. */
export async function createCommands(): Promise<Command[]> {
  const program = new Command('microfiche');
  for (const name of commandNames()) {
    const { [`${name}Command`]: create } = (await import(join(SCRIPTS, `${name}.ts`))) as Record<string, () => Command>;
    if (create === undefined) throw new Error(`scripts/${name}.ts does not export ${name}Command`);
    program.addCommand(create());
  }
  return [...program.commands];
}

/** Returns the text of docs/cli.md. */
export function cliReference(commands: readonly Command[]): string {
  const sections = commands.map((command) => `## ${command.name()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`);
  return `${HEAD}\n${sections.join('\n')}`;
}

const HEAD = `# Command line reference

<!-- Made by \`npm run docs\` from the commands in scripts/. Change the commands, not this file. -->

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

/** Reads the names from the program's help, which is the only complete list. */
function commandNames(): string[] {
  const help = execFileSync(process.execPath, [join(SCRIPTS, 'microfiche.ts'), '--help'], { encoding: 'utf8' });
  const [, commands = ''] = help.split('\nCommands:\n');
  const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name as string);
  return names.filter((name) => name !== 'help');
}
