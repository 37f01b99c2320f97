/** Runs the commands of a guide in a shell, as its readers do. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';

/** What is added to the environment of each command. */
export type Environment = Readonly<Record<string, string>>;

/** The exit code of downloads from the sample archive, which has a file that cannot be downloaded. */
const PARTIAL = 3;
/** For Git, which refuses to commit without them. */
export const COMMITTER: Environment = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'A newcomer'],
    [`GIT_${who}_EMAIL`, 'newcomer@example.org'],
  ]),
);
const MODULES = join(import.meta.dirname, '../../node_modules');

/** Runs a command. Rejects with its output if it fails. */
export async function runInShell(command: string, cwd: string, env: Environment = {}): Promise<void> {
  const { exitCode, all } = await execa('bash', ['-c', command], {
    cwd,
    env: ownEnvironment(env),
    extendEnv: false,
    all: true,
    reject: false,
    stdin: 'ignore',
  });
  const isPartial = exitCode === PARTIAL && / (?:update|media)\b/.test(command);
  if (exitCode !== 0 && !isPartial) throw new Error(`"${command}" exited with ${exitCode}:\n${all}`);
}

/** Starts a server on a free port, calls a function with its URL, and stops it. Rejects if the server ends before that. */
export async function withServer<T>(
  command: string,
  cwd: string,
  use: (url: string) => Promise<T>,
  env: Environment = {},
): Promise<T> {
  // npx and its child processes are one group, so that all of them are stopped.
  const server = spawn('bash', ['-c', `${command} --port 0`], { cwd, env: ownEnvironment(env), detached: true });
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    return await use(await urlOf(server));
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
}

/** Returns the text of a page. Rejects if it is not there. */
export async function fetchPage(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return await response.text();
}

/** npm and Vitest set variables, and npm adds the programs of this repository to the path. A newcomer has none of them. */
function ownEnvironment(more: Environment): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_.*|VITEST.*|NODE_ENV)$/i.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => !directory.startsWith(MODULES));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter), ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...more };
}

/** Waits for the URL that a server prints. */
function urlOf(server: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += String(chunk);
      const [url] = /http:\/\/[\w.]+:\d+\//.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('close', () => reject(new Error(`The server has ended without a URL: ${text}`)));
  });
}
