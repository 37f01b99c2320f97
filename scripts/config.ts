/** Applies the settings of microfiche.config.json. A setting is named like its option, in camelCase, and applies to all commands with that option. Options take precedence. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import type { Withholding } from '../src/catalogue/withholding.ts';
import { findNearestName } from '../src/model/nearest-name.ts';
import type { SettingProblem } from '../src/model/setting-problem.ts';
import type { OwnComponents } from '../src/pipeline/open-components.ts';
import type { ReadComponents } from '../src/pipeline/read-components.ts';
import type { ReadDesign } from '../src/pipeline/read-design.ts';
import type { ReadNotices } from '../src/pipeline/read-notices.ts';
import type { ReadOwnContent } from '../src/pipeline/read-own-content.ts';
import { toPrintable } from '../src/platform/text-lines.ts';
import type { Language } from '../src/site/language/locale.ts';
import { CONTENT_DIRECTORY } from '../src/site/own/own-content.ts';
import { readSettings, throwProblems } from './config-file.ts';
import { isCommandLineOnly } from './options.ts';

type Option = Command['options'][number];

/** Settings that are not options. Each has a function that loads its check; the check returns one sentence per problem. Read them with `readSettings`. */
export const STRUCTURED_SETTINGS: Readonly<Record<string, () => Promise<(value: unknown) => SettingProblem[]>>> = {
  withhold: () => loadChecker('withhold', async () => (await import('../src/catalogue/withholding.ts')).withholdingSchema),
  design: () => loadChecker('design', async () => (await import('../src/site/design/settings.ts')).designSchema),
  notices: () => loadChecker('notices', async () => (await import('../src/site/notices/settings.ts')).noticesSchema),
  components: async () => (await import('../src/site/component-problems.ts')).componentsProblems,
};

async function loadChecker(setting: string, loadSchema: () => Promise<z.ZodType>): Promise<(value: unknown) => SettingProblem[]> {
  const { checkerOf } = await import('../src/model/setting-problem.ts');
  return checkerOf(setting, await loadSchema());
}

/**
 * Returns the entries of the setting `withhold`.
 *
 * @throws {UsageError} if the file cannot be read
 */
export async function readConfiguredWithholding(): Promise<Withholding> {
  const { readWithholding } = await import('../src/catalogue/withholding.ts');
  return readWithholding(readSettings()['withhold']);
}

/**
 * Reads the setting `design` and its files; undefined if it is not set.
 *
 * @throws {UsageError} if it cannot be used
 */
export async function readConfiguredDesign(): Promise<ReadDesign | undefined> {
  const { design } = readSettings();
  if (design === undefined) return undefined;
  const { readDesign } = await import('../src/pipeline/read-design.ts');
  return readDesign(design, process.cwd(), throwProblems);
}

/**
 * Reads the setting `notices` and its files; undefined if it is not set.
 *
 * @throws {UsageError} if it cannot be used
 */
export async function readConfiguredNotices(): Promise<ReadNotices | undefined> {
  const { notices } = readSettings();
  if (notices === undefined) return undefined;
  const { readNotices } = await import('../src/pipeline/read-notices.ts');
  return readNotices(notices, process.cwd(), throwProblems);
}

/**
 * Reads the setting `components`; undefined if nothing is replaced.
 *
 * @throws {UsageError} if it cannot be used
 */
export async function readConfiguredComponents(): Promise<ReadComponents | undefined> {
  const { components } = readSettings();
  if (components === undefined) return undefined;
  const { readComponents } = await import('../src/pipeline/read-components.ts');
  return readComponents(components, process.cwd(), throwProblems);
}

/**
 * Reads the setting `components`, and bundles the components with the own pages. Undefined if nothing is replaced.
 *
 * @throws {UserError} if it cannot be used, or if a component cannot be compiled
 */
export async function openConfiguredComponents(own: ReadOwnContent | undefined): Promise<OwnComponents | undefined> {
  const read = await readConfiguredComponents();
  return read && (await import('../src/pipeline/open-components.ts')).openComponents(read, own);
}

/**
 * Reads the own pages in a directory; undefined if it has none.
 *
 * @throws {UserError} if something is wrong in them
 */
export async function readConfiguredContent(
  directory: string,
  languages: readonly Language[],
): Promise<ReadOwnContent | undefined> {
  // The usual directory is not needed, and also has the snapshot.
  const isUsual = directory === CONTENT_DIRECTORY;
  if (isUsual && !existsSync(join(directory, 'pages')) && !existsSync(join(directory, 'exhibits'))) return undefined;
  const { readOwnContent } = await import('../src/pipeline/read-own-content.ts');
  return readOwnContent(directory, languages);
}

/**
 * Applies the settings to the options of a command that are not on the command line.
 *
 * @throws {UsageError} with every problem of the file, including problems with settings for other commands
 */
export async function applyConfig(action: Command): Promise<void> {
  const problems: SettingProblem[] = [];
  const options = new Map<string, Array<{ command: Command; option: Option }>>();
  for (const command of action.parent?.commands ?? [])
    for (const option of command.options) {
      if (isCommandLineOnly(option)) continue;
      const name = option.attributeName();
      options.set(name, [...(options.get(name) ?? []), { command, option }]);
    }
  for (const [name, value] of Object.entries(readSettings())) {
    const known = options.get(name);
    const loadCheck = Object.hasOwn(STRUCTURED_SETTINGS, name) ? STRUCTURED_SETTINGS[name] : undefined;
    if (loadCheck) problems.push(...(await loadCheck())(value));
    else if (!known)
      problems.push({ path: [name], problem: unknownSetting(name, [...options.keys(), ...Object.keys(STRUCTURED_SETTINGS)]) });
    else problems.push(...applySetting(name, value, known, action).map((problem) => ({ path: [name], problem })));
  }
  throwProblems(problems);
}

/**
 * Gives a command its own settings, and ignores those of other commands.
 *
 * @throws {UsageError} if the file is not a JSON object, or if one of these settings is not valid
 */
export function applyOwnSettings(command: Command): void {
  const settings = readSettings();
  const problems = command.options
    .map((option) => [option.attributeName(), option] as const)
    .filter(([name, option]) => !isCommandLineOnly(option) && Object.hasOwn(settings, name))
    .flatMap(([name, option]) =>
      applySetting(name, settings[name], [{ command, option }], command).map((problem) => ({ path: [name], problem })),
    );
  throwProblems(problems.slice(0, 1));
}

/** Applies a setting to the running command. If only other commands have the option, checks the setting. Returns its problems. */
function applySetting(
  name: string,
  value: unknown,
  known: Array<{ command: Command; option: Option }>,
  action: Command,
): string[] {
  const own = known.find(({ command }) => command === action);
  const readings = (own ? [own] : known).map(({ option }) => readSetting(option, value));
  const valid = readings.find((reading) => 'value' in reading);
  if (!valid) return readings.slice(0, 1).flatMap((reading) => ('problem' in reading ? [`"${name}": ${reading.problem}`] : []));
  const source = action.getOptionValueSource(name);
  if (own && (source === undefined || source === 'default')) action.setOptionValueWithSource(name, valid.value, 'config');
  return [];
}

type SettingResult = { value: unknown } | { problem: string };

/** Parses the value of a setting with the parser of its option. */
function readSetting(option: Option, value: unknown): SettingResult {
  if (!option.required && !option.optional)
    return typeof value === 'boolean' ? { value } : { problem: 'Expected true or false.' };
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number'))
    return { problem: 'Expected text or a number, or a list of them if the option takes several values.' };
  const texts = items.map(String);
  try {
    const parse = (text: string): unknown => (option.parseArg ? option.parseArg(text, undefined) : text);
    if (option.variadic) return { value: texts.flatMap(parse) };
    const parsed = parse(texts.join(','));
    return Array.isArray(value) && !Array.isArray(parsed) ? { problem: 'Expected one value, not a list.' } : { value: parsed };
  } catch (error) {
    if (error instanceof InvalidArgumentError) return { problem: error.message };
    throw error;
  }
}

function unknownSetting(name: string, known: string[]): string {
  const shown = toPrintable(name, 60);
  const positive = /^no[A-Z-]/.test(name) ? findNearestName(name.slice(2), known) : undefined;
  const hint = positive ? `"${positive}": false` : findNearestName(name, known);
  if (hint !== undefined) return `unknown setting "${shown}". Did you mean ${positive ? hint : `"${hint}"`}?`;
  return `unknown setting "${shown}". Settings are named like the options, in camelCase, for example "authorsUrl".`;
}
