/** Makes the man page from the commands and their options, as `--help` has them. */
import type { Command } from 'commander';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { PACKAGE, VERSION } from '../../src/model/version.ts';

/** Returns the man page, in roff. */
export function manPage(program: Command): string {
  const codes = Object.entries(EXIT_CODES).map(([name, code]) =>
    item(
      String(code),
      name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ),
  );
  return [
    `.TH MICROFICHE 1 "" ${quoted(`${PACKAGE} ${VERSION}`)} "User Commands"`,
    '.SH NAME',
    `microfiche \\- ${escapeRoff(program.description())}`,
    '.SH SYNOPSIS',
    '.B microfiche',
    '\\fIcommand\\fR [\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...program.commands.flatMap(describeCommand),
    '.SH "EXIT STATUS"',
    ...codes,
    '',
  ].join('\n');
}

function describeCommand(command: Command): string[] {
  const given = command.registeredArguments.map((argument) => item(argument.name(), argument.description));
  const options = command.options.map(({ flags, description, defaultValue, defaultValueDescription }) => {
    const usual = defaultValueDescription ?? (defaultValue as unknown);
    return item(flags, usual === undefined || usual === true ? description : `${description} (default: ${String(usual)})`);
  });
  return [`.SS ${quoted(`${command.name()} ${command.usage()}`)}`, ...paragraphs(command.description()), ...given, ...options];
}

const item = (term: string, text: string) => `.TP\n.B ${escapeRoff(term)}\n${escapeRoff(text)}`;

const paragraphs = (text: string) => text.split('\n\n').flatMap((paragraph) => ['.PP', escapeRoff(paragraph)]);

/** Returns a text as one argument of a macro. */
const quoted = (text: string) => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/** Returns a text in which nothing is a request of roff. */
function escapeRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/\s+/g, ' ')
    .replace(/^(?=[.'])/, '\\&');
}
