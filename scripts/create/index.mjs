#!/usr/bin/env node
// `npm create microfiche@latest DIR`: installs microfiche-archive of the same version in a new project, and runs its `init`.
// It is JavaScript that any Node can read, so that an old one is told what it lacks.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const PACKAGE = 'microfiche-archive';
const USAGE = 'npm create microfiche@latest my-archive';
const { version, engines } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
/** Written before npm runs, and completed by `init`. npm 12 runs the install scripts of no other packages. */
const MANIFEST = {
  private: true,
  dependencies: { [PACKAGE]: version },
  allowScripts: { node: true, esbuild: true },
};
/** What a directory may have before: a Git repository, and what an earlier attempt has written. */
const ALLOWED = ['.git', 'package.json', 'package-lock.json', 'node_modules'];

process.exitCode = create(process.argv.slice(2));

/** Starts the project. Returns the exit code: 1 after a failure, 2 after a usage error. */
function create([name, ...options]) {
  const oldest = /\d+/.exec(engines.node)[0];
  if (Number.parseInt(process.versions.node, 10) < Number(oldest))
    return fail(
      1,
      `Node.js ${oldest} or later is required; this is ${process.versions.node}. Install a newer one from nodejs.org.`,
    );
  if ([name, ...options].some((each) => each === '--help' || each === '-h')) {
    console.log(`Usage: ${USAGE} [-- options of "microfiche init"]\n\nStarts a project of your own. Without options, it asks.`);
    return 0;
  }
  if (name === undefined || name.startsWith('-')) return fail(2, `Name the directory of the new project first: ${USAGE}`);
  const [second = '-'] = options;
  if (!second.startsWith('-')) return fail(2, `Write two hyphens before options: ${USAGE} -- --title "My archive"`);
  if (/[#?*\\]/.test(name) && process.platform !== 'win32')
    return fail(2, `${name} has a character that paths may not have: # ? * \\.`);
  const directory = resolve(name);
  const manifest = join(directory, 'package.json');
  const text = `${JSON.stringify(MANIFEST, undefined, 2)}\n`;
  try {
    mkdirSync(directory, { recursive: true });
    const found = readdirSync(directory).filter((entry) => !ALLOWED.includes(entry));
    if (found.length > 0 || (existsSync(manifest) && readFileSync(manifest, 'utf8') !== text))
      return fail(1, `${directory} is not empty, and nothing was written. Choose a new directory: ${USAGE}`);
    writeFileSync(manifest, text);
  } catch (error) {
    return fail(1, `${directory} cannot be written (${error.code}). Choose another directory.`);
  }
  console.error(`Installing ${PACKAGE} ${version} in ${directory}, which takes about a minute.`);
  if (runNpm(['install', '--no-audit', '--no-fund'], directory) !== 0)
    return fail(1, `npm could not install ${PACKAGE} ${version}: see above. Run the same command again to go on.`);
  // In a workspace, npm installs packages in a directory above.
  const program = createRequire(manifest)
    .resolve(`${PACKAGE}/package.json`)
    .replace(/package\.json$/, 'scripts/bin.mjs');
  const code = run(process.execPath, [program, 'init', name, ...options]);
  return code === 0
    ? 0
    : fail(
        code,
        `${PACKAGE} is installed, but the project was not started. Run in ${name}: ${['npx --no-install microfiche init', ...options].join(' ')}`,
      );
}

/** Runs npm: the one that runs this program, or else that in the path. */
function runNpm(args, cwd) {
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.c?js$/.test(npm)) return run(process.execPath, [npm, ...args], { cwd });
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, shell: process.platform === 'win32' });
}

/** Runs a program on this terminal. Returns its exit code; 1 if it could not be started, or was killed. */
function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: ['inherit', options ? 2 : 1, 2], ...options });
  if (error) console.error(error.message);
  return status === null ? 1 : status;
}

function fail(code, sentence) {
  console.error(`create-microfiche: ${sentence}`);
  return code;
}
