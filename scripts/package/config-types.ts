/** Writes the JSON Schema of the settings as TypeScript, for microfiche.config.ts. */
import { isObject } from '../../src/model/values.ts';
import type { SettingSchema } from '../options/option-values.ts';

/** Returns the text of a declaration file that exports the type `Settings` and the function `defineConfig`. */
export function configTypes(schema: SettingSchema): string {
  return [
    '/** Settings of Microfiche. Made from the options of its commands. */',
    `export interface Settings ${typeOf(schema)}`,
    '',
    '/** Returns the settings unchanged. Editors check and complete them by their type. */',
    'export declare function defineConfig(settings: Settings): Settings;',
    '',
  ].join('\n');
}

/** Returns the text of a declaration file for the Astro integration, beside that of the settings. */
export function integrationTypes(): string {
  return `import type { AstroIntegration } from 'astro';
import type { Settings } from './config.js';

/** The options of the integration. */
export interface IntegrationOptions {
  /**
   * The path below which the site is, relative to the top of the project's site.
   * @default "archive"
   */
  base?: string;
  /** The snapshot directory, relative to the project. */
  snapshot?: string;
  /** Settings, instead of those of microfiche.config.json or microfiche.config.ts in the project. */
  settings?: Settings;
}

/** Puts the site of an archive below a path of a larger site. */
export default function microfiche(options?: IntegrationOptions): AstroIntegration;
`;
}

const typeOf = (schema: unknown, indent = ''): string => [...new Set(alternatives(schema, indent))].join(' | ');

/** @throws {Error} if the schema has a form that no setting has so far */
function alternatives(schema: unknown, indent: string): string[] {
  if (!isObject(schema)) throw new Error(`Not a schema: ${JSON.stringify(schema)}`);
  const { type, enum: values, anyOf, items } = schema;
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each));
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => alternatives(each, indent));
  if (Array.isArray(type)) return type.flatMap((each) => alternatives({ type: each }, indent));
  if (type === 'array') return [`Array<${typeOf(items, indent)}>`];
  if (type === 'object') return [objectType(schema, indent)];
  const simple = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean' }[String(type)];
  if (simple === undefined) throw new Error(`A setting has a schema of another form: ${JSON.stringify(schema)}`);
  return [simple];
}

function objectType({ properties, required, propertyNames, additionalProperties }: SettingSchema, indent: string): string {
  if (!isObject(properties)) {
    const key = isObject(propertyNames) ? typeOf(propertyNames, indent) : 'string';
    return `Partial<Record<${key}, ${typeOf(additionalProperties, indent)}>>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, property]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return [...comment(property, inner), `${inner}${name}${isRequired ? '' : '?'}: ${typeOf(property, inner)};`];
  });
  if (isObject(additionalProperties)) lines.push(`${inner}[name: string]: ${typeOf(additionalProperties, inner)} | undefined;`);
  return ['{', ...lines, `${indent}}`].join('\n');
}

/** Returns the description of a property as a comment, with its default. */
function comment(property: unknown, indent: string): string[] {
  if (!isObject(property) || typeof property['description'] !== 'string') return [];
  const { description, default: usual } = property;
  const lines = [...String(description).split('\n'), ...(usual === undefined ? [] : [`@default ${JSON.stringify(usual)}`])];
  const safe = lines.map((line) => line.replaceAll('*/', '* /'));
  if (safe.length === 1) return [`${indent}/** ${safe[0]} */`];
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`), `${indent} */`];
}
