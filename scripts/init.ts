/** `microfiche init`: starts a project that mirrors an archive. */
import { userInfo } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { UsageError, UserError } from '../src/model/errors.ts';
import { isObject } from '../src/model/values.ts';
import { formatCount, toPrintable } from '../src/platform/text-lines.ts';
import { AUTOMATIONS, type Automation, type ProjectChoices } from '../src/project/choices.ts';
import { dependencyOn, installedFrom, PACKAGE_FILE, type Source } from '../src/project/installed-from.ts';
import { createProjectFiles } from '../src/project/project-files.ts';
import { readEmptyProject, writeProject } from '../src/project/write-project.ts';
import { automations, baseUrl, contact, title } from './option-values.ts';
import type { Flags as FlagsOf } from './options.ts';

type Flags = FlagsOf<'init'>;

/** The user of systemd's service if root starts the project. */
const SERVICE_USER = 'microfiche';

/** Runs the command `init`. */
export async function runInit(dir: string, flags: Flags): Promise<void> {
  const directory = resolve(dir);
  const existing = readEmptyProject(directory);
  const source = installedFrom(join(import.meta.dirname, '..'));
  const choices = await completeChoices(directory, flags);
  const texts = createProjectFiles({ ...choices, dependency: dependencyOn(source, directory) }, existing);
  const hasOwn = isObject(existing?.['dependencies']) && 'microfiche' in existing['dependencies'];
  const copies = new Map(source.kind === 'file' && !hasOwn ? [[PACKAGE_FILE, source.file]] : []);
  writeProject(directory, { texts, copies });
  const paths = [...texts.keys(), ...copies.keys()];
  if (flags.json) console.log(JSON.stringify({ directory, files: paths }));
  else for (const line of projectLines(directory, paths, source)) console.log(line);
}

/**
 * Completes the options with choices from the terminal.
 * @throws {UsageError} if choices are missing, and prompts are not possible
 */
async function completeChoices(directory: string, flags: Flags): Promise<Omit<ProjectChoices, 'dependency'>> {
  const canPrompt = !flags.yes && !flags.json && process.stdin.isTTY === true;
  const required = { title: flags.title, authorsUrl: flags.authorsUrl, catalogUrl: flags.catalogUrl };
  const missing = Object.entries(required).flatMap(([name, value]) => (value === undefined ? [OPTION_NAMES[name]] : []));
  if (!canPrompt && missing.length > 0)
    throw new UsageError(`Without prompts, init needs ${missing.join(', ')}. Run it on a terminal without --yes to be prompted.`);
  const given = { ...required, contact: flags.contact, with: flags.with };
  const { title, authorsUrl, catalogUrl, contact, with: automations } = canPrompt ? await promptForValues(PROMPTS, given) : given;
  if (title === undefined || authorsUrl === undefined || catalogUrl === undefined)
    throw new Error('A required prompt has no value');
  return {
    directory,
    title,
    authorsUrl,
    catalogUrl,
    contact,
    languages: flags.languages,
    config: flags.config,
    automations: automations ?? [],
    user: userName(),
  };
}

const OPTION_NAMES: Readonly<Record<string, string>> = {
  title: '--title',
  authorsUrl: '--authors-url',
  catalogUrl: '--catalog-url',
};

/** The choices for which a terminal has prompts. */
interface PromptedChoices {
  title: string | undefined;
  authorsUrl: string | undefined;
  catalogUrl: string | undefined;
  contact: string | undefined;
  with: Automation[] | undefined;
}

const PROMPTS: ReadonlyArray<Prompt<PromptedChoices>> = [
  { name: 'title', text: 'Title of the site', parse: title.parse },
  { name: 'authorsUrl', text: 'Base URL of the guide API, the part before /api/3.0/', parse: baseUrl.parse },
  {
    name: 'catalogUrl',
    text: 'Base URL of the records API, the part before /api/0.2/',
    parse: baseUrl.parse,
    usual: ({ authorsUrl }) => authorsUrl,
  },
  {
    name: 'contact',
    text: "Your e-mail address or URL, for the archive's staff (empty: none)",
    parse: contact.parse,
    isOptional: true,
  },
  {
    name: 'with',
    text: `Files for automatic updates: ${AUTOMATIONS.join(', ')} (empty: none)`,
    parse: automations.parse,
    isOptional: true,
  },
];

function userName(): string {
  try {
    const { username, uid } = userInfo();
    return uid === 0 ? SERVICE_USER : username;
  } catch {
    return SERVICE_USER; // this user has no name
  }
}

function projectLines(directory: string, paths: readonly string[], source: Source): string[] {
  const shown = toPrintable(relative(process.cwd(), directory) || '.');
  return [
    `Started a project in ${shown}: ${formatCount(paths.length, 'file')}.`,
    ...paths.map((path) => `  ${path}`),
    ...(source.kind === 'directory'
      ? [`It can be installed on this machine only, because it uses the checkout in ${toPrintable(source.directory)}.`]
      : []),
    'Next:',
    ...(shown === '.' ? [] : [`  cd ${/^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`}`]),
    '  npm install && npx --no-install microfiche update',
    '  npx --no-install microfiche serve',
  ];
}

/** A prompt for one of the values `V`. */
interface Prompt<V> {
  name: keyof V;
  /** Without colon. */
  text: string;
  /** Parses what was typed. Throws an InvalidArgumentError if it is not valid; then the prompt is repeated. */
  parse: (typed: string) => V[keyof V];
  /** Returns the value of an empty line, as it would be typed. */
  usual?: (values: V) => string | undefined;
  /** Whether an empty line means no value. */
  isOptional?: boolean;
}

/**
 * Prompts for each value that is not given, and returns all of them.
 * @throws {UserError} if the input ends or Ctrl-C is pressed
 */
async function promptForValues<V extends object>(prompts: ReadonlyArray<Prompt<V>>, given: V): Promise<V> {
  const values = { ...given };
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  terminal.once('SIGINT', () => ended.abort());
  const readLine = (text: string) => terminal.question(text, { signal: ended.signal });
  try {
    for (const prompt of prompts)
      if (values[prompt.name] === undefined) values[prompt.name] = await promptUntilValid(prompt, values, readLine);
    return values;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    process.stderr.write('\n');
    throw new UserError('The prompts were interrupted, and nothing was written.');
  } finally {
    terminal.close();
  }
}

async function promptUntilValid<V>(
  prompt: Prompt<V>,
  values: V,
  readLine: (text: string) => Promise<string>,
): Promise<V[keyof V]> {
  const usual = prompt.usual?.(values);
  for (;;) {
    const line = await readLine(`${prompt.text}${usual === undefined ? '' : ` [${usual}]`}: `);
    const typed = line.trim() || (usual ?? '');
    if (typed === '' && prompt.isOptional) return undefined as V[keyof V];
    try {
      return prompt.parse(typed);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
}
