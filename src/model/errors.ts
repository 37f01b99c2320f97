/** What a user is told when something goes wrong: one sentence that names the problem and what to do, never a stack trace for what a user can act on. */
import { UnsafePath } from '../platform/contained.ts';

/** An error that a user can act on: one sentence that says what to do. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The command was used wrongly: flags that contradict each other, or settings that cannot be read. It exits 2. */
export class UsageError extends UserError {
  override name = 'UsageError';
}

/** The sentence behind any error that reached the top: a user's message as it is, the system's and the database's common ones in words. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return systemProblem(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Whether the error says something that a user can act on; anything else is a defect of ours and deserves its stack trace. */
export function isExpected(error: unknown): boolean {
  return error instanceof UserError || systemProblem(error) !== undefined;
}

/** What is read of Node's errors and of those of node:sqlite. */
interface Facts {
  code: string;
  /** What failed, such as `mkdir` or `listen`. */
  syscall: string | undefined;
  /** The path or host that was to be written, made or reached. */
  what: string;
  /** The path that was read, where there is one. */
  path: string | undefined;
  /** SQLite's own number, without its extension. */
  sqlite: number | undefined;
}

function systemProblem(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof UnsafePath)
      return `${e.message}. A snapshot, site or stick that names such a path was damaged or tampered with; “microfiche verify” names all that is wrong.`;
    const facts = factsOf(e);
    const problem = facts && (SQLITE[facts.sqlite ?? -1] ?? SYSTEM[facts.code]?.(facts));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function factsOf(error: Error): Facts | undefined {
  const { code, syscall, path, dest, hostname, address, errcode } = error as Error & Record<string, unknown>;
  if (typeof code !== 'string') return undefined;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    code,
    syscall: text(syscall),
    path: text(path),
    what: text(dest) ?? text(path) ?? text(hostname) ?? text(address) ?? UNNAMED,
    sqlite: TOO_LARGE.test(error.message)
      ? CORRUPT
      : code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number'
        ? errcode & 0xff
        : undefined,
  };
}

/** What node:sqlite says of a number in the database that no JavaScript number holds: none of ours is so large. */
const TOO_LARGE = /^Value is too large to be represented as a JavaScript number/;
const CORRUPT = 11;

/** In the place of a path that the system does not name. */
const UNNAMED = 'A path that was named';

const FULL = 'The disk is full: free some space, then run the same command again; it goes on where it stopped.';
const DAMAGED = 'The snapshot’s database is damaged: use a copy of it, or harvest into a new folder.';
const FILES_OPEN = 'Too many files are open: allow this shell more (“ulimit -n 4096”), then run the same command again.';

const SYSTEM: Readonly<Record<string, (facts: Facts) => string | undefined>> = {
  ENOSPC: () => FULL,
  EDQUOT: () => FULL,
  EMFILE: () => FILES_OPEN,
  ENFILE: () => FILES_OPEN,
  EACCES: denied,
  EPERM: denied,
  EROFS: ({ what }) => `${what} is on a disk that can only be read: choose another folder.`,
  EEXIST: ({ what }) => `${what} is there already, and is no folder: name another folder, or move it away.`,
  EISDIR: ({ what }) => `${what} is a folder, where a file is wanted: name another one, or move it away.`,
  ENOTDIR: ({ what }) => `${what}: a part of this path is a file, where a folder is wanted: name another folder.`,
  ENAMETOOLONG: ({ what }) => `${what}: the name is too long for this disk.`,
  ENOENT: ({ path, syscall }) => {
    if (path === undefined) return undefined;
    return syscall === 'mkdir' // also what Node reports of a disk that can only be read
      ? `The folder ${path} cannot be made: its disk can only be read, or a link above it leads nowhere. Choose another folder.`
      : `There is no ${path}: it may have been moved while it was needed.`;
  },
  EADDRINUSE: () => 'The port is in use: name another one with --port, or --port 0 for any free one.',
  EADDRNOTAVAIL: ({ what }) => `${what} is no address of this machine: name another one with --host.`,
  ENOTFOUND: ({ what, syscall }) =>
    syscall === 'getaddrinfo' ? `The name ${what} leads to no address: check its spelling and the network.` : undefined,
};

function denied({ what, syscall }: Facts): string {
  return syscall === 'listen'
    ? 'No permission to listen at this port: name one above 1023 with --port.'
    : `No permission to write ${what === UNNAMED ? 'there' : what}: choose another folder, or change its permissions.`;
}

/** By SQLite's result codes (sqlite.org/rescode.html). */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'Another program is using the snapshot: wait until it has finished, then run the same command again.',
  8: 'The snapshot cannot be written where it is: copy its folder to a disk that can be written, or change its permissions.',
  10: 'The disk fails while the snapshot is read or written: check the disk, and use a copy of the snapshot.',
  11: DAMAGED,
  13: FULL,
  // What a table does not take: it held such a value already, or a key that belongs to another row.
  19: DAMAGED,
  20: DAMAGED,
  14: 'The snapshot’s folder cannot be written: choose another one with --snapshot, or change its permissions.',
};
