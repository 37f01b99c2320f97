/** Canaries: files and a server that no command may touch. Tests put them around damaged data, and check them afterwards. */
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listFiles } from '../../src/snapshot/directory-files.ts';

/** A server that no command may contact. */
export interface CanaryServer {
  port: number;
  /** Its URL in all possible spellings. */
  urls: string[];
  /** Returns the number of connections, with or without a request. */
  connections: () => number;
  close(): Promise<void>;
}

/** Starts a canary server on all addresses of this computer, at a port that nothing names. */
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

/** The directories of one test, with canaries in and around them. */
export interface TestGround {
  top: string;
  /** The working directory of commands. It contains the snapshot. */
  cwd: string;
  /** The environment of commands. */
  env: Record<string, string>;
  snapshot: string;
  out: string;
  drive: string;
  /** Absolute paths of the canaries. */
  canaries: string[];
  /** A FIFO: a process that opens it for reading blocks. */
  fifo: string;
  /** A directory of files with names that Microfiche uses. */
  directory: string;
  /** Returns what is wrong with the canaries: changed, missing, or their content found in one of these texts or directories. */
  findTouched(shown: { texts?: readonly string[]; directories?: readonly string[] }): string[];
  remove(): void;
}

const PREFIX = 'CANARY';

/** Creates the directories, except the snapshot, which the test adds. */
export function createTestGround(): TestGround {
  const top = mkdtempSync(join(tmpdir(), 'microfiche-hostile-'));
  const mark = `${PREFIX}-${randomBytes(8).toString('hex')}`;
  const at = (...names: string[]) => join(top, ...names);
  const canaries = new Map<string, string>();
  const addCanary = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    canaries.set(file, fileState(file));
  };
  const text = `${mark}: no command may read this\n`;
  const record = JSON.stringify({ id: 'demo-org-1-9', model: 'entity', title: mark, description: mark, links: {} });
  const image = Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000fffe0040', 'hex'),
    Buffer.from(text.repeat(3)),
  ]);
  addCanary(at('canary.txt'), text);
  addCanary(at('work', 'canary.txt'), text);
  addCanary(at('work', 'package.json'), JSON.stringify({ name: mark }));
  addCanary(at('home', '.ssh', 'id_rsa'), text);
  addCanary(at('state', 'microfiche', 'snapshots', 'canary.json'), JSON.stringify({ hosts: [mark] }));
  addCanary(at('work', 'built', 'canary.txt'), text);
  addCanary(at('work', 'canary.jpg'), image);
  const elsewhere = at('elsewhere');
  for (const name of ['canary.json', 'demo-org-1-9.json']) addCanary(join(elsewhere, name), record);
  for (const name of ['index.html', 'manifest-sha256.txt', 'microfiche.json', 'report.txt', 'archive.json', 'notes.txt'])
    addCanary(join(elsewhere, name), text);
  addCanary(join(elsewhere, 'demo-org-1', 'demo-org-1-1.image.jpg'), image);
  addCanary(join(elsewhere, 'objects', 'demo-org-1-1.html'), text);
  const fifo = at('fifo');
  execFileSync('mkfifo', [fifo]);
  for (const name of ['drive', 'cache']) mkdirSync(at(name));
  return {
    top,
    cwd: at('work'),
    env: { HOME: at('home'), XDG_STATE_HOME: at('state'), MICROFICHE_CACHE: at('cache') },
    snapshot: at('work', 'snapshot'),
    out: at('work', 'built', 'site'),
    drive: at('drive'),
    canaries: [...canaries.keys()],
    fifo,
    directory: elsewhere,
    findTouched({ texts = [], directories = [] }) {
      const changed = [...canaries].flatMap(([file, state]) => (fileState(file) === state ? [] : [`${file} was changed`]));
      const read = texts.flatMap((text) => (text.includes(mark) ? [`shown: ${excerptAround(text, mark)}`] : []));
      const copied = directories.flatMap((directory) =>
        filesContaining(directory, mark).map((path) => `in ${relative(top, join(directory, path))}`),
      );
      return [...changed, ...read, ...copied];
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  };
}

function fileState(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats?.isFile()) return 'missing';
  return [createHash('sha256').update(readFileSync(file)).digest('hex'), stats.mtimeNs, stats.ino].join(' ');
}

function excerptAround(text: string, mark: string): string {
  const position = text.indexOf(mark);
  return text.slice(Math.max(0, position - 200), position + mark.length);
}

/** Lists the regular files below a directory that contain a text, also in the blocks of packs. Links are not followed. */
function filesContaining(directory: string, mark: string): string[] {
  if (!existsSync(directory) || lstatSync(directory).isSymbolicLink()) return [];
  return listFiles(directory).flatMap(([path, file]) => {
    const bytes = readFileSync(file);
    const blocks = file.endsWith('.js') ? packBlocks(bytes.toString('latin1')) : [];
    return [bytes, ...blocks].some((data) => data.includes(mark)) ? [path] : [];
  });
}

function packBlocks(script: string): Buffer[] {
  if (!script.startsWith('microfichePack(')) return [];
  return [...script.matchAll(/"(H4sI[A-Za-z0-9+/=]+)"/g)].flatMap(([, block]) => {
    try {
      return [gunzipSync(Buffer.from(block as string, 'base64'), { maxOutputLength: 8_000_000 })];
    } catch {
      return []; // a block that a test has damaged
    }
  });
}
