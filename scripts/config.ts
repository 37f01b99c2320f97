/** Settings from microfiche.config.json: named like the options in camelCase (`authorsUrl`), for whichever command has such an option. Flags win. */
import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Withholding } from '../src/catalogue/withholding.ts';
import { UsageError } from '../src/model/errors.ts';
import { isObject } from '../src/model/values.ts';
import { printable } from '../src/platform/lines.ts';
import { isCommandLineOnly } from './options.ts';

export const CONFIG_FILE = 'microfiche.config.json';

type Option = Command['options'][number];

/** Settings that are no options of a command, each with what loads its check: one sentence for each problem. Read them with `readSettings`. */
const STRUCTURED: Readonly<Record<string, () => Promise<(value: unknown) => string[]>>> = {
  withhold: async () => (await import('../src/catalogue/withholding.ts')).withholdingProblems,
};

/** Whether there is a config file in the working directory. */
export function hasConfig(): boolean {
  return existsSync(CONFIG_FILE);
}

/** All settings as they stand in the file; none where there is no file. @throws UsageError when it is no JSON object */
export function readSettings(): Record<string, unknown> {
  if (!existsSync(CONFIG_FILE)) return {};
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(CONFIG_FILE, 'utf8').replace(/^\ufeff/, ''));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new UsageError(`${CONFIG_FILE} ${problem}: ${printable((cause as Error).message)}`, { cause });
  }
  if (isObject(settings)) return settings;
  throw new UsageError(`${CONFIG_FILE} must hold one JSON object with settings.`);
}

/** What the archive withholds, by the setting `withhold`. @throws UsageError */
export async function withholding(): Promise<Withholding> {
  const { readWithholding } = await import('../src/catalogue/withholding.ts');
  return readWithholding(readSettings()['withhold']);
}

/** Gives a command the settings for options that were not given. @throws UsageError that names every problem of the file, also in settings for other commands */
export async function applyConfig(action: Command): Promise<void> {
  const problems: string[] = [];
  const options = new Map<string, Array<{ command: Command; option: Option }>>();
  for (const command of action.parent?.commands ?? [])
    for (const option of command.options) {
      if (isCommandLineOnly(option)) continue;
      const name = option.attributeName();
      options.set(name, [...(options.get(name) ?? []), { command, option }]);
    }
  for (const [name, value] of Object.entries(readSettings())) {
    const known = options.get(name);
    const loadCheck = Object.hasOwn(STRUCTURED, name) ? STRUCTURED[name] : undefined;
    if (loadCheck) problems.push(...(await loadCheck())(value).map((one) => `“${name}”: ${one}`));
    else if (!known) problems.push(unknownSetting(name, [...options.keys(), ...Object.keys(STRUCTURED)]));
    else problems.push(...applySetting(name, value, known, action));
  }
  if (problems.length === 1) throw new UsageError(`${CONFIG_FILE}: ${problems[0]}`);
  if (problems.length > 1)
    throw new UsageError([`${CONFIG_FILE} has ${problems.length} problems:`, ...problems.map((one) => `  ${one}`)].join('\n'));
}

/** Reads a setting for the running command, or just checks it where only others have it. Gives what is wrong with it. */
function applySetting(
  name: string,
  value: unknown,
  known: Array<{ command: Command; option: Option }>,
  action: Command,
): string[] {
  const own = known.find(({ command }) => command === action);
  const readings = (own ? [own] : known).map(({ option }) => readSetting(option, value));
  const good = readings.find((reading) => 'value' in reading);
  if (!good) return readings.slice(0, 1).flatMap((reading) => ('problem' in reading ? [`“${name}”${reading.problem}`] : []));
  const source = action.getOptionValueSource(name);
  if (own && (source === undefined || source === 'default')) action.setOptionValueWithSource(name, good.value, 'config');
  return [];
}

type Reading = { value: unknown } | { problem: string };

/** A setting's value, checked as the option's own text would be. */
function readSetting(option: Option, value: unknown): Reading {
  if (!option.required && !option.optional)
    return typeof value === 'boolean' ? { value } : { problem: ' must be true or false.' };
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((one) => typeof one === 'string' || typeof one === 'number'))
    return { problem: ' must be text or a number, or a list of them where the option takes several.' };
  const texts = items.map(String);
  try {
    const parse = (text: string): unknown => (option.parseArg ? option.parseArg(text, undefined) : text);
    if (option.variadic) return { value: texts.flatMap(parse) };
    const read = parse(texts.join(','));
    return Array.isArray(value) && !Array.isArray(read) ? { problem: ' takes one value, not a list.' } : { value: read };
  } catch (error) {
    if (error instanceof InvalidArgumentError) return { problem: `: ${error.message}` };
    throw error;
  }
}

function unknownSetting(name: string, known: string[]): string {
  const shown = printable(name, 60);
  const positive = /^no[A-Z-]/.test(name) ? nearest(name.slice(2), known) : undefined;
  const hint = positive ? `"${positive}": false` : nearest(name, known);
  if (hint !== undefined) return `there is no setting “${shown}”; did you mean ${positive ? hint : `“${hint}”`}?`;
  return `there is no setting “${shown}”; settings are named like the options in camelCase, such as “authorsUrl”.`;
}

/** The known name that takes the fewest changes; undefined where all are far. */
function nearest(name: string, known: string[]): string | undefined {
  const plain = (text: string) => text.replace(/[-_ ]/g, '').toLowerCase().slice(0, 60);
  const near = known
    .map((one) => ({ one, far: distance(plain(name), plain(one)) }))
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(one.length / 3)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.one;
}

/** Levenshtein's: letters to add, take away or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === b[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
