/** Errors for operators, and messages for common errors of Node and SQLite. Only our own defects get a stack trace. */
import { UnsafePathError } from '../platform/safe-directory.ts';

/** An error that the operator can fix. Its message names the problem and the fix. */
export class UserError extends Error {
  override name = this.constructor.name;
}

/** A usage error: contradictory options or unreadable settings. The exit code is 2. */
export class UsageError extends UserError {}

/** Another process has locked the snapshot or the site. `update` then exits 5. */
export class LockedError extends UserError {}

/** Upstream cannot be harvested now: it does not respond, or not with what a harvest needs. The snapshot is unchanged. */
export class UpstreamError extends UserError {}

/** Upstream demands a delay that is too long to wait. `harvest` then exits 3. */
export class RetryLaterError extends UpstreamError {}

/** Ctrl-C ended a command. The exit code is 130. */
export class InterruptedError extends UserError {}

/** Upstream has no record from which a first harvest could start. */
export class NoRecordsError extends UserError {}

/** Returns the first error, if closing something failed after it too. */
export const firstError = (error: unknown): unknown => (error instanceof SuppressedError ? firstError(error.suppressed) : error);

/** Returns the message of any error: that of a `UserError` unchanged, and a sentence for common errors of Node and SQLite. */
export function describeError(failure: unknown): string {
  const error = firstError(failure);
  if (error instanceof UserError) return error.message;
  return describeSystemError(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Returns whether the operator can act on an error. Any other error is a defect of ours and needs its stack trace. */
export function isExpected(failure: unknown): boolean {
  const error = firstError(failure);
  return error instanceof UserError || describeSystemError(error) !== undefined;
}

function describeSystemError(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof UnsafePathError)
      return `${e.message}. The snapshot, site or USB drive that contains this path is damaged or was tampered with. "microfiche verify" lists everything that is wrong.`;
    const facts = readErrorDetails(e);
    const problem = facts && (SQLITE_ERRORS[facts.sqlite ?? -1] ?? SYSTEM_ERRORS[facts.code]?.(facts));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The properties that are read from errors of Node and node:sqlite. */
type ErrorFacts = NonNullable<ReturnType<typeof readErrorDetails>>;

function readErrorDetails(error: Error) {
  const { code, syscall, path, dest, hostname, address, port, errcode } = error as Error & Record<string, unknown>;
  if (typeof code !== 'string') return undefined;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return {
    code,
    /** The system call that failed, such as `mkdir` or `startServer`. */
    syscall: text(syscall),
    /** The path that could not be read, if any. */
    path: text(path),
    /** The port that could not be used, if any. */
    port: typeof port === 'number' ? port : undefined,
    /** The path or host that could not be used. */
    what: text(dest) ?? text(path) ?? text(hostname) ?? text(address) ?? UNNAMED_PATH,
    /** SQLite's primary result code. */
    sqlite: INTEGER_OVERFLOW.test(error.message)
      ? SQLITE_CORRUPT
      : code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number'
        ? errcode & 0xff
        : undefined,
  };
}

/** Message of node:sqlite for an integer in the database that does not fit into a JavaScript number. We never write one. */
const INTEGER_OVERFLOW = /^Value is too large to be represented as a JavaScript number/;
const SQLITE_CORRUPT = 11;

/** Used instead of a path that the system does not name. */
const UNNAMED_PATH = 'A given path';

const DISK_FULL = 'The disk is full. Free some disk space, then run the same command again to resume';
const DATABASE_DAMAGED = 'The snapshot’s database is damaged. Use a backup of the snapshot, or harvest into a new directory.';
const TOO_MANY_OPEN_FILES =
  'Too many open files. Raise the limit of this shell ("ulimit -n 4096"), then run the same command again.';

const SYSTEM_ERRORS: Readonly<Record<string, (facts: ErrorFacts) => string | undefined>> = {
  ENOSPC: ({ what }) => (what === UNNAMED_PATH ? `${DISK_FULL}.` : `${DISK_FULL}: ${what} could not be written.`),
  EDQUOT: (facts) => SYSTEM_ERRORS['ENOSPC']?.(facts),
  PAGEFIND_ENDED: () =>
    'Pagefind, which makes the search index, was stopped, probably because there is too little memory. Free some, or set MICROFICHE_THREADS=1, then run the same command again.',
  EIO: describeLostDrive,
  ENODEV: describeLostDrive,
  ENOTCONN: describeLostDrive,
  ENXIO: describeLostDrive,
  EMFILE: () => TOO_MANY_OPEN_FILES,
  ENFILE: () => TOO_MANY_OPEN_FILES,
  EACCES: describePermissionError,
  EPERM: describePermissionError,
  EROFS: ({ what, path, syscall }) =>
    syscall === 'mkdir' && path !== undefined
      ? `The directory ${path} cannot be created: its file system is read-only. Choose another directory.`
      : `${what} is on a read-only file system. Choose another directory.`,
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
  EADDRINUSE: ({ port }) =>
    `${port === undefined ? 'The port' : `Port ${port}`} is in use. Choose another one with --port, or any free one with --port 0.`,
  EADDRNOTAVAIL: ({ what }) => `${what} is not an address of this computer. Choose another one with --host.`,
  ENOTFOUND: ({ what, syscall }) =>
    syscall === 'getaddrinfo' ? `The host name ${what} cannot be resolved. Check its spelling and the network.` : undefined,
};

function describeLostDrive({ what }: ErrorFacts): string {
  return `${what === UNNAMED_PATH ? 'A file' : what} cannot be read or written any more. Check the drive, connect it again if it was removed, then run the same command again.`;
}

function describePermissionError({ what, syscall }: ErrorFacts): string {
  return syscall === 'listen'
    ? 'No permission to listen on this port. Choose one above 1023 with --port.'
    : `No permission to write ${what === UNNAMED_PATH ? 'there' : what}. Choose another directory, or change its permissions.`;
}

/** Messages by SQLite's primary result code (https://sqlite.org/rescode.html). */
const SQLITE_ERRORS: Readonly<Record<number, string>> = {
  5: 'Another program is using the snapshot. Wait until it has finished, then run the same command again.',
  8: 'The snapshot is read-only. Copy its directory to a writable disk, or change its permissions.',
  10: 'The disk failed while the snapshot was read or written. Check the disk, and use a backup of the snapshot.',
  11: DATABASE_DAMAGED,
  13: `${DISK_FULL}.`,
  // The database contradicts itself: a duplicate value, or a key that belongs to another row.
  19: DATABASE_DAMAGED,
  20: DATABASE_DAMAGED,
  14: 'The snapshot’s directory cannot be written. Choose another one with --snapshot, or change its permissions.',
};
