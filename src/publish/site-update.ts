/** The update of a site: only the files that differ from an earlier site, and how its manifest differs from the earlier one. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { originalOfCopy } from '../formats/compressed-names.ts';
import { formatChecksums, type ManifestLine, parseChecksums, parseManifest } from '../formats/manifest-lines.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { WITHHELD_FILE } from '../snapshot/file-names.ts';
import { IDENTITY_FILE } from './site-identity.ts';

/** In an update: what it changes, instead of the manifest and its list of what is left out, which are as large as the archive. */
export const UPDATE_FILE = 'microfiche-update.json';
/** One in which each of a million files has changed is smaller. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The SHA-256 of a manifest, and of the same without the compressed copies for hosts, which a USB drive does not have. */
const digests = z.tuple([z.string(), z.string()]);
/** `changed` has the lines of the new manifest whose files, or patches for them, are in the update; `removed` has paths. */
const schema = z.object({ since: digests, makes: digests, changed: z.string(), removed: z.array(z.string()) });
/** How an update changes a manifest. */
export type SiteUpdate = z.infer<typeof schema>;

/** They say whose site it is, and what is withheld from it. Each update has them. */
export const IDENTIFYING_FILES: readonly string[] = [IDENTITY_FILE, WITHHELD_FILE];

/** Reads how the update in a directory changes the manifest; undefined if it is no update. */
export const readUpdate = (dir: string) => schema.safeParse(readJsonFile(dir, UPDATE_FILE, MAX_BYTES)).data;

/** Returns whether an update of the site that has these checksums has a file. */
export const isInUpdate =
  (before: ReadonlyMap<string, string>) =>
  ({ path, sha256 }: ManifestLine) =>
    before.get(path) !== sha256 || IDENTIFYING_FILES.includes(path);

/** Returns how a manifest differs from an earlier one. */
export function createUpdate(before: string, manifest: string): SiteUpdate {
  const [earlier, present] = [parseChecksums(before), parseChecksums(manifest)];
  const changed = formatChecksums(parseManifest(manifest).filter(isInUpdate(earlier)));
  const removed = [...earlier.keys()].filter((path) => !present.has(path));
  return { since: digestsOf(before), makes: digestsOf(manifest), changed, removed };
}

function digestsOf(manifest: string): [string, string] {
  const uncompressed = parseManifest(manifest).filter(({ path }) => originalOfCopy(path) === undefined);
  return [hash('sha256', manifest), hash('sha256', formatChecksums(uncompressed))];
}

/**
 * Returns the new manifest that an update makes of a copy's, and whether it has all files of the site, as only the signed one
 * does. Undefined if the copy has neither the manifest that the update is for nor the one that it makes.
 */
export function makeManifest({ since, makes, changed, removed }: SiteUpdate, present: string) {
  const digest = hash('sha256', present);
  const kind = since.findIndex((sha256, i) => sha256 === digest || makes[i] === digest);
  const lines = parseChecksums(present);
  for (const path of removed) lines.delete(path);
  for (const { path, sha256 } of parseManifest(changed))
    if (kind === 0 || originalOfCopy(path) === undefined) lines.set(path, sha256);
  const sorted = Array.from(lines, ([path, sha256]) => ({ path, sha256 })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = formatChecksums(sorted);
  return hash('sha256', manifest) === makes[kind] ? { manifest, isWhole: kind === 0 } : undefined;
}
