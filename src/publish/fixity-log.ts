/** A log of fixity that an archive keeps for years: one dated line for each check, which people and programs can read. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { UserError } from '../model/errors.ts';
import { VERSION } from '../model/version.ts';
import { printable } from '../platform/lines.ts';

/** One thing that was checked: a snapshot or a site. */
export interface Checked {
  kind: 'snapshot' | 'site';
  /** Its folder, absolute. */
  folder: string;
  /** The archive's name or address, where it is known. */
  archive: string | undefined;
  /** What was counted, by the names that the line has: `bodies`, `files`, `bytes`, … */
  counts: Readonly<Record<string, number>>;
  /** SHA-256 in hexadecimal of what was checked: a site's manifest, a snapshot's checksums; undefined where there is none. */
  fingerprint: string | undefined;
  /** What is wrong. */
  findings: ReadonlyArray<{ what: string; problem: string }>;
}

/**
 * One line: the time (ISO 8601 in UTC), the tool and its version, `ok` or `failed`, then `name=value` for each thing that was checked. Texts are
 * in quotation marks, as in JSON. `findings` counts what is wrong, and `findings-sha256` is the same whenever exactly the same is wrong.
 */
export function fixityLine(date: Date, checked: readonly Checked[]): string {
  const failed = checked.some(({ findings }) => findings.length > 0);
  const parts = checked.flatMap(({ kind, folder, archive, counts, fingerprint, findings }) => [
    `${kind}=${text(folder)}`,
    ...(archive === undefined ? [] : [`archive=${text(archive)}`]),
    ...Object.entries(counts).map(([name, count]) => `${name}=${count}`),
    `sha256=${fingerprint ?? 'none'}`,
    `findings=${findings.length}`,
    ...(findings.length > 0 ? [`findings-sha256=${fingerprintOf(findings)}`] : []),
  ]);
  return [date.toISOString(), `microfiche/${VERSION}`, failed ? 'failed' : 'ok', ...parts].join(' ');
}

function text(value: string): string {
  return JSON.stringify(printable(value));
}

function fingerprintOf(findings: Checked['findings']): string {
  const lines = findings.map(({ what, problem }) => `${what}: ${problem}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Makes sure that a line can be added, before the work that it tells of begins. @throws UserError */
export function openLog(file: string): { append(line: string): void; close(): void } {
  const descriptor = open(file);
  return {
    append(line) {
      // A line that was cut short, on a full disk for instance, stays one of its own.
      writeSync(descriptor, `${endsLine(descriptor) ? '' : '\n'}${line}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

function open(file: string): number {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`${file} is a folder: name a file with --log.`);
  try {
    return openSync(file, 'a+');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw cause;
    throw new UserError(`${file} cannot be written: name a file in a folder that exists with --log.`, { cause });
  }
}

function endsLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === 10);
}
