/** `microfiche init`: starts a project that mirrors an archive. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import { findUpstreamProblem } from '../../src/harvest/harvest.ts';
import { UsageError, UserError } from '../../src/model/errors.ts';
import { isObject } from '../../src/model/values.ts';
import { PACKAGE } from '../../src/model/version.ts';
import { attempt } from '../../src/platform/expected-errors.ts';
import { formatCount, toPrintable } from '../../src/platform/text-lines.ts';
import { AUTOMATIONS, type ProjectChoices } from '../../src/project/choices.ts';
import { dependencyOn, installedFrom, PACKAGE_FILE, type Source } from '../../src/project/installed-from.ts';
import { createProjectFiles } from '../../src/project/project-files.ts';
import { readEmptyProject, writeProject } from '../../src/project/write-project.ts';
import { listRows, longOf } from '../options/option-row.ts';
import { type Flags as FlagsOf, SECTIONS } from '../options/options.ts';
import { defaultHarvestOptions } from './harvest.ts';

type Flags = FlagsOf<'init'>;

/** The user of systemd's service if root starts the project. */
const SERVICE_USER = 'microfiche';

/** Runs the command `init`. */
export async function runInit(dir: string, flags: Flags) {
  const directory = resolve(dir);
  const existing = readEmptyProject(directory);
  const source = installedFrom(join(import.meta.dirname, '../..'));
  const choices = await completeChoices(directory, flags);
  const texts = createProjectFiles({ ...choices, dependency: dependencyOn(source, directory) }, existing);
  const hasOwn = isObject(existing?.['dependencies']) && PACKAGE in existing['dependencies'];
  const copies = new Map(source.kind === 'file' && !hasOwn ? [[PACKAGE_FILE, source.file]] : []);
  writeProject(directory, { texts, copies });
  const paths = [...texts.keys(), ...copies.keys()];
  const problem = await findUpstreamProblem(defaultHarvestOptions({ ...choices, snapshot: directory }));
  const report = { directory, files: paths, ...(problem === undefined ? {} : { problem }) };
  return { report, lines: projectLines(directory, paths, source, problem) };
}

/** The options that a project needs. */
const REQUIRED = ['title', 'authorsUrl', 'catalogUrl'] as const;
/** What a terminal prompts for, by option. An empty line means that those that are not required have no value. */
const PROMPTS: Readonly<Record<string, string>> = {
  title: 'Title of the site',
  authorsUrl: 'Base URL of the guide API, the part before /api/3.0/',
  catalogUrl: 'Base URL of the records API, the part before /api/0.2/',
  contact: "Your e-mail address or URL, for the archive's staff (empty: none)",
  with: `Files for automatic updates: ${AUTOMATIONS.join(', ')} (empty: none)`,
};

/**
 * Completes the options with choices from the terminal.
 * @throws {UsageError} if choices are missing, and prompts are not possible
 */
async function completeChoices(directory: string, flags: Flags): Promise<Omit<ProjectChoices, 'dependency'>> {
  const canPrompt = !flags.yes && !flags.json && process.stdin.isTTY === true;
  const missing = REQUIRED.filter((name) => flags[name] === undefined).map((name) => longOf({ name, row: {} }));
  if (!canPrompt && missing.length > 0)
    throw new UsageError(`Without prompts, init needs ${missing.join(', ')}. Run it on a terminal without --yes to be prompted.`);
  const values = canPrompt ? await promptForValues(flags) : flags;
  const { title, authorsUrl, catalogUrl, contact, languages, config, with: automations = [] } = values;
  if (title === undefined || authorsUrl === undefined || catalogUrl === undefined)
    throw new Error('A required prompt has no value');
  return { directory, title, authorsUrl, catalogUrl, contact, languages, config, automations, user: userName() };
}

function userName(): string {
  const { username, uid } = attempt(() => userInfo()) ?? { username: SERVICE_USER, uid: 0 }; // this user may have no name
  return uid === 0 ? SERVICE_USER : username;
}

function projectLines(directory: string, paths: readonly string[], source: Source, problem: string | undefined): string[] {
  const shown = toPrintable(relative(process.cwd(), directory) || '.');
  return [
    `Started a project in ${shown}: ${formatCount(paths.length, 'file')}.`,
    ...paths.map((path) => `  ${path}`),
    ...(source.kind === 'directory'
      ? [`It can be installed on this machine only, because it uses the checkout in ${toPrintable(source.directory)}.`]
      : []),
    ...(problem === undefined ? [] : [`A request to the archive, to check both URLs, failed: ${problem}`]),
    problem === undefined ? 'Next:' : 'The project is written. Correct a wrong URL in its configuration. Next:',
    ...(shown === '.' ? [] : [`  cd ${/^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`}`]),
    `  ${existsSync(join(directory, 'node_modules', PACKAGE)) ? '' : 'npm install && '}npx --no-install microfiche update`,
    '  npx --no-install microfiche serve',
  ];
}

/**
 * Prompts for each option that has a prompt and is not given, and returns all options.
 * @throws {UserError} if the input ends or Ctrl-C is pressed
 */
async function promptForValues(given: Flags): Promise<Flags> {
  const values: Record<string, unknown> & Flags = { ...given };
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  terminal.once('SIGINT', () => ended.abort());
  const readLine = (text: string) => terminal.question(text, { signal: ended.signal });
  try {
    for (const { name, row } of listRows(SECTIONS, 'init')) {
      if (PROMPTS[name] === undefined || values[name] !== undefined || !row.type) continue;
      // Most archives have both APIs at one address.
      const usual = name === 'catalogUrl' ? values.authorsUrl : undefined;
      const isOptional = !REQUIRED.some((required) => required === name);
      values[name] = await promptUntilValid(`${PROMPTS[name]}${usual === undefined ? '' : ` [${usual}]`}: `, readLine, (line) => {
        const typed = line.trim() || (usual ?? '');
        return typed === '' && isOptional ? undefined : row.type?.parse(typed);
      });
    }
    return values;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    process.stderr.write('\n');
    throw new UserError('The prompts were interrupted, and nothing was written.');
  }
}

/** Prompts until a line can be parsed. */
async function promptUntilValid<T>(text: string, readLine: (text: string) => Promise<string>, parse: (line: string) => T) {
  for (;;) {
    const line = await readLine(text);
    try {
      return parse(line);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
}
