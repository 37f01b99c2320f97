/** Files and a server that nobody may touch: tests put them around what they damage, and look at them afterwards. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { filesBelow } from '../../src/snapshot/files.ts';

export interface CanaryServer {
  port: number;
  /** Its address in all the ways in which it can be written. */
  urls: string[];
  /** Connections that it had, whether they asked anything or not. */
  connections: () => number;
  close(): Promise<void>;
}

/** Listens on all addresses of this machine, at a port that nobody names. */
export async function startCanaryServer(): Promise<CanaryServer> {
  let connections = 0;
  const server: Server = createServer((_, response) => void response.end('canary'));
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const hosts = [
    '127.0.0.1',
    'localhost',
    hostname(),
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0.0.0.0',
    '127.0.0.1.',
    'a.localhost',
  ];
  return {
    port,
    urls: hosts.map((host) => `http://${host}:${port}`).filter((url) => URL.canParse(url)),
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Folders of a test with canaries in and around them. */
export interface Ground {
  top: string;
  /** The working directory of commands; holds the snapshot and more. */
  cwd: string;
  /** What commands run with. */
  env: Record<string, string>;
  snapshot: string;
  out: string;
  stick: string;
  /** The canaries, absolute. */
  canaries: string[];
  /** A FIFO that blocks whoever opens it to read. */
  fifo: string;
  /** A folder with files that have names of ours. */
  folder: string;
  /** What is wrong with the canaries: changed, lost, or their words in one of these texts or folders. */
  touched(shown: { texts?: readonly string[]; folders?: readonly string[] }): string[];
  remove(): void;
}

const WORD = 'CANARY';

/** Makes the folders; `snapshot` is to be filled by the test. */
export function prepareGround(): Ground {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-hostile-'));
  const mark = `${WORD}-${randomBytes(8).toString('hex')}`;
  const at = (...names: string[]) => join(top, ...names);
  const canaries = new Map<string, string>();
  const put = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    canaries.set(file, stateOf(file));
  };
  const text = `${mark}: nobody may read this\n`;
  const record = JSON.stringify({ id: 'demo-org-1-9', model: 'entity', title: mark, description: mark, links: {} });
  const picture = Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000fffe0040', 'hex'),
    Buffer.from(text.repeat(3)),
  ]);
  put(at('canary.txt'), text);
  put(at('work', 'canary.txt'), text);
  put(at('work', 'package.json'), JSON.stringify({ name: mark }));
  put(at('home', '.ssh', 'id_rsa'), text);
  put(at('state', 'microfiche', 'snapshots', 'canary.json'), JSON.stringify({ hosts: [mark] }));
  put(at('work', 'built', 'canary.txt'), text);
  put(at('work', 'canary.jpg'), picture);
  const folder = at('elsewhere');
  for (const name of ['canary.json', 'demo-org-1-9.json']) put(join(folder, name), record);
  for (const name of ['index.html', 'manifest-sha256.txt', 'microfiche.json', 'report.txt', 'archive.json', 'notes.txt'])
    put(join(folder, name), text);
  put(join(folder, 'demo-org-1', 'demo-org-1-1.image.jpg'), picture);
  put(join(folder, 'objects', 'demo-org-1-1.html'), text);
  const fifo = at('fifo');
  execFileSync('mkfifo', [fifo]);
  for (const name of ['stick', 'cache']) mkdirSync(at(name));
  return {
    top,
    cwd: at('work'),
    env: { HOME: at('home'), XDG_STATE_HOME: at('state'), MICROFICHE_CACHE: at('cache') },
    snapshot: at('work', 'snapshot'),
    out: at('work', 'built', 'site'),
    stick: at('stick'),
    canaries: [...canaries.keys()],
    fifo,
    folder,
    touched({ texts = [], folders = [] }) {
      const changed = [...canaries].flatMap(([file, state]) => (stateOf(file) === state ? [] : [`${file} was changed`]));
      const read = texts.flatMap((shown) => (shown.includes(mark) ? [`shown: ${around(shown, mark)}`] : []));
      const copied = folders.flatMap((one) => filesWith(one, mark).map((path) => `in ${relative(top, join(one, path))}`));
      return [...changed, ...read, ...copied];
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function stateOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  if (!found?.isFile()) return 'lost';
  return [createHash('sha256').update(readFileSync(file)).digest('hex'), found.mtimeNs, found.ino].join(' ');
}

function around(text: string, mark: string): string {
  const place = text.indexOf(mark);
  return text.slice(Math.max(0, place - 200), place + mark.length);
}

/** Regular files below a folder that have a word in them, in the blocks of packs too. Links are not followed. */
function filesWith(folder: string, mark: string): string[] {
  if (!existsSync(folder) || lstatSync(folder).isSymbolicLink()) return [];
  return filesBelow(folder).flatMap(([path, file]) => {
    const bytes = readFileSync(file);
    const blocks = file.endsWith('.js') ? blocksIn(bytes.toString('latin1')) : [];
    return [bytes, ...blocks].some((one) => one.includes(mark)) ? [path] : [];
  });
}

function blocksIn(script: string): Buffer[] {
  if (!script.startsWith('microfichePack(')) return [];
  return [...script.matchAll(/"(H4sI[A-Za-z0-9+/=]+)"/g)].flatMap(([, block]) => {
    try {
      return [gunzipSync(Buffer.from(block as string, 'base64'), { maxOutputLength: 8_000_000 })];
    } catch {
      return []; // a block that a test has damaged
    }
  });
}
