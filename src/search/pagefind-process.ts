/**
 * Runs Pagefind's program, which makes one index. The functions of its package are not used: they wait forever if the program is
 * killed, and print its backtraces.
 */
import { spawn } from 'node:child_process';
import { createRequire, findPackageJSON } from 'node:module';

interface Reply {
  message_id: number | null;
  payload: { type: string; message?: string; index_id?: number };
}

/**
 * Starts Pagefind with an index of this language. All of its functions are rejected if the program ends before it was closed.
 * @throws {Error} if it ends: with the code `ENOSPC` if the disk is full, `PAGEFIND_ENDED` if something else stopped it
 */
export async function startPagefind(language: string) {
  const { send, close } = runService();
  // Pagefind has no such language, and uses words as they are: it does not reduce them to stems.
  const config = { force_language: language, keep_index_url: true, max_fragments: MAX_FRAGMENTS };
  const { index_id, message: problem } = await send({ type: 'NewIndex', config });
  if (index_id === undefined) throw new Error(`Pagefind could not start: ${problem}`);
  return {
    /** Adds a document. Returns why Pagefind rejects it, if it does. */
    async add(document: { url: string; content: string; language: string; meta?: Record<string, string> }) {
      return (await send({ type: 'AddRecord', index_id, ...document })).message;
    },
    /**
     * Writes the index into a directory.
     * @throws {Error} if Pagefind cannot
     */
    async write(directory: string) {
      const { message } = await send({ type: 'WriteFiles', index_id, output_path: directory });
      if (message !== undefined) throw new Error(`Pagefind could not write its index: ${message}`);
    },
    /** Stops the program. */
    close,
  };
}

/** Runs the program. Requests and replies are JSON in Base64, each followed by a comma. */
function runService(): { send: (request: object) => Promise<Reply['payload']>; close: () => void } {
  const child = spawn(findProgram(), ['--service'], { windowsHide: true });
  const waiting = new Map<number, { resolve: (payload: Reply['payload']) => void; reject: (error: Error) => void }>();
  let ids = 0;
  let [unread, printed] = ['', ''];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    const messages = (unread + chunk).split(',');
    unread = messages.pop() ?? '';
    for (const message of messages) {
      const { message_id, payload } = JSON.parse(Buffer.from(message, 'base64').toString()) as Reply;
      if (message_id === null) return end(new Error(`Pagefind did not understand a request: ${payload.message}`));
      waiting.get(message_id)?.resolve(payload);
      waiting.delete(message_id);
    }
  });
  child.stderr.on('data', (chunk) => {
    printed = `${printed}${chunk}`.slice(-MAX_PRINTED);
  });
  child.stdin.on('error', () => undefined); // the program has ended
  child.on('error', end);
  child.on('close', (code, signal) => {
    const message = `Pagefind ended before the search index was complete (${signal ?? code}): ${printed}`;
    const isDefect = code === PANIC && !DISK_FULL.test(printed);
    end(Object.assign(new Error(message), isDefect ? {} : { code: code === PANIC ? 'ENOSPC' : 'PAGEFIND_ENDED' }));
  });
  return {
    send: (payload) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.set(++ids, { resolve, reject });
        child.stdin.write(`${Buffer.from(JSON.stringify({ message_id: ids, payload })).toString('base64')},`, 'latin1');
      }),
    close: () => void child.kill(),
  };
}

/** Files of what it stores of documents, which nothing reads. Without a limit, it writes one for each. */
const MAX_FRAGMENTS = 8;
/** Maximum characters that are kept of what the program prints. */
const MAX_PRINTED = 4_000;
/** The exit code of a program in Rust that panics. */
const PANIC = 101;
/** What it prints if the disk is full. */
const DISK_FULL = /StorageFull|QuotaExceeded/;

/** Returns the path of the program. It is in a package of its own for each platform, as a dependency of Pagefind. */
function findProgram(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = process.platform === 'win32' ? 'pagefind_extended.exe' : 'pagefind_extended';
  const require = createRequire(findPackageJSON('pagefind', import.meta.url) ?? import.meta.url);
  return require.resolve(`@pagefind/${platform}-${process.arch}/bin/${name}`);
}
