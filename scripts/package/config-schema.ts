/** Makes the JSON Schema of the settings from the options of all commands, and from the schemas of the settings that are not options. */
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { withholdingSchema } from '../../src/catalogue/withholding.ts';
import { componentsSchema } from '../../src/site/component-problems.ts';
import { designSchema } from '../../src/site/design/settings.ts';
import { noticesSchema } from '../../src/site/notices/settings.ts';
import { STRUCTURED_SETTINGS } from '../config.ts';
import {
  isCommandLineOnly,
  parseBaseUrlOption,
  parseEmail,
  parseHosts,
  parseLanguageTag,
  parseMinutes,
  parseMoment,
  parseObjectIds,
  parsePath,
  parseRate,
  parseSeconds,
  type SettingSchema,
  schemaOfParser,
} from '../options.ts';

const TEXT = { type: 'string', minLength: 1 };
const URL_TEXT = { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };
const POSITIVE = { type: 'number', exclusiveMinimum: 0 };
/** One text, which may have several values with commas, or a list. */
const TEXTS = { anyOf: [{ type: 'array', items: TEXT, minItems: 1 }, TEXT] };
/** Any value of an option. */
const ANY = { type: ['string', 'number'] };

/** The parsers that need no arguments. Others than these and those with a schema of their own accept text and numbers. */
const PARSERS: ReadonlyMap<unknown, SettingSchema> = new Map<unknown, SettingSchema>([
  [parsePath, TEXT],
  [parseBaseUrlOption, URL_TEXT],
  [parseEmail, TEXT],
  [parseHosts, TEXTS],
  [parseLanguageTag, TEXT],
  [parseMinutes, POSITIVE],
  [parseMoment, TEXT],
  [parseObjectIds, TEXTS],
  [parseRate, { anyOf: [POSITIVE, { type: 'string', pattern: '^[0-9.]+(?:/s)?$' }] }],
  [parseSeconds, { anyOf: [POSITIVE, { type: 'string', pattern: '^[0-9.]+s?$' }] }],
]);

/** The schemas of the settings that are not options. */
const STRUCTURED: Readonly<Record<string, SettingSchema>> = {
  withhold: {
    ...toSchema(withholdingSchema),
    description: 'Records, fields and persons that the site must not show.',
  },
  design: {
    ...toSchema(designSchema),
    description: 'How the site looks and what it says: title, colors, fonts, sections, fields.',
  },
  notices: {
    ...toSchema(noticesSchema),
    description: 'Content warnings, which cover what they are about, and cultural-protocol labels, which precede it.',
  },
  components: {
    ...toSchema(componentsSchema),
    description: 'Own components (.astro files) by the names of those that they replace.',
  },
};

/**
 * Returns a JSON Schema (2020-12) of microfiche.config.json.
 * @throws {Error} if a setting that is not an option has no schema
 */
export function createConfigSchema(commands: readonly Command[]): SettingSchema {
  const found = new Map<string, Array<{ command: string; option: Option }>>();
  for (const command of commands)
    for (const option of command.options) {
      if (isCommandLineOnly(option)) continue;
      const name = option.attributeName();
      found.set(name, [...(found.get(name) ?? []), { command: command.name(), option }]);
    }
  const structured = Object.keys(STRUCTURED_SETTINGS).map((name) => {
    const schema = STRUCTURED[name];
    if (!schema) throw new Error(`The setting "${name}" has no schema. Add it to scripts/package/config-schema.ts.`);
    return [name, schema] as const;
  });
  const options = [...found].map(([name, uses]) => [name, describeSetting(uses)] as const);
  const sorted = [...options, ...structured].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Microfiche',
    description:
      'Settings are named like the options of the commands, in camelCase. Options on the command line take precedence.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(sorted) },
    additionalProperties: false,
  };
}

/** Describes a setting that some commands have as an option, in the words of their help. */
function describeSetting(uses: ReadonlyArray<{ command: string; option: Option }>): SettingSchema {
  const schemas = distinct(uses.map(({ option }) => schemaOfOption(option)));
  const words = distinct(uses.map(({ option }) => wordsOf(option)));
  const commandsWith = (text: string) => uses.filter(({ option }) => wordsOf(option) === text).map(({ command }) => command);
  const lines = words.map((text) => (words.length === 1 ? text : `${commandsWith(text).join(', ')}: ${text}`));
  const defaults = distinct(uses.map(({ option }) => writtenDefault(option)));
  return {
    ...(schemas.length === 1 ? schemas[0] : { anyOf: schemas }),
    description: lines.join('\n'),
    ...(defaults.length === 1 && defaults[0] !== undefined ? { default: defaults[0] } : {}),
  };
}

/** The description of an option, as that of a setting: those with `--no-` have no such prefix there. */
function wordsOf({ description, negate }: Option): string {
  return negate ? `If false: ${description.charAt(0).toLowerCase()}${description.slice(1)}` : description;
}

function schemaOfOption(option: Option): SettingSchema {
  if (!option.required && !option.optional) return { type: 'boolean' };
  const { parseArg, argChoices, variadic } = option;
  const schema = argChoices
    ? { enum: argChoices }
    : ((parseArg && (schemaOfParser(parseArg) ?? PARSERS.get(parseArg))) ?? (parseArg ? ANY : TEXT));
  return variadic && schema !== TEXTS ? { anyOf: [{ type: 'array', items: schema, minItems: 1 }, schema] } : schema;
}

/** The default as it would be written as a setting. Undefined if there is none, or if the help describes it in other words. */
function writtenDefault({ defaultValue, defaultValueDescription, negate }: Option): unknown {
  if (negate) return true;
  if (Array.isArray(defaultValue)) return defaultValue;
  if (defaultValueDescription !== undefined) return /^\S+$/.test(defaultValueDescription) ? defaultValueDescription : undefined;
  return ['string', 'number', 'boolean'].includes(typeof defaultValue) ? defaultValue : undefined;
}

/** Alternatives that a schema names itself replace what is read from its functions. */
function toSchema(schema: z.ZodType): SettingSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.anyOf) for (const keyword of ['type', 'items', 'minItems'] as const) delete jsonSchema[keyword];
    },
  });
  return rest;
}

/** Returns the values without repetitions; objects are compared as JSON. */
function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
