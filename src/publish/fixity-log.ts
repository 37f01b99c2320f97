/** Appends one line per audit to a fixity log (`verify --log`). */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { VERSION } from '../model/version.ts';
import { toPrintable } from '../platform/text-lines.ts';

/** The audit of a snapshot, site or package. */
export interface FixityCheck {
  kind: 'snapshot' | 'site' | 'package';
  /** Its directory or file, as an absolute path. */
  directory: string;
  /** Name or base URL of the archive, if known. */
  archive: string | undefined;
  /** Counts by their names in the line: `bodies`, `files`, `bytes` and so on. */
  counts: Readonly<Record<string, number>>;
  /** SHA-256 (hexadecimal) of a site's manifest, or the fingerprint of a snapshot or package; undefined if there is none. */
  fingerprint: string | undefined;
  findings: ReadonlyArray<{ what: string; problem: string }>;
  /** What was repaired from other copies, and from which. */
  healing?: { repaired: readonly string[]; donors: readonly string[] } | undefined;
}

/**
 * Formats one line: time (ISO 8601, UTC), program and version, `ok` or `failed`, then fields `name=value` for each audit. Texts
 * are JSON strings. `findings` is the number of findings, and `findings-sha256` is equal for equal findings.
 */
export function formatFixityLine(date: Date, checks: readonly FixityCheck[]): string {
  const failed = checks.some(({ findings }) => findings.length > 0);
  const fields = checks.flatMap(({ kind, directory, archive, counts, fingerprint, findings, healing }) => [
    `${kind}=${quote(directory)}`,
    ...(archive === undefined ? [] : [`archive=${quote(archive)}`]),
    ...Object.entries(counts).map(([name, count]) => `${name}=${count}`),
    `sha256=${fingerprint ?? 'none'}`,
    `findings=${findings.length}`,
    ...(findings.length > 0 ? [`findings-sha256=${fingerprintFindings(findings)}`] : []),
    ...(healing?.repaired.length
      ? [`repaired=${healing.repaired.length}`, ...healing.donors.map((copy) => `repaired-from=${quote(copy)}`)]
      : []),
  ]);
  return [date.toISOString(), `microfiche/${VERSION}`, failed ? 'failed' : 'ok', ...fields].join(' ');
}

const quote = (value: string): string => JSON.stringify(toPrintable(value));

function fingerprintFindings(findings: FixityCheck['findings']): string {
  const lines = findings.map(({ what, problem }) => `${what}: ${problem}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/**
 * Opens a log, before the audit starts.
 * @throws {UserError} if the file cannot be written
 */
export function openFixityLog(file: string): Disposable & { append(line: string): void } {
  const descriptor = openForAppending(file);
  return {
    append(line) {
      // The last line may be truncated, for instance by a full disk. A newline then separates it from the new one.
      writeSync(descriptor, `${endsWithNewline(descriptor) ? '' : '\n'}${line}\n`);
      fsyncSync(descriptor);
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

function openForAppending(file: string): number {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`${file} is a directory. Name a file with --log.`);
  try {
    return openSync(file, 'a+');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw cause;
    throw new UserError(`${file} cannot be written. Name a file in an existing directory with --log.`, { cause });
  }
}

function endsWithNewline(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 10);
}
