/**
 * The Astro integration, `import microfiche from 'microfiche-archive/astro'`: puts the site of an archive below a path of a
 * larger site that Astro builds. It is JavaScript, so that a checkout and the npm package have the same one, and runs the command
 * line in a process of its own: the project may have another version of Astro, and run on an older Node. Its types are made by
 * scripts/package.
 */
import { execFile } from 'node:child_process';
import { constants, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('./bin.mjs', import.meta.url));
/** Below the project: the site, kept so that the next build renders only what changed. */
const KEPT = '.microfiche/astro';
const OPTIONS = ['base', 'snapshot', 'settings'];
/** Files whose change may change the site, by their paths in the project. */
const SOURCES = /^(?:src|content|languages)\/|^microfiche\.config\.(?:json|ts)$/;

/** Returns the integration. */
export default function microfiche(options = {}) {
  if (!isObject(options)) fail('The integration takes an object with its options, as in microfiche({ base: "archive" }).');
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) fail(`There is an unknown option "${unknown}". The options are ${OPTIONS.join(', ')}.`);
  if (options.settings !== undefined && !isObject(options.settings))
    fail('The option "settings" must be an object, with the same settings as in microfiche.config.json.');
  const base = checkBase(options.base ?? 'archive');
  let project;
  return {
    name: 'microfiche',
    hooks: {
      'astro:config:done': ({ config }) => {
        const root = fileURLToPath(config.root);
        const top = `${config.base.replace(/\/?$/, '/')}${base}/`;
        project = {
          ...options,
          base,
          top,
          root,
          site: config.site && new URL(top, config.site).href,
          out: join(root, KEPT, base),
        };
      },
      'astro:server:setup': ({ server, logger }) => serveSite(server, project, logger),
      'astro:build:done': async ({ dir, logger }) => {
        const { pages, pageProblems } = await build(project);
        const copied = await publish(project, fileURLToPath(dir));
        logger.info(`${pages} pages below ${project.top}; copied ${copied} files.`);
        for (const { page, cause } of pageProblems) logger.warn(`${page}: ${cause}`);
      },
    },
  };
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkBase(base) {
  const path = (typeof base === 'string' ? base : '').replace(/^\/|\/$/g, '');
  if (/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/.test(path)) return path;
  return fail(`The option "base" must be a path such as "archive"; it is ${JSON.stringify(base)}.`);
}

/** Builds the site to be kept. Returns the report. */
async function build({ root, out, site, snapshot, settings }) {
  const args = ['build', '--json', '--out', out];
  if (site !== undefined) args.push('--site', site);
  if (snapshot !== undefined) args.push('--snapshot', resolve(root, snapshot));
  const env = { ...process.env };
  if (settings !== undefined) env.MICROFICHE_SETTINGS = JSON.stringify(settings);
  const run = promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: root, env, maxBuffer: Infinity });
  const { stdout } = await run.catch(({ stderr, message }) =>
    // The command names its options; here they are those of the integration.
    fail(
      (stderr || message)
        .trim()
        .replace(/^microfiche: /, '')
        .replaceAll('--snapshot', '"snapshot"'),
    ),
  );
  return JSON.parse(stdout);
}

/**
 * Copies the site below the output of the project. Files that the project has there itself are never replaced. Those that an
 * earlier build has copied are deleted if the site no longer has them. Returns the number of copied files.
 */
async function publish({ base, out, root }, dir) {
  const target = join(dir, base);
  const noteFile = join(root, KEPT, `${base.replaceAll('/', '+')}.json`);
  const note = existsSync(noteFile) ? JSON.parse(readFileSync(noteFile, 'utf8')) : {};
  const earlier = new Map(note.target === target ? note.files : []);
  const isOurs = (path) => earlier.get(path) === stampOf(join(target, path));
  const parts = base.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'));
  const file = parts.find((path) => lstatSync(join(dir, path), { throwIfNoEntry: false })?.isDirectory() === false);
  if (file !== undefined)
    fail(`${file} is a file of this project, so no site can be below it. Choose another "base" than "${base}".`);
  const paths = listFiles(out);
  const taken = paths.find((path) => lstatSync(join(target, path), { throwIfNoEntry: false }) && !isOurs(path));
  if (taken !== undefined)
    fail(
      `${base}/${taken} is also a page or file of this project. Choose another "base" than "${base}", or rename the page or file.`,
    );
  const planned = new Set(paths);
  for (const path of earlier.keys()) if (!planned.has(path) && isOurs(path)) rmSync(join(target, path));
  for (const directory of new Set(paths.map((path) => dirname(join(target, path))))) mkdirSync(directory, { recursive: true });
  for (const path of paths) await copyFile(join(out, path), join(target, path), constants.COPYFILE_FICLONE);
  writeFileSync(noteFile, JSON.stringify({ target, files: paths.map((path) => [path, stampOf(join(target, path))]) }));
  return paths.length;
}

/** Returns what changes if a file is written again; undefined without a file. */
function stampOf(file) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.size} ${stats.mtimeMs}` : undefined;
}

function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort();
}

/** Serves the site in the dev server. It is built when a page is first requested, and again after a source was changed. */
async function serveSite(server, project, logger) {
  const { default: send } = await import('send');
  let building = Promise.resolve();
  let isStale = true;
  const rebuild = () => {
    if (!isStale) return building;
    isStale = false;
    // After the build that still runs: two would write to the same directory.
    building = building
      .catch(() => undefined)
      .then(() => build(project))
      .catch((error) => {
        isStale = true;
        throw error;
      });
    return building;
  };
  server.watcher.on('all', (_, file) => {
    const path = file.startsWith(project.root) ? file.slice(project.root.length).replaceAll(sep, '/') : '';
    if (SOURCES.test(path.replace(/^\//, ''))) isStale = true;
  });
  server.watcher.add(
    ['content', 'languages', 'microfiche.config.json', 'microfiche.config.ts'].map((name) => join(project.root, name)),
  );
  server.middlewares.use((request, response, next) => {
    const [path] = (request.originalUrl ?? request.url).split('?');
    if (path === project.top.slice(0, -1)) {
      response.writeHead(302, { Location: project.top });
      response.end();
    } else if (path.startsWith(project.top)) {
      rebuild().then(
        () =>
          send(request, path.slice(project.top.length - 1), { root: project.out, cacheControl: false, dotfiles: 'allow' })
            .on('error', () => next())
            .on('directory', () => next())
            .pipe(response),
        (error) => {
          logger.error(error.message);
          response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' });
          response.end(error.message);
        },
      );
    } else next();
  });
}

/** Throws an error whose message says everything: Astro would print the stack trace too. */
function fail(message) {
  const error = new Error(message);
  error.stack = message;
  throw error;
}
