/**
 * Compares a site with other copies of it, and takes missing and corrupted files from them. The other copies are untrusted: only
 * bytes with the expected checksum are used.
 */
import { existsSync } from 'node:fs';
import { findInvalidLines, type ManifestLine, parseManifest } from '../../formats/manifest-lines.ts';
import { isRegularFile } from '../../platform/directory-entries.ts';
import { toSafeDirectory, undefinedIfUnsafe } from '../../platform/safe-directory.ts';
import { sha256OfFile } from '../../snapshot/directory-files.ts';
import { MANIFEST_FILE, readManifestText, readText, SIGNATURE_FILE, siteDirectoryOf } from '../manifest.ts';
import { checkDirectorySignature } from '../signature.ts';
import { describeArchive, findOtherArchive, readSiteIdentity, type SiteIdentity } from '../site-identity.ts';
import { assertApart, copyBytes, PARTIAL_FILES, writeAtomically, writeVerified } from './copied-files.ts';

/** What other copies say of a damaged one, and what was taken from them. */
export interface Healing {
  /** Every other copy, and a clause that says how it differs. */
  copies: Array<{ copy: string; state: string }>;
  /** What is missing or corrupted: the path of a file or the key of a resource, and the copies that have it undamaged. */
  damaged: Array<{ what: string; intactIn: string[] }>;
  /** What was repaired, by the same names. */
  repaired: string[];
  /** The copies from which it was taken. */
  donors: string[];
}

/** How copies are compared. */
export interface HealOptions {
  others: readonly string[];
  /** Takes what is damaged from the other copies. */
  repairs: boolean;
  /** Signers whose signature counts; a file as of `verify --signers`. */
  signers?: string | undefined;
}

interface Copy {
  name: string;
  dir: string;
  manifest: string | undefined;
  identity: SiteIdentity | undefined;
  /** Whether one of the signers has signed the manifest. */
  isSigned: boolean;
}

/**
 * Compares the site in a directory or on a drive with others. Its own manifest says what its files should be. If that is damaged,
 * or signers are given and none of them signed it, another copy's manifest from the same snapshot does: a signed one if there are
 * signers, otherwise the one of most copies. `altered` has the files that an audit found missing or corrupted.
 */
export async function healSite(
  site: string,
  altered: readonly string[],
  { others, repairs, signers }: HealOptions,
): Promise<Healing> {
  const own = await openCopy(site, signers);
  for (const other of others) assertApart(other, site);
  const copies = await Promise.all([...new Set(others)].map((other) => openCopy(other, signers)));
  const usable = copies.filter(
    ({ dir, manifest, identity }) => manifest !== undefined && identity && !findOtherArchive(own.dir, dir),
  );
  const manifest = await chooseManifest(own, usable, altered.length, signers !== undefined);
  const expected = parseManifest(manifest ?? '');
  const isOwn = manifest === own.manifest;
  const names = new Set(altered);
  const damagedLines: ManifestLine[] = [];
  for (const line of expected) if (isOwn ? names.has(line.path) : !(await hasFile(own.dir, line))) damagedLines.push(line);
  const healing: Healing = {
    copies: copies.map((copy) => ({ copy: copy.name, state: describeState(own, copy, manifest) })),
    damaged: [],
    repaired: [],
    donors: [],
  };
  const target = toSafeDirectory(own.dir);
  for (const line of damagedLines) {
    const donors: Copy[] = [];
    for (const copy of usable) if (await hasFile(copy.dir, line)) donors.push(copy);
    healing.damaged.push({ what: line.path, intactIn: donors.map(({ name }) => name) });
    const [donor] = donors;
    if (!repairs || !donor) continue;
    const source = toSafeDirectory(donor.dir).resolve(line.path);
    const file = { partial: String(PARTIAL_FILES[0]), target: line.path, sha256: line.sha256 };
    const isWritten = await writeVerified(target, file, (partial) => copyBytes(source, partial));
    if (isWritten) noteRepair(healing, line.path, donor.name);
  }
  if (manifest === undefined || isOwn) return healing;
  const model = usable.find((copy) => copy.manifest === manifest && (copy.isSigned || signers === undefined));
  healing.damaged.unshift({
    what: MANIFEST_FILE,
    intactIn: usable.flatMap((copy) => (copy.manifest === manifest ? [copy.name] : [])),
  });
  if (!repairs || !model) return healing;
  for (const name of [SIGNATURE_FILE, MANIFEST_FILE]) {
    const text = readText(model.dir, name);
    if (text !== undefined) writeAtomically(target, name, text);
  }
  noteRepair(healing, MANIFEST_FILE, model.name);
  return healing;
}

/** Notes what was repaired, and from which copy. */
export function noteRepair({ repaired, donors }: Healing, what: string, donor: string): void {
  repaired.push(what);
  if (!donors.includes(donor)) donors.push(donor);
}

/** Says of a copy without a site or snapshot what is wrong with it. */
export const describeAbsence = (copy: string, kind: 'site' | 'snapshot'): string =>
  existsSync(copy) ? `it has no ${kind}` : 'it does not exist; name the directory of another copy';

async function openCopy(name: string, signers: string | undefined): Promise<Copy> {
  const dir = siteDirectoryOf(name);
  const manifest = readManifestText(dir);
  const signature =
    manifest === undefined || signers === undefined ? undefined : await checkDirectorySignature('site', dir, signers);
  return { name, dir, manifest, identity: readSiteIdentity(dir), isSigned: signature !== undefined && 'signer' in signature };
}

/** Returns the text of the manifest that says what the files should be. `altered` is the number of files that differ from it. */
async function chooseManifest(
  own: Copy,
  others: readonly Copy[],
  altered: number,
  needsSignature: boolean,
): Promise<string | undefined> {
  if (own.isSigned) return own.manifest;
  const same = others.filter(({ identity }) => own.identity === undefined || identity?.snapshot === own.identity.snapshot);
  const candidates = needsSignature ? same.filter(({ isSigned }) => isSigned) : same;
  const [most] = [...Map.groupBy(candidates, ({ manifest }) => manifest)].sort(([, a], [, b]) => b.length - a.length);
  const isWhole = own.manifest?.endsWith('\n') && findInvalidLines(own.manifest).length === 0;
  if (!most || (isWhole && !needsSignature && !(await isCorrected(own, most[0] ?? '', altered)))) return own.manifest;
  return most[0];
}

/** Whether another manifest differs only in lines in which the copy's own is corrupted: its files are as the other one says. */
async function isCorrected(own: Copy, manifest: string, altered: number): Promise<boolean> {
  const lines = new Set(own.manifest?.split('\n'));
  const others = parseManifest(manifest);
  const differing = others.filter(({ path, sha256 }) => !lines.has(`${sha256}  ${path}`));
  if (differing.length === 0 || differing.length > altered || others.length !== lines.size - 1) return false;
  for (const line of differing) if (!(await hasFile(own.dir, line))) return false;
  return true;
}

function describeState(own: Copy, { name, dir, manifest, identity, isSigned }: Copy, expected: string | undefined): string {
  if (manifest === undefined) return describeAbsence(name, 'site');
  const other = findOtherArchive(own.dir, dir);
  if (other) return `it is not used: it has the site of ${describeArchive(other)}`;
  const signed = isSigned ? ', signed' : '';
  if (manifest === expected) return `it has the same manifest${signed}`;
  return `it is another version, harvested on ${identity?.harvestedOn ?? 'an unknown day'}${signed}; only equal files are used`;
}

/** Whether a directory has a file with the expected bytes. */
async function hasFile(dir: string, { path, sha256 }: ManifestLine): Promise<boolean> {
  const safeDir = toSafeDirectory(dir);
  const file = undefinedIfUnsafe(() => (isRegularFile(safeDir, path) ? safeDir.resolve(path) : undefined));
  return file !== undefined && (await sha256OfFile(file)) === sha256;
}
