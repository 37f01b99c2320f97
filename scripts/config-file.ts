/** Reads the file with the settings: JSON, or a TypeScript module whose default export is the settings. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { UsageError } from '../src/model/errors.ts';
import type { SettingProblem } from '../src/model/setting-problem.ts';
import { isObject } from '../src/model/values.ts';
import { toPrintable } from '../src/platform/text-lines.ts';

/** The names of the file, in the working directory. Only one of them may be there. */
const CONFIG_FILES = ['microfiche.config.json', 'microfiche.config.ts'] as const;
/** The one that messages name if there is none. */
const CONFIG_FILE = CONFIG_FILES[0];

/** Whether there is a file with settings in the working directory. */
export function hasConfig(): boolean {
  return CONFIG_FILES.some((name) => existsSync(name));
}

function configFile(): string | undefined {
  const [file, other] = CONFIG_FILES.filter((name) => existsSync(name));
  if (other !== undefined) throw new UsageError(`There are two files with settings: ${file} and ${other}. Delete one of them.`);
  return file;
}

/**
 * Returns the unchecked settings; none without a file.
 * @throws {UsageError} if the file does not contain one object
 */
export function readSettings(): Record<string, unknown> {
  const file = configFile();
  if (file === undefined) return {};
  const { $schema: _, ...settings } = file.endsWith('.ts') ? loadModule(file) : parseJson(file);
  return settings;
}

/** @throws {UsageError} that names each problem, with its line. Does nothing if there is none. */
export function throwProblems(problems: readonly SettingProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const file = configFile() ?? CONFIG_FILE;
  const text = readFileSync(file, 'utf8');
  const lineOf = text.trim().includes('\n') ? createLineFinder(file, text) : () => undefined;
  const described = problems.map(({ path, problem }) => ({ line: lineOf(path), problem }));
  const [{ line, problem } = { line: undefined, problem: '' }] = described;
  if (described.length === 1) throw new UsageError(`${file}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
  const lines = described.map((one) => `  ${one.line === undefined ? '' : `line ${one.line}: `}${one.problem}`);
  throw new UsageError([`${file} has ${problems.length} problems:`, ...lines].join('\n'));
}

function parseJson(file: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new UsageError(`${file} ${problem}: ${toPrintable((cause as Error).message)}`, { cause });
  }
  if (isObject(settings)) return settings;
  throw new UsageError(`${file} must contain one JSON object with settings.`);
}

/** Loads settings in TypeScript. The file is the operator's own program, and is run. */
function loadModule(file: string): Record<string, unknown> {
  let loaded: { default?: unknown };
  try {
    loaded = createRequire(import.meta.url)(resolve(file)) as { default?: unknown };
  } catch (cause) {
    const [message = ''] = (cause as Error).message.split('\n');
    throw new UsageError(`${file} cannot be loaded: ${toPrintable(message)}`, { cause });
  }
  if (isObject(loaded.default)) return loaded.default;
  throw new UsageError(`${file} must have the settings as its default export: export default defineConfig({ … }).`);
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

/** Returns the position of the innermost name of a path, which follows the others. A program may write settings otherwise. */
function offsetInModule(text: string, path: readonly string[]): number | undefined {
  let offset: number | undefined;
  for (const step of path.filter((name) => !/^\d+$/.test(name))) {
    const escaped = step.replace(/[^\w]/g, '\\$&');
    const found = new RegExp(`(?<![\\w$])["']?${escaped}["']?\\s*[:,(]`).exec(text.slice(offset ?? 0));
    if (!found) return offset;
    offset = (offset ?? 0) + found.index;
  }
  return offset;
}
