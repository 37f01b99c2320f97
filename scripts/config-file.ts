/** Reads the file with the settings: JSON, or a TypeScript module whose default export is the settings. */
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { UsageError } from '../src/model/errors.ts';
import type { SettingProblem } from '../src/model/setting-problem.ts';
import { isObject } from '../src/model/values.ts';
import { toPrintable } from '../src/platform/text-lines.ts';
import { describeJsonMistake } from './json-mistake.ts';

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

/** Whether there are settings: a file in the working directory, or those of the environment. */
export function hasConfig(): boolean {
  return process.env[SETTINGS_VARIABLE] !== undefined || CONFIG_FILES.some((name) => existsSync(name));
}

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
  if (isObject(settings)) return settings;
  throw new UsageError(`${source} must contain one JSON object with settings.`);
}

/** Loads settings in TypeScript. The file is the operator's own program, and is run. */
function loadModule(file: string): Record<string, unknown> {
  let loaded: { default?: unknown };
  try {
    loaded = createRequire(import.meta.url)(resolve(file)) as { default?: unknown };
  } catch (cause) {
    throw new UsageError(describeLoadError(file, cause as Error & { code?: string }), { cause });
  }
  if (isObject(loaded.default)) return loaded.default;
  throw new UsageError(`${file} must have the settings as its default export: export default defineConfig({ … }).`);
}

function describeLoadError(file: string, { code, message, stack = '' }: Error & { code?: string }): string {
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

/** Returns a function that finds the line of a setting, from 1; undefined if it is not found. */
function createLineFinder(file: string, text: string): (path: readonly string[]) => number | undefined {
  const tree = file.endsWith('.json') ? parseTree(text) : undefined;
  return (path) => {
    const offset = tree ? offsetInJson(tree, path) : offsetInModule(text, path);
    return offset === undefined ? undefined : text.slice(0, offset).split('\n').length;
  };
}

/** Returns the position of the innermost part of a path that is there. */
function offsetInJson(tree: Node, path: readonly string[]): number | undefined {
  const steps = path.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, steps.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return undefined;
}

/** Returns the position of the innermost name or list element of a path, which follows the others. A program may write settings otherwise. */
function offsetInModule(text: string, path: readonly string[]): number | undefined {
  let [offset, end] = [0, text.length];
  for (const step of path) {
    const found = /^\d+$/.test(step) ? findElement(text, offset, Number(step)) : findName(text.slice(0, end), offset, step);
    if (!found) break;
    [offset, end] = [found.start, found.end ?? end];
  }
  return offset === 0 ? undefined : offset;
}

interface Place {
  start: number;
  end?: number;
}

function findName(text: string, from: number, name: string): Place | undefined {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  const found = new RegExp(`(?<![\\w$])["']?${escaped}["']?\\s*[:,(]`).exec(text.slice(from));
  return found ? { start: from + found.index } : undefined;
}

/** What is not structure, and the signs that are. */
const TOKENS = /\/\/.*|\/\*[\s\S]*?\*\/|(["'`])(?:\\[\s\S]|(?!\1)[^\\])*\1|[[\](){},]/g;

/** Finds an element of a list that follows the name at `from`. */
function findElement(text: string, from: number, position: number): Place | undefined {
  const [opening = ''] = /^["']?[\w$]+["']?\s*:\s*\[/.exec(text.slice(from)) ?? [];
  if (opening === '') return undefined;
  const start = from + opening.length;
  let [depth, at] = [0, 0];
  let begin: number | undefined;
  for (const { 0: token, index } of text.slice(start).matchAll(TOKENS)) {
    if (token.startsWith('/')) continue; // a comment
    const isEnd = depth === 0 && (token === ',' || token === ']');
    if (isEnd && at === position) return begin === undefined ? undefined : { start: begin, end: start + index };
    if (isEnd && token === ']') return undefined;
    if (isEnd) [at, begin] = [at + 1, undefined];
    else begin ??= start + index;
    if ('[({'.includes(token)) depth++;
    else if ('])}'.includes(token)) depth--;
  }
  return undefined;
}
