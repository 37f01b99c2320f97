/** Reads the file with the settings: JSON, or a TypeScript module whose default export is the settings. */
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UsageError } from '../../src/model/errors.ts';
import type { SettingProblem } from '../../src/model/setting-problem.ts';
import { isObject } from '../../src/model/values.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import { createLineFinder, findRepeatedName } from './setting-lines.ts';

/** The names of the file, in the working directory. Only one of them may be there. */
const CONFIG_FILES = ['microfiche.config.json', 'microfiche.config.ts'] as const;
/** Names that look like one of them, but are not read. */
const OTHER_NAMES = ['js', 'mjs', 'cjs', 'mts', 'jsonc', 'json5', 'yaml', 'yml'].map(
  (extension) => `microfiche.config.${extension}`,
);
/** The one that messages name if there is none. */
const CONFIG_FILE = CONFIG_FILES[0];

/** The environment variable with settings as JSON, which then replace those of the file. The Astro integration sets it. */
const SETTINGS_VARIABLE = 'MICROFICHE_SETTINGS';

function configFile(): string | undefined {
  const [file, other] = CONFIG_FILES.filter((name) => existsSync(name));
  const unread = OTHER_NAMES.find((name) => existsSync(name));
  if (file === undefined && unread !== undefined)
    throw new UsageError(`${unread} is not read. Settings are in ${CONFIG_FILES.join(' or ')}: rename the file.`);
  if (other !== undefined) throw new UsageError(`There are two files with settings: ${file} and ${other}. Delete one of them.`);
  return file;
}

/**
 * Returns the unchecked settings; none without a file.
 * @throws {UsageError} if the file does not contain one object
 */
export function readSettings(): Record<string, unknown> {
  const given = process.env[SETTINGS_VARIABLE];
  if (given !== undefined) return toSettings(given, SETTINGS_VARIABLE);
  const file = configFile();
  if (file === undefined) return {};
  const { $schema: _, ...settings } = file.endsWith('.ts') ? loadModule(file) : parseJson(file);
  // A module may compute a setting, and leave it out.
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Returns a function that locates a setting, as “microfiche.config.json, line 4”; undefined if its file has no lines. */
export function createPlaceFinder(): (path: readonly string[]) => string | undefined {
  const file = process.env[SETTINGS_VARIABLE] === undefined ? configFile() : undefined;
  if (file === undefined) return () => undefined;
  const lineOf = createLineFinder(file, readFileSync(file, 'utf8'));
  return (path) => {
    const line = lineOf(path);
    return line === undefined ? undefined : `${file}, line ${line}`;
  };
}

/** @throws {UsageError} that names each problem, with its line. Does nothing if there is none. */
export function throwProblems(problems: readonly SettingProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const isGiven = process.env[SETTINGS_VARIABLE] !== undefined;
  const file = isGiven ? 'The option "settings"' : (configFile() ?? CONFIG_FILE);
  const text = isGiven ? '' : readFileSync(file, 'utf8');
  const lineOf = text.trim().includes('\n') ? createLineFinder(file, text) : () => undefined;
  const described = problems.map(({ path, problem }) => ({ line: lineOf(path), problem }));
  const [{ line, problem } = { line: undefined, problem: '' }] = described;
  if (described.length === 1) throw new UsageError(`${file}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
  const lines = described.map((one) => `  ${one.line === undefined ? '' : `line ${one.line}: `}${one.problem}`);
  throw new UsageError([`${file} has ${problems.length} problems:`, ...lines].join('\n'));
}

function parseJson(file: string): Record<string, unknown> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${toPrintable((cause as Error).message)}`, { cause });
  }
  if (!isUtf8(bytes)) throw new UsageError(`${file} is not in UTF-8. Save the file in this encoding.`);
  return toSettings(bytes.toString('utf8'), file);
}

function toSettings(text: string, source: string): Record<string, unknown> {
  const json = text.replace(/^\ufeff/, '');
  let settings: unknown;
  try {
    settings = JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${source} is not valid JSON${describeJsonMistake(json, toPrintable((cause as Error).message))}.`, {
      cause,
    });
  }
  if (!isObject(settings)) throw new UsageError(`${source} must contain one JSON object with settings.`);
  const repeated = findRepeatedName(json);
  if (!repeated) return settings;
  throw new UsageError(
    `${source}, line ${repeated.line}: "${toPrintable(repeated.name, 60)}" is there twice. Delete one of them.`,
  );
}

/** Loads settings in TypeScript. The file is the operator's own program, and is run. */
function loadModule(file: string): Record<string, unknown> {
  let loaded: { default?: unknown };
  try {
    loaded = createRequire(import.meta.url)(resolve(file)) as { default?: unknown };
  } catch (cause) {
    throw new UsageError(describeLoadError(file, cause), { cause });
  }
  if (isObject(loaded.default) && isPlain(loaded.default)) return loaded.default;
  if (loaded.default instanceof Promise)
    throw new UsageError(
      `${file} has a promise as its default export. Settings are read at once: export the settings themselves.`,
    );
  throw new UsageError(`${file} must have the settings as its default export: export default defineConfig({ … }).`);
}

/** Whether an object is what braces make: the settings of another one would not be seen. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describeLoadError(file: string, error: unknown): string {
  // A program may throw anything.
  if (!(error instanceof Error)) return `${file} cannot be loaded: it throws ${toPrintable(inspect(error), 200)}.`;
  const { code, message, stack = '' } = error as Error & { code?: string };
  if (code === 'ERR_REQUIRE_ASYNC_MODULE')
    return `${file} uses "await" outside of a function, or imports a module that does. Settings are read at once: remove it.`;
  const url = pathToFileURL(resolve(file)).href;
  const at = stack.indexOf(`${url}:`);
  const [, line] = (at === -1 ? '' : stack.slice(at + url.length)).match(/^:(\d+)/) ?? [];
  // Of a syntax error, without the list of all that could be there.
  const [first = ''] = message.split(/\n|\. Expected /);
  const reason = toPrintable(first.replace(/\.$/, ''));
  return line === undefined ? `${file} cannot be loaded: ${reason}.` : `${file}, line ${line}: ${reason}.`;
}

const BACKSLASH = 'a backslash in a text must be doubled';
const NUMBER = 'a number is not complete';

/** The mistakes, by their names in the parser. */
const MISTAKES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing after a name',
  PropertyNameExpected: 'a name in double quotation marks is missing',
  ValueExpected: 'a value is missing',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'something follows the closing brace',
  InvalidSymbol: 'text must be in double quotation marks',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfString: 'a quotation mark is missing at the end of a text',
  InvalidEscapeCharacter: BACKSLASH,
  InvalidUnicode: BACKSLASH,
  InvalidNumberFormat: NUMBER,
  UnexpectedEndOfNumber: NUMBER,
  InvalidCharacter: 'a text has a tab or another control character',
};

/** Returns what is wrong, as the end of a sentence after “is not valid JSON”. `message` is that of `JSON.parse`. */
function describeJsonMistake(text: string, message: string): string {
  if (text.trim() === '') return ': it is empty';
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  const mistake = first && MISTAKES[printParseErrorCode(first.error as ParseErrorCode)];
  if (!first || mistake === undefined) return `: ${message}`;
  const before = text.slice(0, first.offset);
  const isComma = /,\s*$/.test(before) && /[\]}]/.test(text[first.offset] ?? '');
  return ` (line ${before.split('\n').length}): ${isComma ? 'the comma after the last value must go' : mistake}`;
}
