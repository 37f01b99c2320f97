/**
 * Keeps what was withheld before from being published by mistake, for example from a directory without the setting `withhold`.
 * Snapshots and sites remember what was withheld, so that this goes wherever they go.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Withholding } from '../catalogue/read/withholding.ts';
import { UserError } from '../model/errors.ts';
import { isObject } from '../model/values.ts';
import { attempt } from '../platform/expected-errors.ts';
import { formatCount } from '../platform/text-lines.ts';
import { readState, writeState } from '../platform/user-state.ts';
import { createAncestry } from '../snapshot/ancestry.ts';
import { SAMPLE_DIRECTORY } from '../snapshot/file-names.ts';
import { readResourceNames } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { readPackagedLists, readWithheldFile, type WithheldFile, writeWithheldFile } from '../snapshot/withheld-file.ts';
import { type ArchiveIdentity, archiveKey, readArchiveIdentity, readSiteIdentity } from './site-identity.ts';

/** What a command withholds, in the form in which it is compared and remembered. */
export interface WithheldNow {
  /** For a site. */
  published: WithheldFile;
  /** Whether an entry of before is still withheld, by itself or as a part of what is withheld now. */
  covers: (entry: string) => boolean;
}

/**
 * Checks that a command withholds what was withheld from the snapshot before. With `withholdLess`, it may be less.
 * @throws {UserError} if it is less
 */
export function protectSnapshot(store: Store, withholding: Withholding, withholdLess = false) {
  const { dir } = store;
  const before = readWithheldFile(dir);
  const key = before?.key ?? keyOf(readArchiveIdentity(store));
  const withheld = withheldNow(withholding, key, store);
  if (!withholdLess) assertWithholdsNoLess('snapshot', dir, withheld);
  const { entries } = withheld.published;
  const isRemembered = dir === SAMPLE_DIRECTORY || String(before?.entries ?? '') === String(entries);
  return {
    withheld,
    /** Remembers what is withheld, when it was published. Returns report lines. */
    remember: () => (isRemembered ? [] : remember(dir, { key, entries })),
  };
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
 * Checks that no less is withheld than was before from a snapshot, or from the site that is to be replaced, in the directory
 * `dir`. With another key, only the numbers of entries can be compared.
 * @throws {UserError} if less is withheld
 */
export function assertWithholdsNoLess(kind: 'snapshot' | 'site', dir: string, { published, covers }: WithheldNow): void {
  const { key, entries } = readWithheldFile(dir) ?? { key: '', entries: [] };
  const missing =
    (kind === 'snapshot' ? hashOf(key) : key) === published.key
      ? entries.filter((entry) => !covers(entry)).length
      : entries.length - published.entries.length;
  if (missing <= 0) return;
  throw new UserError(
    `Less would be withheld than before from the ${kind} in ${dir}: "withhold" lacks ${missing} of ${formatCount(entries.length, 'entry', 'entries')}. Run the command in the directory whose configuration has everything, or publish the rest with --withhold-less.`,
  );
}

/** Returns what a site withholds, in the same form. */
export function withheldFromSite(dir: string): WithheldNow {
  const published = readWithheldFile(dir) ?? { key: '', entries: [] };
  return { published, covers: coverageOf(published.entries) };
}

/**
 * Returns how many entries that were withheld from the package of which the snapshot `copy` was made are not known to be withheld
 * from `source`, whether by its own list or by that of its package.
 */
export function countWithheldLess(source: Store, copy: Store): number {
  const own = readWithheldFile(source.dir);
  const lists = [...readPackagedLists(source), ...(own ? [{ ...own, key: hashOf(own.key) }] : [])];
  return readPackagedLists(copy).reduce((total, { key, entries }) => {
    const covers = coverageOf(lists.flatMap((list) => (list.key === key ? list.entries : [])));
    return total + entries.filter((entry) => !covers(entry)).length;
  }, 0);
}

/**
 * Checks that a site was built with everything that is withheld now. `snapshot` is the directory of its snapshot, if there is
 * one.
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

/** In an entry, after the HMAC of a record: the whole of it, without or with a notice. Otherwise, the HMAC of a field follows. */
const [WHOLE, NOTICE] = ['*', 'notice'];

function withheldNow({ records, fields, fieldsBelow, persons }: Withholding, key: string, store?: Store): WithheldNow {
  const toHmac = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex').slice(0, 16);
  const recordHmac = (id: string) => toHmac('record', id);
  const fieldEntries = (kind: string, map: Withholding['fields']) =>
    [...map].flatMap(([id, names]) => [...names].map((name) => `${recordHmac(id)} ${toHmac(kind, id, name)}`));
  const entries = [
    ...[...records].map(([id, { notice }]) => `${recordHmac(id)} ${notice ? NOTICE : WHOLE}`),
    ...fieldEntries('fields', fields),
    ...fieldEntries('fields below', fieldsBelow),
    ...persons.map((person) => toHmac('person', person)),
  ];
  let below: ReadonlySet<string> | undefined;
  const isBelow = (hmac: string) => {
    below ??= new Set(store && idsBelow(store, records).map(recordHmac));
    return below.has(hmac);
  };
  const published = { key: hashOf(key), entries: [...new Set(entries)].sort() };
  return { published, covers: coverageOf(entries, isBelow) };
}

/** What is withheld with a notice shows no field; what is withheld without one, no notice either. */
function coverageOf(entries: readonly string[], isBelow: (hmac: string) => boolean = () => false): WithheldNow['covers'] {
  const known = new Set(entries);
  return (entry) => {
    const [record = '', what] = entry.split(' ');
    if (known.has(entry)) return true;
    return (
      what !== undefined &&
      (known.has(`${record} ${WHOLE}`) || (what !== WHOLE && known.has(`${record} ${NOTICE}`)) || isBelow(record))
    );
  };
}

/** Returns the IDs of the records below the withheld ones. */
function idsBelow(store: Store, withheld: Withholding['records']): string[] {
  const { idsOf } = createAncestry(store);
  return readResourceNames(store, 'object').filter((id) => [...idsOf(id)].some((one) => one !== id && withheld.has(one)));
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
    // The snapshot remembers the key; without it, only numbers of entries can be compared.
    attempt(() => writeState(SECRET_FILE, { secret }));
  }
  return createHmac('sha256', String(secret)).update(archiveKey(archive)).digest('hex');
}
