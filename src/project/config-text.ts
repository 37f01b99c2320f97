/** The file with the settings of a new project. */
import type { ProjectChoices } from './choices.ts';

/** The schema that describes the settings to editors, as an installed package has it. */
const SCHEMA = './node_modules/microfiche/lib/config.schema.json';

/** Returns the path and the text of the file. */
export function configFile(choices: ProjectChoices): [path: string, text: string] {
  const { title, authorsUrl, catalogUrl, contact, languages, config } = choices;
  const settings = { authorsUrl, catalogUrl, discover: true, ...(contact && { contact }), languages, design: { title } };
  if (config === 'json') return ['microfiche.config.json', `${toJson({ $schema: SCHEMA, ...settings })}\n`];
  // A line break within a text is escaped, so only names of settings are at the beginning of a line.
  const literal = toJson(settings).replace(/^( +)"(\w+)":/gm, '$1$2:');
  return ['microfiche.config.ts', `import { defineConfig } from 'microfiche';\n\nexport default defineConfig(${literal});\n`];
}

/** Returns JSON with short lists in one line. A line break within a text is escaped, so those that are matched are between values. */
function toJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2);
  return json.replace(/\[\n +("\w+"(?:,\n +"\w+")*)\n +\]/g, (_, items: string) => `[${items.replace(/,\n +/g, ', ')}]`);
}
