/** Starts the readers of ZIM files: kiwix-serve, and Kiwix Desktop on a display without a screen. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { programFile } from '../../scripts/setup/programs.ts';
import { createSharedDirectory } from './commands.ts';

const START_TIMEOUT_MS = 240_000;
const REPLY_TIMEOUT_MS = 60_000;
const KIWIX_ATTEMPTS = 8;
/** A downloader ends within a second after its Kiwix, and holds its port until then. */
const DOWNLOADER_END_MS = 2000;

/** A running kiwix-serve. */
export interface KiwixServer {
  /** Root of the server. */
  url: string;
  /** URL of the top of the ZIM file, with a trailing slash. */
  zimUrl: string;
  stop(): Promise<void>;
}

/** Serves a ZIM file on a free port. */
export async function startKiwixServe(zim: string): Promise<KiwixServer> {
  const port = await findFreePort();
  const child = spawn(programFile('kiwix-serve'), ['--address', '127.0.0.1', '--port', String(port), zim], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  await waitFor(child, async () => (await fetch(url)).ok);
  return { url, zimUrl: `${url}${basename(zim, '.zim')}/`, stop: () => stop(child) };
}

/** Kiwix Desktop with one ZIM file, controlled through the debugger of its engine. */
export interface KiwixDesktop {
  /** Opens a page by its path, or follows what `action` does, and waits until it is loaded. */
  open(path: string): Promise<void>;
  /** Returns the value of an expression in the page, as after a click of the reader. */
  evaluate<T>(expression: string): Promise<T>;
  /** Returns an image of the page as PNG. */
  screenshot(): Promise<Buffer>;
  stop(): Promise<void>;
}

/**
 * Starts Kiwix Desktop with a ZIM file. Kiwix gives its downloader, which the tests do not need, half a second to start. On a
 * busy machine that is not always enough, and Kiwix then shows a message instead of the file: it is stopped, and started again.
 */
export async function startKiwixDesktop(zim: string): Promise<KiwixDesktop> {
  const home = createSharedDirectory();
  mkdirSync(join(home.path, 'run'), { mode: 0o700 });
  const screen = spawn(programFile('Xvfb'), ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await readLine(screen, screen.stdio[3] as Readable);
  for (let attempt = 1; ; attempt++) {
    try {
      const { desktop, page } = await openInKiwix(zim, home.path, display);
      return {
        ...page,
        async stop() {
          await stop(desktop);
          await delay(DOWNLOADER_END_MS);
          await stop(screen);
          home.remove();
        },
      };
    } catch (error) {
      if (attempt === KIWIX_ATTEMPTS) {
        await stop(screen);
        throw error;
      }
      await delay(DOWNLOADER_END_MS);
    }
  }
}

async function openInKiwix(zim: string, home: string, display: string) {
  const port = await findFreePort();
  const desktop = spawn(programFile('kiwix-desktop'), [zim], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      DISPLAY: `:${display}`,
      XDG_RUNTIME_DIR: join(home, 'run'),
      LC_ALL: 'C.UTF-8',
      QTWEBENGINE_DISABLE_SANDBOX: '1', // as root, it does not start otherwise
      QTWEBENGINE_REMOTE_DEBUGGING: String(port),
    },
  });
  let target: Target | undefined;
  const hasOpened = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/json`, { signal: AbortSignal.timeout(5000) });
    target = ((await response.json()) as Target[]).find(({ url }) => url.startsWith('zim://'));
    return target !== undefined;
  };
  await waitFor(desktop, hasOpened, START_TIMEOUT_MS / KIWIX_ATTEMPTS);
  const { url, webSocketDebuggerUrl } = target as unknown as Target;
  const root = new URL('/', url.replace('zim:', 'http:')).href.replace('http:', 'zim:');
  return { desktop, page: createPage(await connect(webSocketDebuggerUrl), root) };
}

interface Target {
  url: string;
  webSocketDebuggerUrl: string;
}

type Send = (method: string, params?: object) => Promise<Record<string, unknown>>;

function createPage(send: Send, root: string): Omit<KiwixDesktop, 'stop'> {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })) as { result: { value: T }; exceptionDetails?: unknown };
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  return {
    evaluate,
    async open(path) {
      const url = `${root}${path}`;
      await send('Page.navigate', { url });
      for (const startedAt = Date.now(); Date.now() - startedAt < START_TIMEOUT_MS; await delay(50)) {
        const [at, state] = await evaluate<[string, string]>('[location.href, document.readyState]').catch(() => ['', '']);
        if (at === url && state === 'complete') return;
      }
      throw new Error(`Kiwix Desktop did not open ${url}`);
    },
    screenshot: async () => Buffer.from((await send('Page.captureScreenshot'))['data'] as string, 'base64'),
  };
}

/** Connects to the debugger of a page, and returns a function that sends a command. */
async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  const pending = new Map<number, (response: { result?: object; error?: { message: string } }) => void>();
  await new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${url} does not respond`));
    const limit = setTimeout(fail, REPLY_TIMEOUT_MS);
    socket.onopen = () => resolve(clearTimeout(limit));
    socket.onerror = fail;
  });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  };
  let id = 0;
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      id++;
      const limit = setTimeout(() => reject(new Error(`${method} had no reply`)), REPLY_TIMEOUT_MS);
      pending.set(id, ({ result, error }) => {
        clearTimeout(limit);
        if (error) reject(new Error(error.message));
        else resolve(result as Record<string, unknown>);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
}

async function waitFor(child: ChildProcess, isReady: () => Promise<boolean>, timeoutMs = START_TIMEOUT_MS): Promise<void> {
  for (const startedAt = Date.now(); Date.now() - startedAt < timeoutMs; await delay(100)) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} exited ${child.exitCode}`);
    if (await isReady().catch(() => false)) return;
  }
  await stop(child);
  throw new Error(`${child.spawnfile} did not start`);
}

function readLine(child: ChildProcess, stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    stream.on('data', (data) => resolve(String(data).trim()));
    child.on('exit', (code) => reject(new Error(`${child.spawnfile} exited ${code}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
