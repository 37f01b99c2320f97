/** Reads the file with the settings: JSON, or a TypeScript module whose default export is the settings. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { UsageError } from '../../src/model/errors.ts';
import type { SettingProblem } from '../../src/model/setting-problem.ts';
import { isObject } from '../../src/model/values.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import { parseJsonObject } from '../../src/settings/json-object.ts';
import { createLineFinder } from './setting-lines.ts';

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
  if (file !== undefined && statSync(file).isDirectory())
    throw new UsageError(`${file} is a directory. Settings are in a file: delete or rename it.`);
  return file;
}

/**
 * Returns the unchecked settings; none without a file.
 * @throws {UsageError} if the file does not contain one object
 */
export function readSettings(): Record<string, unknown> {
  const given = process.env[SETTINGS_VARIABLE];
  if (given !== undefined) return parseJsonObject(given, SETTINGS_VARIABLE, 'settings');
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
  return parseJsonObject(bytes, file, 'settings');
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
