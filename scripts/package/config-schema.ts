/** Makes the JSON Schema of the settings from the rows of the options, and the schemas of the settings without an option. */
import { z } from 'zod';
import { STRUCTURED_SETTINGS } from '../options/config.ts';
import { isRepeatable, isSetting, listRows, type NamedRow, type Row } from '../options/option-row.ts';
import type { SettingSchema } from '../options/option-values.ts';
import { SECTIONS } from '../options/options.ts';

/** Returns a JSON Schema (2020-12) of microfiche.config.json. */
export async function createConfigSchema(): Promise<SettingSchema> {
  const rows = Map.groupBy(listRows(SECTIONS).filter(isSetting), ({ name }) => name);
  const properties: Array<[name: string, schema: SettingSchema]> = Array.from(rows, ([name, all]) => [name, schemaOf(all)]);
  for (const [name, { text, schema }] of Object.entries(STRUCTURED_SETTINGS))
    properties.push([name, { ...toSchema(await schema()), description: text }]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Microfiche',
    description:
      'Settings are named like the options of the commands, in camelCase. Options on the command line take precedence.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1))) },
    additionalProperties: false,
  };
}

/** Returns the schema of a setting, in the words of the help. Commands may have it with other words and defaults. */
function schemaOf(rows: readonly NamedRow[]): SettingSchema {
  const [{ row } = { row: { text: '' } as Row }] = rows;
  const texts = Map.groupBy(rows, (one) => textOf(one.row));
  const lines = Array.from(texts, ([text, { 0: first }]) => (texts.size === 1 ? text : `${first?.of.join(', ')}: ${text}`));
  const [usual, ...others] = new Set(rows.map((one) => JSON.stringify(defaultOf(one.row))));
  const type = row.type?.schema ?? { type: 'boolean' };
  return {
    ...(isRepeatable(row) && !type['anyOf'] ? { anyOf: [{ type: 'array', items: type, minItems: 1 }, type] } : type),
    description: lines.join('\n'),
    ...(usual === undefined || others.length > 0 ? {} : { default: JSON.parse(usual) as unknown }),
  };
}

/** The text of an option, as that of a setting: those with `--no-` have no such prefix there. */
const textOf = ({ text, negates }: Row) => (negates ? `If false: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text);

/** The default as it would be written as a setting. */
const defaultOf = ({ default: usual, shown }: Row) => (Array.isArray(usual) ? usual : (shown ?? usual));

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
