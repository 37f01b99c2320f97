/**
 * Keeps what was withheld before from being published by mistake, for example from a directory without the setting `withhold`. Snapshots and sites
 * remember what was withheld, so that this goes wherever they go.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Withholding } from '../catalogue/withholding.ts';
import { UserError } from '../model/errors.ts';
import { isObject } from '../model/values.ts';
import { readState, writeState } from '../platform/user-state.ts';
import { isSample } from '../sample/load-sample.ts';
import type { Store } from '../snapshot/store.ts';
import { readWithheldFile, type WithheldFile, writeWithheldFile } from '../snapshot/withheld-file.ts';
import { type ArchiveIdentity, archiveKey, readArchiveIdentity, readSiteIdentity } from './site-identity.ts';

/** What a command withholds, in the form in which it is compared and remembered. */
export interface WithheldNow {
  /** For a site. */
  published: WithheldFile;
  /** HMACs of everything that is withheld: an entry without a notice also does what one with a notice does. */
  all: ReadonlySet<string>;
}

/** What keeps a snapshot from being published with less withheld. */
export interface Protection {
  withheld: WithheldNow;
  /** Remembers what is withheld, when it was published. Returns report lines. */
  remember(): string[];
}

/**
 * Checks that a command withholds what was withheld from the snapshot before. With `withholdLess`, it may be less.
 * @throws {UserError} if it is less
 */
export function protectSnapshot(store: Store, withholding: Withholding, withholdLess = false): Protection {
  const { dir } = store;
  const before = readWithheldFile(dir);
  const key = before?.key ?? keyOf(readArchiveIdentity(store, dir));
  const withheld = withheldNow(withholding, key);
  if (!withholdLess) assertWithholdsNoLess('snapshot', dir, withheld);
  const { entries } = withheld.published;
  // The sample archive is public, and a part of the program.
  const isRemembered = isSample(dir) || String(before?.entries ?? '') === String(entries);
  return { withheld, remember: () => (isRemembered ? [] : remember(dir, { key, entries })) };
}

function remember(dir: string, content: WithheldFile): string[] {
  try {
    writeWithheldFile(dir, content);
    return [];
  } catch (error) {
    return [
      `What is withheld could not be remembered in ${dir} (${(error as Error).message}). Commands in another directory may publish it.`,
    ];
  }
}

/**
 * Checks that no less is withheld than was before from a snapshot, or from the site that is to be replaced, in the directory `dir`. With another
 * key, only the numbers of entries can be compared.
 * @throws {UserError} if less is withheld
 */
export function assertWithholdsNoLess(kind: 'snapshot' | 'site', dir: string, { published, all }: WithheldNow): void {
  const { key, entries } = readWithheldFile(dir) ?? { key: '', entries: [] };
  const missing =
    (kind === 'snapshot' ? hashOf(key) : key) === published.key
      ? entries.filter((entry) => !all.has(entry)).length
      : entries.length - published.entries.length;
  if (missing <= 0) return;
  throw new UserError(
    `"withhold" lacks ${missing} of the ${entries.length} records, fields and names that were withheld before from the ${kind} in ${dir}. Run the command in the directory whose configuration has them, or publish them with --withhold-less.`,
  );
}

/** Returns what a site withholds, in the same form. */
export function withheldFromSite(dir: string): WithheldNow {
  const published = readWithheldFile(dir) ?? { key: '', entries: [] };
  return { published, all: new Set(published.entries) };
}

/**
 * Checks that a site was built with everything that is withheld now. `snapshot` is the directory of its snapshot, if there is one.
 * @throws {UserError} if it was not, or if that is not known
 */
export function assertBuiltWith(dir: string, withholding: Withholding, snapshot: string): void {
  const before = withheldFromSite(dir).published;
  const keys = [readWithheldFile(snapshot)?.key, keyOf(readSiteIdentity(dir) ?? {})];
  const key = keys.find((one) => one !== undefined && hashOf(one) === before.key);
  const { entries } = withheldNow(withholding, key ?? '').published;
  if (entries.length === 0) return;
  if (key === undefined && before.entries.length > 0)
    throw new UserError(
      `It is not known whether the site in ${dir} was built with the present setting of "withhold". Build it again, then export.`,
    );
  if (entries.some((entry) => !before.entries.includes(entry)))
    throw new UserError(`The site in ${dir} was built with another setting of "withhold". Build it again, then export.`);
}

function withheldNow({ records, fields, fieldsBelow, persons }: Withholding, key: string): WithheldNow {
  const toHmac = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const fieldEntries = (kind: string, map: Withholding['fields']) =>
    [...map].flatMap(([id, names]) => [...names].map((name) => toHmac(kind, id, name)));
  const entries = [
    ...[...records].map(([id, { notice }]) => toHmac(notice ? 'notice' : 'record', id)),
    ...fieldEntries('fields', fields),
    ...fieldEntries('fields below', fieldsBelow),
    ...persons.map((person) => toHmac('person', person)),
  ];
  const notices = [...records.keys()].map((id) => toHmac('notice', id));
  return { published: { key: hashOf(key), entries: [...new Set(entries)].sort() }, all: new Set([...entries, ...notices]) };
}

const hashOf = (key: string) => hash('sha256', key);

/** The operator's secret, in the state directory. */
const SECRET_FILE = 'withholding.json';

/** Returns the operator's key for an archive, which is of no use for the sites of other archives. */
function keyOf(archive: ArchiveIdentity): string {
  const known = readState(SECRET_FILE);
  let secret = isObject(known) ? known['secret'] : undefined;
  if (typeof secret !== 'string') {
    secret = randomBytes(32).toString('hex');
    try {
      writeState(SECRET_FILE, { secret });
    } catch {
      // The snapshot remembers the key; without it, only numbers of entries can be compared.
    }
  }
  return createHmac('sha256', String(secret)).update(archiveKey(archive)).digest('hex');
}
