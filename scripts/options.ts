/** Options that several commands share, and parsers for the values of options. */
import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../src/model/errors.ts';
import { isObjectId } from '../src/model/ids.ts';
import { languageTag } from '../src/model/language-tag.ts';
import { parseBaseUrl } from '../src/model/resources.ts';
import { LANGUAGES } from '../src/site/language/locale.ts';
import { CONTENT_DIRECTORY } from '../src/site/own/own-content.ts';

/** The snapshot of a project. */
export const SNAPSHOT_DIRECTORY = 'content/snapshot';

/** Returns the option `--snapshot`. */
export const createSnapshotOption = () =>
  new Option('--snapshot <dir>', 'Snapshot directory').argParser(parsePath).default(SNAPSHOT_DIRECTORY);
/** Returns the option `--collection`. */
export const createCollectionOption = (purpose: string) => new Option('--collection <ids...>', purpose).argParser(parseObjectIds);
/** Returns the option `--dir`. */
export const createDirOption = () => new Option('--dir <dir>', 'Site directory').argParser(parsePath).default('dist');
/** Returns the option `--languages`. */
export const createLanguagesOption = () =>
  new Option('--languages <list>', `Interface languages, comma-separated, main language first: ${LANGUAGES.join(', ')}`)
    .argParser(choicesParser(LANGUAGES))
    .default(['en'], 'en');
/** The main language of an archive whose operator states none. */
export const DEFAULT_ARCHIVE_LANGUAGE = 'en';
/** Returns the option `--archive-language`. */
export const createArchiveLanguageOption = () =>
  new Option('--archive-language <tag>', "Main language of the archive's texts, as a BCP 47 tag; others are detected")
    .argParser(parseLanguageTag)
    .default(DEFAULT_ARCHIVE_LANGUAGE);
/** Returns the option `--featured`. */
export const createFeaturedOption = () =>
  new Option(
    '--featured <ids...>',
    'Records to feature on the home page, the first one with a large image; by default, other records each day',
  ).argParser(parseObjectIds);
/** Returns the option `--content`. */
export const createContentOption = () =>
  new Option('--content <dir>', 'Directory whose subdirectories "pages" and "exhibits" have the archive’s own pages').default(
    CONTENT_DIRECTORY,
  );
/** Returns the option `--sign`. */
export const createSignOption = () =>
  new Option('--sign <keyfile>', 'Sign the manifest with this private key of OpenSSH, for "microfiche verify --signers"');
/** Returns the option `--signers`. */
export const createSignersOption = (purpose: string) =>
  new Option('--signers <file>', `${purpose} (a file in the form of OpenSSH, ALLOWED SIGNERS)`);

/**
 * Checks that the file of `--signers` exists.
 * @throws {UserError} if it does not.
 */
export function assertSigners(file: string | undefined): void {
  if (file !== undefined && !existsSync(file))
    throw new UserError(`${file} does not exist. Name a file of allowed signers with --signers.`);
}

/** Returns the option `--withhold-less`. As a setting, it would permit for good what is meant for one run. */
export const createWithholdLessOption = () =>
  commandLineOnly(
    new Option(
      '--withhold-less',
      'Accept that less is withheld than before: the entries that "withhold" lacks protect no longer',
    ),
  );
/** Returns the option `--with-source`. */
export const createWithSourceOption = () =>
  new Option('--with-source', 'Add the source of this program, so that the copy can still be read when it cannot be downloaded');
/** Returns the options of the request policy that `harvest` and downloads have in common. */
export const createPolitenessOptions = () => [
  new Option('--concurrency <n>', 'Maximum concurrent requests per host').argParser(integerParser(1, 256)).default(4),
  new Option('--rate <n/s>', 'Maximum requests per second per host (default: unlimited)').argParser(parseRate),
  new Option('--contact <text>', 'Email address or URL of the operator, sent in the User-Agent').argParser(parseContactText),
  new Option('--ignore-robots', 'Ignore robots.txt, including Crawl-delay'),
];
/** Returns the option `--json`. */
export const createJsonOption = () => new Option('--json', 'Print the report as JSON');

/** Returns the part of a command's help that names its exit codes. `incomplete` says what 3 means. */
export const createExitCodeHelp = (incomplete: string) => `
Exit codes:
  0    success; permanent failures, such as HTTP 404, are in the report
  1    failure
  2    usage error
  3    ${incomplete}
  130  interrupted`;

/** Arguments for commander's `helpOption`. */
export const HELP_OPTION = ['-h, --help', 'Display help for this command'] as const;

/** Adds options to a command, in the order of the list. */
export function addOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

const withoutSetting = new WeakSet<Option>();

/** Marks an option that cannot be a setting, because the setting of that name has another meaning. */
export function commandLineOnly(option: Option): Option {
  withoutSetting.add(option);
  return option;
}

/** Whether an option cannot be a setting. */
export const isCommandLineOnly = (option: Option): boolean => withoutSetting.has(option);

/** A JSON Schema of a setting. */
export type SettingSchema = Readonly<Record<string, unknown>>;

const settingSchemas = new WeakMap<object, SettingSchema>();

/** Returns the JSON Schema of the setting whose option has this parser, if it depends on the parser's arguments. */
export const schemaOfParser = (parser: object): SettingSchema | undefined => settingSchemas.get(parser);

function withSchema<T extends object>(parser: T, schema: SettingSchema): T {
  settingSchemas.set(parser, schema);
  return parser;
}

/** Parses a BCP 47 tag of a known language, and returns it in its canonical form. */
export function parseLanguageTag(typed: string): string {
  const tag = canonicalTag(typed.trim());
  if (tag === undefined || languageTag(new Intl.Locale(tag).language) === undefined)
    throw new InvalidArgumentError('Expected a BCP 47 language tag, for example en, es or pt-BR.');
  return tag;
}

function canonicalTag(typed: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(typed)[0];
  } catch {
    return undefined; // not a tag
  }
}

/** Returns a path as typed, unless it is empty: that would be the working directory. */
export function parsePath(typed: string): string {
  if (typed.trim() === '') throw new InvalidArgumentError('It is empty. Expected a path.');
  return typed;
}

/** Parses what is sent in a header, which may have letters of Western Europe only (ISO 8859-1). */
function parseContactText(typed: string): string {
  if (/^[\x20-\x7e\xa0-\xff]+$/.test(typed) && typed.trim() !== '') return typed;
  throw new InvalidArgumentError('Expected an email address or a URL, in letters that a header of a request can have.');
}

/** Parses a base URL, and removes its trailing slash. */
export function parseBaseUrlOption(typed: string): string {
  const base = parseBaseUrl(typed);
  if (base === undefined) throw new InvalidArgumentError('Expected a URL that begins with http:// or https://.');
  return base;
}

/** Parses the record IDs of a repeatable option, and appends them to `before`. */
export function parseObjectIds(typed: string, before: string[] | undefined): string[] {
  const ids = typed.split(',').map((id) => id.trim());
  const invalid = ids.find((id) => !isObjectId(id));
  if (invalid !== undefined)
    throw new InvalidArgumentError(`"${invalid}" is not a record ID. Expected an ID, for example demo-org-1-2.`);
  return [...(before ?? []), ...ids];
}

/** Returns a parser for integers from `min` to `max`. */
export function integerParser(min: number, max = Number.MAX_SAFE_INTEGER) {
  const parse = (typed: string): number => {
    const value = Number(typed);
    if (!/^\d+$/.test(typed) || value < min || value > max)
      throw new InvalidArgumentError(
        `Expected an integer ${max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`}.`,
      );
    return value;
  };
  return withSchema(parse, { type: 'integer', minimum: min, maximum: max });
}

/** Parses seconds: `30`, `0.5` or `30s`. */
export function parseSeconds(typed: string): number {
  const value = Number(typed.replace(/s$/, ''));
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError('Expected a number of seconds, for example 30.');
  return value;
}

/** Parses minutes: `3` or `0.5`. */
export function parseMinutes(typed: string): number {
  const value = Number(typed);
  if (!(value > 0 && value <= 1440)) throw new InvalidArgumentError('Expected a number of minutes, for example 3.');
  return value;
}

/** Parses a date (`2026-01-31`) or another ISO 8601 time. Returns it in UTC. */
export function parseMoment(typed: string): string {
  const date = /^\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(typed) ? new Date(typed) : undefined;
  if (!date || Number.isNaN(date.getTime())) throw new InvalidArgumentError('Expected a date, for example 2026-01-31.');
  return date.toISOString();
}

/** Parses a share: `10%` or `0.1`. Returns 0 to 1. */
export function parseShare(typed: string): number {
  const value = typed.trim().endsWith('%') ? Number(typed.trim().slice(0, -1)) / 100 : Number(typed);
  if (!(value >= 0 && value <= 1) || typed.trim() === '')
    throw new InvalidArgumentError('Expected a percentage, for example 10% or 0.1.');
  return value;
}

/** Parses the hosts (`name`, `name:port` or an IP address) of a repeatable option, and appends them to `before`, written as in URLs. */
export function parseHosts(typed: string, before: string[] | undefined): string[] {
  const hosts = typed.split(',').map((name) => {
    const bare = name
      .trim()
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, '');
    const url = `http://${bare.includes(':') && isIPv6(bare) ? `[${bare}]` : bare}`;
    if (bare === '' || !URL.canParse(url) || new URL(url).pathname !== '/')
      throw new InvalidArgumentError(`"${name}" is not a host. Expected a host, for example media.example.org or 10.0.0.5:8080.`);
    return new URL(url).host;
  });
  return [...(before ?? []), ...hosts];
}

/** Parses a rate in requests per second: `4` or `4/s`. */
export function parseRate(typed: string): number {
  const value = Number(typed.replace(/\/s$/, ''));
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of requests per second, for example 5/s.');
  return value;
}

/** Parses a size: `20GB`, `500MB` or `1000`. Returns bytes. */
export function parseByteCount(typed: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(typed.trim());
  if (!match) throw new InvalidArgumentError('Expected a size, for example 500MB or 20GB.');
  const power = ['', 'K', 'M', 'G', 'T'].indexOf((match[2] ?? '').toUpperCase());
  return Math.floor(Number(match[1]) * 1000 ** power);
}

/** Parses an e-mail address. */
export function parseEmail(typed: string): string {
  const address = typed.trim();
  if (!/^[^\s@]{1,64}@(?:[^\s@.]{1,63}\.){1,10}[^\s@.]{1,63}$/.test(address))
    throw new InvalidArgumentError('Expected an e-mail address, for example archivist@archive.example.');
  return address;
}

/** Returns a parser for one of some values. */
export function choiceParser<T extends string>(allowed: readonly T[]) {
  const parse = (typed: string): T => {
    const value = allowed.find((candidate) => candidate === typed.trim());
    if (value === undefined) throw new InvalidArgumentError(`Expected one of ${allowed.join(', ')}.`);
    return value;
  };
  return withSchema(parse, { enum: allowed });
}

/** Returns a parser for a list of some values: `thumb,image`. */
export function choicesParser<T extends string>(allowed: readonly T[]) {
  const parse = (typed: string): T[] =>
    typed.split(',').map((item) => {
      const value = allowed.find((candidate) => candidate === item.trim());
      if (value === undefined) throw new InvalidArgumentError(`"${item.trim()}" is not one of ${allowed.join(', ')}.`);
      return value;
    });
  return withSchema(parse, { anyOf: [{ type: 'array', items: { enum: allowed } }, { enum: allowed }, { type: 'string' }] });
}
