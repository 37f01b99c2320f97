/** Writes docs/cli.md from the tables of commands and options, so that each option is described once, as in `--help`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../commands.ts';
import { isSetting, listRows, type NamedRow, type Section, toOption } from '../options/option-row.ts';
import { SECTIONS } from '../options/options.ts';

/** Path of docs/cli.md. */
export const CLI_REFERENCE = join(import.meta.dirname, '../../docs/cli.md');

const COMMANDS = /(?<=<!-- commands: .* -->\n)[\s\S]*/;

/** Returns the text of docs/cli.md, with the commands and options as they are. */
export function cliReference(): string {
  const commands = createProgram().commands.map(describeCommand);
  const sections: readonly Section[] = SECTIONS;
  const text = ['', ...commands, '## Options', ...sections.map(describeSection)].join('\n\n').slice(1);
  return readFileSync(CLI_REFERENCE, 'utf8').replace(COMMANDS, () => `${text}\n`);
}

function describeCommand(command: Command): string {
  const args = command.registeredArguments.map((argument) => `- \`<${argument.name()}>\`: ${argument.description}`);
  return [`### ${command.name()}`, command.description(), ...(args.length > 0 ? [args.join('\n')] : [])].join('\n\n');
}

/** A section of the help whose heading is `Options:` has the commands as its heading here. */
function describeSection(section: Section): string {
  const { heading, of } = section;
  const commands = codeList(of);
  const title = heading === 'Options:' ? commands : heading.replace(/:$/, '');
  const rows = listRows([section]).map((row) => describeRow(row, section));
  return [`### ${title}`, ...(title === commands ? [] : [`Of ${commands}.`]), rows.join('\n')].join('\n\n');
}

function describeRow(row: NamedRow, section: Section): string {
  const option = toOption(row);
  const standard = option.defaultValueDescription ?? (option.defaultValue as string | number | undefined);
  const notes = [
    row.of !== section.of && `of ${codeList(row.of)}`,
    standard !== undefined && `default: ${standard}`,
    option.envVar && `or the variable \`${option.envVar}\``,
    !isSetting(row) && section.of[0] !== 'init' && 'not a setting',
  ].filter(Boolean);
  return `- \`${option.flags}\`: ${option.description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

const codeList = (names: readonly string[]) => names.map((name) => (name === 'all' ? 'All commands' : `\`${name}\``)).join(', ');
