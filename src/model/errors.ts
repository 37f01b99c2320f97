/** Errors for operators, and sentences for the errors of Node and SQLite. A stack trace is only for our own defects. */
import { UnsafePath } from '../platform/contained.ts';

/** An error that the operator can fix. Its message names the problem and the fix. */
export class UserError extends Error {
  override name = 'UserError';
}

/** A usage error: contradictory options or unreadable settings. The exit code is 2. */
export class UsageError extends UserError {
  override name = 'UsageError';
}

/** Returns the message of any error: that of a `UserError` unchanged, and a sentence for common errors of Node and SQLite. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return systemProblem(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Returns whether the operator can act on an error. Any other error is a defect of ours and needs its stack trace. */
export function isExpected(error: unknown): boolean {
  return error instanceof UserError || systemProblem(error) !== undefined;
}

/** The properties that are read from errors of Node and node:sqlite. */
interface ErrorFacts {
  code: string;
  /** The system call that failed, such as `mkdir` or `listen`. */
  syscall: string | undefined;
  /** The path or host that could not be used. */
  what: string;
  /** The path that could not be read, if any. */
  path: string | undefined;
  /** SQLite's primary result code. */
  sqlite: number | undefined;
}

function systemProblem(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof UnsafePath)
      return `${e.message}. The snapshot, site or USB drive that contains this path is damaged or was tampered with. "microfiche verify" lists everything that is wrong.`;
    const facts = factsOf(e);
    const problem = facts && (SQLITE[facts.sqlite ?? -1] ?? SYSTEM[facts.code]?.(facts));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function factsOf(error: Error): ErrorFacts | undefined {
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

/** Message of node:sqlite for an integer in the database that does not fit into a JavaScript number. We never write one. */
const TOO_LARGE = /^Value is too large to be represented as a JavaScript number/;
const CORRUPT = 11;

/** Used instead of a path that the system does not name. */
const UNNAMED = 'A given path';

const FULL = 'The disk is full. Free some disk space, then run the same command again to resume.';
const DAMAGED = 'The snapshot’s database is damaged. Use a backup of the snapshot, or harvest into a new directory.';
const FILES_OPEN = 'Too many open files. Raise the limit of this shell ("ulimit -n 4096"), then run the same command again.';

const SYSTEM: Readonly<Record<string, (facts: ErrorFacts) => string | undefined>> = {
  ENOSPC: () => FULL,
  EDQUOT: () => FULL,
  EMFILE: () => FILES_OPEN,
  ENFILE: () => FILES_OPEN,
  EACCES: denied,
  EPERM: denied,
  EROFS: ({ what }) => `${what} is on a read-only file system. Choose another directory.`,
  EEXIST: ({ what }) => `${what} exists and is not a directory. Choose another directory, or move it away.`,
  EISDIR: ({ what }) => `${what} is a directory, not a file. Choose another path, or move it away.`,
  ENOTDIR: ({ what }) => `${what}: part of this path is a file, not a directory. Choose another directory.`,
  ENAMETOOLONG: ({ what }) => `${what}: the name is too long for this file system.`,
  ENOENT: ({ path, syscall }) => {
    if (path === undefined) return undefined;
    return syscall === 'mkdir' // Node reports ENOENT for a read-only file system too
      ? `The directory ${path} cannot be created: its file system is read-only, or a symbolic link in its path is broken. Choose another directory.`
      : `${path} does not exist. It may have been moved while the command was running.`;
  },
  EADDRINUSE: () => 'The port is in use. Choose another one with --port, or any free one with --port 0.',
  EADDRNOTAVAIL: ({ what }) => `${what} is not an address of this computer. Choose another one with --host.`,
  ENOTFOUND: ({ what, syscall }) =>
    syscall === 'getaddrinfo' ? `The host name ${what} cannot be resolved. Check its spelling and the network.` : undefined,
};

function denied({ what, syscall }: ErrorFacts): string {
  return syscall === 'listen'
    ? 'No permission to listen on this port. Choose one above 1023 with --port.'
    : `No permission to write ${what === UNNAMED ? 'there' : what}. Choose another directory, or change its permissions.`;
}

/** Messages by SQLite's primary result code (https://sqlite.org/rescode.html). */
const SQLITE: Readonly<Record<number, string>> = {
  5: 'Another program is using the snapshot. Wait until it has finished, then run the same command again.',
  8: 'The snapshot is read-only. Copy its directory to a writable disk, or change its permissions.',
  10: 'The disk failed while the snapshot was read or written. Check the disk, and use a backup of the snapshot.',
  11: DAMAGED,
  13: FULL,
  // The database contradicts itself: a duplicate value, or a key that belongs to another row.
  19: DAMAGED,
  20: DAMAGED,
  14: 'The snapshot’s directory cannot be written. Choose another one with --snapshot, or change its permissions.',
};
