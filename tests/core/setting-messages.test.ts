/** What is said about wrong values of the settings that are not options: for each value that the JSON Schema refuses. */
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { beforeAll, expect, it } from 'vitest';
import { STRUCTURED_SETTINGS } from '../../scripts/options/config.ts';
import { createConfigSchema } from '../../scripts/package/config-schema.ts';
import { checkerOf } from '../../src/model/setting-problem.ts';

type Schema = AnySchemaObject;
type Path = ReadonlyArray<string | number>;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const VALUES = [null, true, 7, -1.5, '', 'no such value', [], [7], [[]], [null], {}, { nothing: 7 }];

/** Returns values at the limits that a schema states. */
function valuesBeyond({ maxLength, minimum, maximum, maxItems, items }: Schema): unknown[] {
  return [
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(validFor(items))]),
  ];
}

/** Returns a value for a schema that is right at least in its form. */
function validFor({ anyOf, enum: choices, type, properties = {}, required = [], items, minItems = 0, format }: Schema): unknown {
  if (anyOf) return validFor(anyOf[0]);
  if (choices) return choices[0];
  if (type === 'array') return Array.from({ length: minItems }, () => validFor(items));
  if (type === 'object') return Object.fromEntries(required.map((name: string) => [name, validFor(properties[name])]));
  return type === 'string' ? (format === 'date' ? '2026-01-01' : 'demo-org-1-2') : 1;
}

/** Yields each place of a schema, with a function that returns settings with a value there. */
function* placesOf(schema: Schema, path: Path, put: (value: unknown) => unknown): Iterable<[Schema, Path, typeof put]> {
  yield [schema, path, put];
  for (const branch of schema['anyOf'] ?? []) if (branch.type !== 'string') yield* partsOf(branch, path, put);
  yield* partsOf(schema, path, put);
}

function* partsOf(schema: Schema, path: Path, put: (value: unknown) => unknown): Iterable<[Schema, Path, typeof put]> {
  const { properties = {}, items, additionalProperties, propertyNames } = schema;
  const whole = schema['type'] === 'object' ? (validFor(schema) as object) : {};
  for (const [name, part] of Object.entries<Schema>(properties))
    yield* placesOf(part, [...path, name], (value) => put({ ...whole, [name]: value }));
  const key = propertyNames?.enum?.[0];
  if (key !== undefined && typeof additionalProperties === 'object')
    yield* placesOf(additionalProperties, [...path, key], (value) => put({ [key]: value }));
  if (items) yield* placesOf(items, [...path, 0], (value) => put([value]));
}

let wrong: Array<{ setting: string; path: Path; value: unknown; settings: unknown; isInner: boolean }>;
beforeAll(async () => {
  const { properties } = (await createConfigSchema()) as { properties: Record<string, Schema> };
  wrong = Object.keys(STRUCTURED_SETTINGS).flatMap((setting) =>
    [...placesOf(properties[setting] as Schema, [], (value) => value)].flatMap(([schema, path, put]) => {
      const accepts = ajv.compile(schema);
      const branches: Schema[] = [schema, ...(schema['anyOf'] ?? [])];
      return [...VALUES, ...branches.flatMap(valuesBeyond)]
        .filter((value) => !accepts(value))
        .map((value) => ({ setting, path, value, settings: put(value), isInner: typeof value === 'object' && value !== null }));
    }),
  );
});

it('has all of them', () => {
  const places = new Set(wrong.map(({ setting, path }) => [setting, ...path].join('.')));
  for (const place of ['design.fonts.text.0.weight', 'design.facetLabels.topic.many.es', 'notices.0.link', 'withhold.0.person.0'])
    expect(places).toContain(place);
  for (const place of ['design', 'notices.0', 'components', 'components.Footer', 'withhold.0']) expect(places).toContain(place);
});

it('is one plain sentence for each, which names the setting and says what it must be', async () => {
  const bad: string[] = [];
  for (const { setting, path, value, settings, isInner } of wrong) {
    const schema = await STRUCTURED_SETTINGS[setting]?.schema();
    if (!schema) throw new Error(`No setting ${setting}`);
    const check = checkerOf(setting, schema);
    const place = [setting, ...path].join('.');
    const problems = check(settings).filter((one) => `${one.path.join('.')}.`.startsWith(`${place}.`));
    const complain = (what: string) => void bad.push(`${place} = ${JSON.stringify(value).slice(0, 60)}: ${what}`);
    if (problems.length === 0)
      complain(
        `nothing; ${check(settings)
          .map(({ problem }) => problem)
          .join(' ')}`,
      );
    if (problems.length > 1 && !isInner) complain(`${problems.length} sentences`);
    for (const { problem } of problems) {
      if (!/^"[\w.]+" (?:must|needs|has) [^\n]+[^.\s]\.$/.test(problem)) complain(problem);
      if (/invalid|expected|received|unrecognized|too (?:small|big)|undefined|null|regex|pattern|>=|<=/i.test(problem))
        complain(problem);
      if (!problem.startsWith(`"${place}`)) complain(`unnamed: ${problem}`);
    }
  }
  expect(wrong.length).toBeGreaterThan(300);
  expect([...new Set(bad)]).toEqual([]);
});
