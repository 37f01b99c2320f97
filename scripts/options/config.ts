/** Applies microfiche.config.json: settings are options in camelCase, for all commands with them. Options take precedence. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import type { OwnComponents } from '../../src/build/astro/open-components.ts';
import type { Withholding } from '../../src/catalogue/read/withholding.ts';
import type { SettingProblem } from '../../src/model/setting-problem.ts';
import { findNearestName } from '../../src/model/text/nearest-name.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import type { ReadOwnContent } from '../../src/settings/read-own-content.ts';
import type { Language } from '../../src/site/language/locale.ts';
import { CONTENT_DIRECTORY } from '../../src/site/own/content-directory.ts';
import { readSettings, throwProblems } from './config-file.ts';
import { isRepeatable, isSetting, listRows, longOf, type NamedRow, type Row } from './option-row.ts';
import { refuse, type SettingSchema } from './option-values.ts';
import { SECTIONS } from './options.ts';

/** Settings that are not options: what each is, for editors, and its schema. */
export const STRUCTURED_SETTINGS: Readonly<Record<string, { text: string; schema: () => Promise<z.ZodType> }>> = {
  withhold: {
    text: 'Records, fields and persons that the site must not show.',
    schema: async () => (await import('../../src/catalogue/read/withholding.ts')).withholdingSchema,
  },
  design: {
    text: 'How the site looks and what it says: title, colors, fonts, sections, fields.',
    schema: async () => (await import('../../src/site/design/settings.ts')).designSchema,
  },
  notices: {
    text: 'Content warnings, which cover what they are about, and cultural-protocol labels, which precede it.',
    schema: async () => (await import('../../src/site/notices/settings.ts')).noticesSchema,
  },
  components: {
    text: 'Own components (.astro files) by the names of those that they replace.',
    schema: async () => (await import('../../src/settings/read-components.ts')).componentsSchema,
  },
};

/** The functions that read these settings with their files. */
const READERS = {
  design: async () => (await import('../../src/settings/read-design.ts')).readDesign,
  notices: async () => (await import('../../src/settings/read-notices.ts')).readNotices,
  components: async () => (await import('../../src/settings/read-components.ts')).readComponents,
};
type Read<Name extends keyof typeof READERS> = Awaited<ReturnType<Awaited<ReturnType<(typeof READERS)[Name]>>>>;

/**
 * Reads a setting and its files; undefined if it is not set.
 * @throws {UsageError} if it cannot be used
 */
export async function readConfigured<Name extends keyof typeof READERS>(name: Name): Promise<Read<Name> | undefined> {
  const { [name]: value } = readSettings();
  if (value === undefined) return undefined;
  const read = await READERS[name]();
  return (await read(value, process.cwd(), throwProblems)) as Read<Name>;
}

/**
 * Returns the entries of the setting `withhold`.
 * @throws {UsageError} if the file cannot be read
 */
export async function readConfiguredWithholding(): Promise<Withholding> {
  const { readWithholding } = await import('../../src/catalogue/read/withholding.ts');
  return readWithholding(readSettings()['withhold']);
}

/**
 * Reads the setting `components`, and bundles the components with the own pages. Undefined if nothing is replaced.
 * @throws {UserError} if it cannot be used, or if a component cannot be compiled
 */
export async function openConfiguredComponents(own: ReadOwnContent | undefined): Promise<OwnComponents | undefined> {
  const read = await readConfigured('components');
  return read && (await import('../../src/build/astro/open-components.ts')).openComponents(read, own);
}

/**
 * Reads the settings that change pages and need no own pages, and the project's own words in some languages.
 * @throws {UsageError} if one of them cannot be used, or a language has no words
 */
export async function readPageSettings(languages: readonly Language[]) {
  const { readOwnWords } = await import('../../src/settings/read-translations.ts');
  return {
    withholding: await readConfiguredWithholding(),
    words: readOwnWords(languages),
    design: await readConfigured('design'),
    notices: await readConfigured('notices'),
  };
}

/**
 * Reads the own pages in a directory; undefined if it has none.
 * @throws {UserError} if something is wrong in them
 */
export async function readConfiguredContent(directory: string, languages: readonly Language[]) {
  // The usual directory is not needed, and also has the snapshot.
  const isUsual = directory === CONTENT_DIRECTORY;
  if (isUsual && !existsSync(join(directory, 'pages')) && !existsSync(join(directory, 'exhibits'))) return undefined;
  const { readOwnContent } = await import('../../src/settings/read-own-content.ts');
  return readOwnContent(directory, languages);
}

/** The settings that are options, by name. */
const ROWS: ReadonlyMap<string, NamedRow> = new Map(
  listRows(SECTIONS)
    .filter(isSetting)
    .map((row) => [row.name, row]),
);

/**
 * Applies the settings to the options of a command that are not on the command line. Then each required option must have a value.
 * @throws {UsageError} with every problem of the file, including problems with settings for other commands
 */
export async function applyConfig(command: Command): Promise<void> {
  const own = listRows(SECTIONS, command.name());
  const sourceOf = (name: string) => command.getOptionValueSource(name);
  const problems: SettingProblem[] = [];
  for (const [name, value] of Object.entries(readSettings())) {
    const reading = await readSetting(name, value);
    if (Array.isArray(reading)) problems.push(...reading);
    // What the command line or the environment has takes precedence.
    else if (own.some((row) => row.name === name && isSetting(row)) && ['default', undefined].includes(sourceOf(name)))
      command.setOptionValueWithSource(name, reading.value, 'config');
  }
  throwProblems(problems);
  const missing = own.find(({ name, row }) => row.isRequired && command.getOptionValue(name) === undefined);
  if (!missing) return;
  const where = isSetting(missing) ? `, on the command line or as "${missing.name}" in microfiche.config.json` : '';
  command.error(`error: ${longOf(missing)} is required${where}`, { exitCode: 2 });
}

async function readSetting(name: string, value: unknown): Promise<{ value: unknown } | SettingProblem[]> {
  const setting = ROWS.get(name);
  try {
    if (setting) return { value: parseSetting(setting.row, value) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return [{ path: [name], problem: `"${name}": ${error.message}` }];
  }
  const structured = Object.hasOwn(STRUCTURED_SETTINGS, name) ? STRUCTURED_SETTINGS[name] : undefined;
  if (!structured) return [{ path: [name], problem: unknownSetting(name) }];
  const { checkerOf } = await import('../../src/model/setting-problem.ts');
  const problems = checkerOf(name, await structured.schema())(value);
  return problems.length > 0 ? problems : { value };
}

/**
 * Parses the value of a setting as that of its option.
 * @throws {InvalidArgumentError}
 */
function parseSetting(row: Row, value: unknown): unknown {
  const { type } = row;
  if (!type) return typeof value === 'boolean' ? value : refuse('Expected true or false.');
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number'))
    refuse('Expected text or a number, or a list of them if the option takes several values.');
  const texts = items.map(String);
  const parsed = isRepeatable(row) ? texts.flatMap((text) => type.parse(text)) : type.parse(texts.join(','));
  if (Array.isArray(value) && !Array.isArray(parsed)) refuse('Expected one value, not a list.');
  for (const item of items) assertType(item, type.schema);
  return parsed;
}

/**
 * Checks that a value is text if its schema says so, and a number if it says that. Other schemas leave the check to the parser.
 * @throws {InvalidArgumentError}
 */
function assertType(value: unknown, { type = 'string', anyOf, enum: choices, pattern = '', examples = [] }: SettingSchema): void {
  if (anyOf || choices || Array.isArray(type)) return;
  const isText = typeof value === 'string';
  const [example] = examples as string[];
  if (type !== 'string' && isText) refuse('Expected a number without quotation marks.');
  if (type === 'string' && !(isText && (example === undefined || new RegExp(pattern as string).test(value))))
    refuse(example === undefined ? 'Expected text.' : `Expected text, for example "${example}".`);
}

function unknownSetting(name: string): string {
  const known = [...ROWS.keys(), ...Object.keys(STRUCTURED_SETTINGS)];
  const shown = toPrintable(name, 60);
  const positive = /^no[A-Z-]/.test(name) ? findNearestName(name.slice(2), known) : undefined;
  const hint = positive ? `"${positive}": false` : findNearestName(name, known);
  if (hint !== undefined) return `unknown setting "${shown}". Did you mean ${positive ? hint : `"${hint}"`}?`;
  return `unknown setting "${shown}". Settings are named like the options, in camelCase, for example "authorsUrl".`;
}
