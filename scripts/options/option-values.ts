/** What options and settings can have as values: how each is parsed, and what it is in the JSON Schema of the settings. */
import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { isObjectId } from '../../src/model/ids.ts';
import { parseBaseUrl } from '../../src/model/resources.ts';
import { INTERFACE_TAG, isLanguage, languageTag } from '../../src/model/text/language-tag.ts';
import { LANGUAGES, type Language } from '../../src/model/text/languages.ts';
import { MAX_VALUE_BYTES } from '../../src/model/text/limits.ts';
import { attempt } from '../../src/platform/expected-errors.ts';
import { toPrintable } from '../../src/platform/text-lines.ts';
import { AUTOMATIONS } from '../../src/project/choices.ts';

/** A JSON Schema of a setting. */
export type SettingSchema = Readonly<Record<string, unknown>>;

/** A type of values. */
export interface ValueType<Value> {
  /**
   * Parses a value as typed; for an option with several values, one or more of them.
   * @throws {InvalidArgumentError}
   */
  parse(typed: string): Value;
  schema: SettingSchema;
}

/** Ends the parsing of a value with a sentence that says what it must be. */
export function refuse(message: string): never {
  throw new InvalidArgumentError(message);
}

const TEXT = { type: 'string', minLength: 1 };
const POSITIVE = { type: 'number', exclusiveMinimum: 0 };
const numberOr = (pattern: string) => ({ anyOf: [POSITIVE, { type: 'string', pattern }] });

/** Returns a type of values, which are text in settings, unless they have another schema. */
const valueType = <Value>(parse: (typed: string) => Value, schema: SettingSchema = TEXT): ValueType<Value> => ({ parse, schema });

/** Any text. */
export const anyText = valueType((typed) => typed);

/** A text that `isValid` accepts. `expected` is what a message says of others. */
export const textThat = (isValid: (typed: string) => boolean, expected: string): ValueType<string> =>
  valueType((typed) => (isValid(typed) ? typed : refuse(expected)));

/** A path as typed, unless it is empty: that would be the working directory. */
export const path = textThat((typed) => typed.trim() !== '', 'It is empty. Expected a path.');

/** Several files or directories. */
export const paths = valueType((typed) => [path.parse(typed)]);

const URL_MESSAGE = 'Expected a URL that begins with http:// or https://.';
/** A URL of the web. */
export const webUrl = textThat((typed) => /^https?:\/\//.test(typed) && URL.canParse(typed), URL_MESSAGE);
/** A base URL, without its trailing slash. */
export const baseUrl: ValueType<string> = {
  parse: (typed) => parseBaseUrl(typed) ?? refuse(URL_MESSAGE),
  schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
};

/** The base URL of an archive, of which nothing is left out. */
export const archiveUrl = valueType((typed) => {
  const url = baseUrl.parse(typed);
  const { username, password, search, hash } = new URL(typed);
  if (`${username}${password}` !== '') refuse('Expected a URL without a user name and password: Microfiche does not log in.');
  return `${search}${hash}` === '' ? url : refuse('Expected a URL without a query or fragment.');
}, baseUrl.schema);

/** The BCP 47 tag of a known language, in its canonical form. */
export const languageOfTexts = valueType((typed) => {
  const tag = canonicalTag(typed.trim());
  if (tag === undefined || languageTag(new Intl.Locale(tag).language) === undefined)
    refuse('Expected a BCP 47 language tag, for example en, es or pt-BR.');
  return tag;
});

/** Undefined for what is no tag. */
const canonicalTag = (typed: string): string | undefined => attempt(() => Intl.getCanonicalLocales(typed)[0]);

/** A trimmed text that `isValid` accepts. */
const trimmedTextThat = (isValid: (text: string) => boolean, expected: string) =>
  valueType((typed) => textThat(isValid, expected).parse(typed.trim()));

const EMAIL = /^[^\s@]{1,64}@(?:[^\s@.]{1,63}\.){1,10}[^\s@.]{1,63}$/;
const EMAIL_MESSAGE = 'Expected an e-mail address, for example archivist@archive.example.';
/** An e-mail address. */
export const email = trimmedTextThat((text) => EMAIL.test(text), EMAIL_MESSAGE);

const CONTACT = /^(?:https?:\/\/[!-'*-~]+|[!-'*-?A-~]+@[!-'*-?A-~]+\.[!-'*-?A-~]+)$/;
const CONTACT_MESSAGE = 'Expected an e-mail address or a URL, for example archivist@archive.example.';
/** How the staff of an archive can reach an operator: what a header can have, and a comment in it. */
export const contact = trimmedTextThat((text) => text.length <= 300 && CONTACT.test(text), CONTACT_MESSAGE);

const MAX_TITLE = 200;
/** The title of a site. */
export const title = trimmedTextThat(
  (text) => text !== '' && text.length <= MAX_TITLE && toPrintable(text) === text,
  `Expected one line of text of up to ${MAX_TITLE} characters.`,
);

/** IDs of records. */
export const recordIds = valueType((typed) => {
  const ids = typed.split(',').map((id) => id.trim());
  const invalid = ids.find((id) => !isObjectId(id));
  if (invalid !== undefined) refuse(`"${invalid}" is not a record ID. Expected an ID, for example demo-org-1-2.`);
  return ids;
});

/** Hosts (`name`, `name:port` or an IP address), written as in URLs. */
export const hosts = valueType((typed) => typed.split(',').map(parseHost));

function parseHost(name: string): string {
  const bare = name
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');
  const url = `http://${bare.includes(':') && isIPv6(bare) ? `[${bare}]` : bare}`;
  if (bare === '' || !URL.canParse(url) || new URL(url).pathname !== '/')
    refuse(`"${name}" is not a host. Expected a host, for example media.example.org or 10.0.0.5:8080.`);
  return new URL(url).host;
}

/** Integers from `min` to `max`. */
export const integer = (min: number, max: number): ValueType<number> => ({
  parse: (typed) =>
    /^\d+$/.test(typed) && Number(typed) >= min && Number(typed) <= max
      ? Number(typed)
      : refuse(`Expected an integer from ${min} to ${max}.`),
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** Numbers above 0 and up to `max`, which may end in `unit`. */
function positive(unit: string, max: number, expected: string): ValueType<number> {
  return {
    parse(typed) {
      const value = Number(unit !== '' && typed.endsWith(unit) ? typed.slice(0, -unit.length) : typed);
      return value > 0 && value <= max ? value : refuse(expected);
    },
    schema: unit === '' ? POSITIVE : numberOr(`^[0-9.]+(?:${unit})?$`),
  };
}

/** Seconds: `30`, `0.5` or `30s`. */
export const seconds = positive('s', 86_400, 'Expected a number of seconds, for example 30.');
/** Minutes: `3` or `0.5`. */
export const minutes = positive('', 1440, 'Expected a number of minutes, for example 3.');
/** Requests per second: `4` or `4/s`. */
export const rate = positive('/s', Number.MAX_VALUE, 'Expected a number of requests per second, for example 5/s.');

/** A date (`2026-01-31`) or another ISO 8601 time, in UTC. */
export const moment = valueType((typed) => {
  const date = /^\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(typed) ? new Date(typed) : undefined;
  if (!date || Number.isNaN(date.getTime())) refuse('Expected a date, for example 2026-01-31.');
  return date.toISOString();
});

/** Milliseconds: `2d`, `36h` or `90m`. */
export const duration = valueType((typed) => {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([dhm])$/.exec(typed) ?? refuse('Expected a time, for example 2d, 36h or 90m.');
  return Number(count) * ({ d: 24, h: 1, m: 1 / 60 }[unit] ?? 0) * 3_600_000;
});

/** Text and numbers. */
const TEXT_OR_NUMBER = { type: ['string', 'number'] };

/** A share, from 0 to 1: `10%` or `0.1`. */
export const share = valueType((typed) => {
  const text = typed.trim();
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  return value >= 0 && value <= 1 && text !== '' ? value : refuse('Expected a percentage, for example 10% or 0.1.');
}, TEXT_OR_NUMBER);

/** Bytes with their unit: in a file of settings, 20 would more often mean gigabytes. */
const SIZE = { type: 'string', pattern: '^\\s*[0-9.]+\\s*(?:[KMGTkmgt][Bb]?|[Bb])\\s*$', examples: ['20GB'] };

/** Bytes: `20GB`, `500MB` or `1000`. */
export const byteCount = valueType((typed) => {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)B?$/i.exec(typed.trim());
  if (!match) return refuse('Expected a size, for example 500MB or 20GB.');
  const power = ['', 'K', 'M', 'G', 'T'].indexOf((match[2] ?? '').toUpperCase());
  return Math.floor(Number(match[1]) * 1000 ** power);
}, SIZE);

/** The bytes of a response. Larger ones could be stored, and not be read again. */
export const bodySize = valueType((typed) => {
  const bytes = byteCount.parse(typed);
  return bytes <= MAX_VALUE_BYTES ? bytes : refuse('Expected at most 268MB, the largest body that a snapshot can have.');
}, SIZE);

/** One of some values. */
export const oneOf = <T extends string>(allowed: readonly T[]): ValueType<T> => ({
  parse: (typed) => allowed.find((value) => value === typed.trim()) ?? refuse(`Expected one of ${allowed.join(', ')}.`),
  schema: { enum: allowed },
});

/** A list of some values: `thumb,image`. */
export const someOf = <T extends string>(allowed: readonly T[]): ValueType<T[]> => ({
  parse: (typed) =>
    typed
      .split(',')
      .map((item) => item.trim())
      .map((item) => allowed.find((value) => value === item) ?? refuse(`"${item}" is not one of ${allowed.join(', ')}.`)),
  schema: { anyOf: [{ type: 'array', items: { enum: allowed } }, { enum: allowed }, { type: 'string' }] },
});

/** A language in which pages can be. Whether it has words is only known when its file is read. */
export const interfaceLanguage = (typed: string): Language =>
  isLanguage(typed.trim())
    ? (typed.trim() as Language)
    : refuse(
        `"${typed.trim()}" is not one of ${LANGUAGES.join(', ')}, nor the BCP 47 tag of another language that Node.js knows, such as de or pt-BR.`,
      );
const LANGUAGE = { anyOf: [{ enum: LANGUAGES }, { type: 'string', pattern: INTERFACE_TAG.source }] };
/** Languages in which pages can be. */
export const interfaceLanguages: ValueType<Language[]> = {
  parse: (typed) => typed.split(',').map(interfaceLanguage),
  schema: { anyOf: [{ type: 'array', items: LANGUAGE }, TEXT] },
};

/** Ways to run updates, or `all` of them. */
export const automations = valueType((typed) => {
  const names = someOf([...AUTOMATIONS, 'all']).parse(typed);
  return AUTOMATIONS.filter((automation) => names.includes('all') || names.includes(automation));
});

/** Files whose names match a pattern. `expected` is the end of a sentence about others. */
export const filesLike = (pattern: RegExp, expected: string): ValueType<string[]> =>
  valueType((typed) => (pattern.test(typed) ? [typed] : refuse(`"${typed}" ${expected}`)));

/** Shard K of N: `0/4`. */
export const shard = valueType((typed) => {
  const [, number = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(typed.trim()) ?? []).map(Number);
  if (number >= of) refuse('Expected K/N with K from 0 to N-1, for example 0/4 for the first of four shards.');
  return { number, of };
});
