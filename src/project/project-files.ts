/** The files of a new project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../model/version.ts';
import { shortHash } from '../platform/short-hash.ts';
import { toPrintable } from '../platform/text-lines.ts';
import type { Automation, ProjectChoices } from './choices.ts';
import { PACKAGE_FILE } from './installed-from.ts';
import { type Manifest, packageManifest, packageName } from './package-manifest.ts';

/** A file of a project whose template is in `templates`. */
interface TemplateFile {
  template: string;
  /** Relative to the project's directory. */
  path: (name: string) => string;
}

/** A file that has the same path in each project. */
const fixed = (template: string, path: string): TemplateFile => ({ template, path: () => path });
const COMMON = [fixed('readme.md', 'README.md'), fixed('gitignore', '.gitignore')];
/** The own pages. They are in English, which their names say in a site whose main language is another one. */
const OWN_PAGES = { 'about.md': 'content/pages/about', 'exhibit.md': 'content/exhibits/example' };
const CONTAINER = [fixed('Containerfile', 'Containerfile'), fixed('containerignore', '.containerignore')];
const BY_AUTOMATION: Readonly<Record<Automation, readonly TemplateFile[]>> = {
  github: [fixed('github.yml', '.github/workflows/update.yml')],
  gitlab: [fixed('gitlab.yml', '.gitlab-ci.yml')],
  systemd: ['service', 'timer'].map((kind) => ({
    template: `systemd.${kind}`,
    path: (name) => `deploy/systemd/${name}-update.${kind}`,
  })),
  container: CONTAINER,
  kubernetes: [...CONTAINER, fixed('kubernetes.yaml', 'deploy/kubernetes.yaml')],
};

/** Returns the texts of all files of a project, by path relative to its directory. `existing` is the package.json that it has. */
export function createProjectFiles(choices: ProjectChoices, existing?: Manifest): Map<string, string> {
  const name = packageName(choices);
  const values = templateValues(choices, name);
  const ending = ownPageEnding(choices);
  const ownPages = Object.entries(OWN_PAGES).map(([template, path]) => fixed(template, `${path}${ending}`));
  const templates = [...COMMON, ...ownPages, ...choices.automations.flatMap((automation) => BY_AUTOMATION[automation])];
  const filled = templates.map(({ template, path }) => [path(name), fillTemplate(readTemplate(template), values)] as const);
  return new Map([['package.json', packageManifest(choices, existing)], configFile(choices), ...filled]);
}

const ownPageEnding = ({ languages: [main] }: ProjectChoices) => (main === 'en' ? '.md' : '.en.md');

/** The texts that templates name, each escaped for the syntax of its place. */
function templateValues(choices: ProjectChoices, name: string): TemplateValues {
  const { title, directory, user, config, automations, dependency } = choices;
  const unescaped: TemplateValues = {
    name,
    config: `microfiche.config.${config}`,
    minute: String(minuteOf(name)),
    // The package of Microfiche, if the project has it as a file beside its package.json.
    'package to copy': dependency === `file:${PACKAGE_FILE}` ? ` ${PACKAGE_FILE}` : '',
    'own pages end in': ownPageEnding(choices),
    'title in Markdown': toOneLine(title).replace(/[\\`*_[\]<>&~|#!:]/g, '\\$&'),
    'title in YAML': quoteForYaml(title),
    'title in systemd': escapeForSystemd(title),
    'title in Containerfile': `"${toOneLine(title).replace(/["\\$]/g, '\\$&')}"`,
    'directory in systemd': escapeForSystemd(directory),
    'directory in a list of systemd': `"${escapeForSystemd(directory).replace(/["\\]/g, '\\$&')}"`,
    'user in systemd': escapeForSystemd(user),
  };
  const parts = automations.map((automation) => fillTemplate(readTemplate(`readme-${automation}.md`), unescaped));
  return { ...unescaped, automations: parts.map((part) => `\n${part}`).join('') };
}

/** The minute at which updates start: it depends on the name, so that not all mirrors send their requests at once. */
function minuteOf(name: string): number {
  const [first = 'a', second = 'a'] = shortHash(name);
  return (first.charCodeAt(0) * 31 + second.charCodeAt(0)) % 60;
}

const readTemplate = (name: string): string => readFileSync(join(import.meta.dirname, 'templates', name), 'utf8');

const MAX_LENGTH = 4_096;
/** Characters that JSON allows in texts, and YAML does not. */
const NOT_IN_YAML = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text as a value in YAML, in double quotes. JSON is a subset of YAML, except for some characters. */
function quoteForYaml(text: string): string {
  return JSON.stringify(text).replace(NOT_IN_YAML, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A text within a line of a systemd unit that is neither first nor last in it. There, `%` begins a specifier. */
const escapeForSystemd = (text: string): string => toOneLine(text).replaceAll('%', '%%');

const toOneLine = (text: string) => toPrintable(text, MAX_LENGTH);

/** Texts by the names of their places, already escaped. */
type TemplateValues = Readonly<Record<string, string>>;

/**
 * Returns a template with its values. Values are not read for places again.
 * @throws {Error} if a place has no value
 */
function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/@@([\w ]+)@@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template names "${name}", which has no value`);
    return value;
  });
}

/** The schema that describes the settings to editors, as an installed package has it. */
const SCHEMA = `./node_modules/${PACKAGE}/lib/config.schema.json`;

/** Returns the path and the text of the file with the settings. */
function configFile(choices: ProjectChoices): [path: string, text: string] {
  const { title, authorsUrl, catalogUrl, contact, languages, config } = choices;
  const settings = { authorsUrl, catalogUrl, discover: true, ...(contact && { contact }), languages, design: { title } };
  if (config === 'json') return ['microfiche.config.json', `${toJson({ $schema: SCHEMA, ...settings })}\n`];
  // A line break within a text is escaped, so only names of settings are at the beginning of a line.
  const literal = toJson(settings).replace(/^( +)"(\w+)":/gm, '$1$2:');
  return ['microfiche.config.ts', `import { defineConfig } from '${PACKAGE}';\n\nexport default defineConfig(${literal});\n`];
}

/** Returns JSON with short lists on one line. Line breaks within a text are escaped, so those matched are between values. */
function toJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2);
  return json.replace(/\[\n +("\w+"(?:,\n +"\w+")*)\n +\]/g, (_, items: string) => `[${items.replace(/,\n +/g, ', ')}]`);
}
