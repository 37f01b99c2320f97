/** Starts nginx and Caddy as in docs/examples, as this user, on a free port. Only paths, hosts and ports are replaced. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ProgramName, programFile } from '../../scripts/setup/programs.ts';
import { ROOT } from './commands.ts';

/** A running web server. */
export interface WebServer {
  url: string;
  stop: () => Promise<void>;
}

/** The web servers with an example. */
export const WEB_SERVERS = ['nginx', 'caddy'] as const;

/** Serves the site `archive` of `root` at `/archive/` by a web server, whose own files are in the empty directory `own`. */
export function startWebServer(name: (typeof WEB_SERVERS)[number], root: string, own: string): Promise<WebServer> {
  return name === 'nginx' ? startNginx(root, own) : startCaddy(root, own);
}

async function startNginx(root: string, own: string): Promise<WebServer> {
  const port = await findFreePort();
  const site = replaceAll(readExample('nginx.conf'), [
    ['    listen 80;\n    listen [::]:80;\n', `    listen 127.0.0.1:${port};\n`],
    ['root /srv/www;', `root ${root};`],
  ]);
  writeFileSync(join(own, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${own}/${kind};`);
  const settings = ['daemon off;', 'master_process off;', `pid ${own}/nginx.pid;`, 'error_log stderr warn;', 'events {}'];
  writeFileSync(
    join(own, 'nginx.conf'),
    `${settings.join('\n')}\nhttp { access_log off; ${temporary.join(' ')} include ${own}/site.conf; }\n`,
  );
  return startServer('nginx', ['-e', 'stderr', '-c', join(own, 'nginx.conf')], port, own);
}

async function startCaddy(root: string, own: string): Promise<WebServer> {
  const port = await findFreePort();
  const site = replaceAll(readExample('Caddyfile'), [
    ['\nmirror.example.org {', `\nhttp://127.0.0.1:${port} {`],
    ['root * /srv/www\n', `root * ${root}\n`],
  ]);
  writeFileSync(join(own, 'Caddyfile'), `{\n\tadmin off\n}\n${site}`);
  return startServer('caddy', ['run', '--config', join(own, 'Caddyfile'), '--adapter', 'caddyfile'], port, own);
}

function readExample(name: string): string {
  return readFileSync(join(ROOT, 'docs/examples', name), 'utf8');
}

function replaceAll(text: string, replacements: ReadonlyArray<readonly [string, string]>): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example does not contain ${from}`);
    return changed.replace(from, to);
  }, text);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startServer(name: ProgramName, args: readonly string[], port: number, own: string): Promise<WebServer> {
  mkdirSync(join(own, 'home'));
  const home = join(own, 'home');
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const child = spawn(programFile(name), args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.on('data', (chunk) => {
    messages += chunk;
  });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  for (let attempt = 0; !(await accepts(port)); attempt++) {
    if (child.exitCode !== null || attempt === MAX_ATTEMPTS) {
      await stop();
      throw new Error(`${name} did not start: ${messages}`);
    }
    await setTimeout(ATTEMPT_MS);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

const ATTEMPT_MS = 100;
const MAX_ATTEMPTS = 1000;

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => socket.destroy());
    socket.on('connect', () => socket.end());
  });
}
