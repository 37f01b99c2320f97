/** Identifies the archive of a site by a small file in it, so that a site is never overwritten by that of another archive. */
import { createHash, hash } from 'node:crypto';
import { z } from 'zod';
import { UserError } from '../model/errors.ts';
import { type BaseUrls, RECORD_KINDS } from '../model/resources.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { readFormerBaseUrls } from '../snapshot/moves.ts';
import { readBaseUrls, readMeta } from '../snapshot/read.ts';
import { isSha256, sqlList } from '../snapshot/rows.ts';
import type { Store } from '../snapshot/store.ts';
import { readManifest } from './manifest.ts';

/** Path in the site of the file with its identity. */
export const IDENTITY_FILE = 'microfiche.json';
/** A larger file was not written by Microfiche. */
const MAX_BYTES = 64 * 1024;

const text = z.string().optional();
/** What names an archive in JSON. */
export const archiveSchema = z.object({
  /** Name of the sample archive. Its URLs are omitted, because its port differs in each run. */
  sample: text,
  /** Base URLs of the two APIs, without credentials. */
  authorsUrl: text,
  catalogUrl: text,
  /** Hashes of the archive's identity before it moved, the latest first. */
  formerly: z
    .array(z.unknown())
    .transform((hashes) => hashes.filter(isSha256))
    .optional()
    .catch(undefined),
});
const schema = archiveSchema.extend({
  /** Increased when the fields change. */
  format: z.literal(1),
  /** Fingerprint of the snapshot. */
  snapshot: z.string(),
  /** Date of the last harvest (UTC), as YYYY-MM-DD. */
  harvestedOn: text,
  /** Main language of the archive's texts, as a BCP 47 tag. */
  language: text,
});

/** Content of the file `microfiche.json` in a site. */
export type SiteIdentity = z.infer<typeof schema>;

/** Identifies an archive: by the name of the sample archive, or by the base URLs of its APIs, now and before it moved. */
export type ArchiveIdentity = z.infer<typeof archiveSchema>;

/** Returns what names an archive in JSON; undefined if that has another shape. */
export const readArchive = (value: unknown): ArchiveIdentity | undefined => archiveSchema.safeParse(value).data;

/** Returns the identity of a site that is built from a snapshot. It depends on nothing but the snapshot. */
export function createSiteIdentity(store: Store): SiteIdentity {
  return { format: 1, ...readArchiveIdentity(store), snapshot: snapshotFingerprint(store) };
}

/** Returns the archive of a snapshot. */
export function readArchiveIdentity(store: Store): ArchiveIdentity {
  const sample = readMeta(store, 'sample');
  if (sample !== undefined) return { sample };
  const former = readFormerBaseUrls(store).map((bases) => archiveHash(identityOf(bases)));
  return { ...identityOf(readBaseUrls(store)), ...(former.length > 0 ? { formerly: [...new Set(former)] } : {}) };
}

function identityOf({ authors, catalog }: BaseUrls): ArchiveIdentity {
  return { authorsUrl: stripCredentials(authors), catalogUrl: stripCredentials(catalog) };
}

const archiveHash = (archive: ArchiveIdentity): string => hash('sha256', archiveKey(archive));

/** Returns a SHA-256 (hexadecimal) over keys and checksums of all current bodies except lists, and of stored media files. */
export function snapshotFingerprint({ db }: Store): string {
  const hash = createHash('sha256');
  const rows = db.prepare(
    `SELECT 'body ' || r.key || ' ' || p.sha256 AS line FROM resource r JOIN response p ON p.id = r.response
      WHERE r.kind IN (${sqlList(RECORD_KINDS)})
    UNION ALL SELECT 'media ' || m.url || ' ' || b.sha256 FROM media m JOIN blob b ON b.path = m.path WHERE m.state = 'stored'
    ORDER BY line`,
  );
  for (const row of rows.iterate()) hash.update(`${row['line']}\n`);
  return hash.digest('hex');
}

/** Returns the text of the file. */
export const formatIdentity = (identity: SiteIdentity): string => `${JSON.stringify(identity, undefined, 1)}\n`;

/** Reads the identity of the site in a directory; undefined if the file does not exist or is not valid. */
export function readSiteIdentity(dir: string): SiteIdentity | undefined {
  return schema.safeParse(readJsonFile(dir, IDENTITY_FILE, MAX_BYTES)).data;
}

/**
 * Whether two archives are one: equal base URLs but for scheme and trailing slashes, also those of one before it moved, or equal
 * names of a sample archive.
 */
export function isSameArchive(a: ArchiveIdentity, b: ArchiveIdentity): boolean {
  const [own, other] = [archiveHash(a), archiveHash(b)];
  return own === other || a.formerly?.includes(other) === true || b.formerly?.includes(own) === true;
}

/**
 * Checks that a site may replace the one in the directory `out`. Returns a report line if that one has no identity.
 * @throws {UserError} if it belongs to another archive
 */
export function assertSameArchive(own: ArchiveIdentity, out: string): string | undefined {
  const current = readSiteIdentity(out);
  if (current !== undefined && !isSameArchive(own, current))
    throw new UserError(
      `${out} contains the site of ${describeArchive(current)}, not of ${describeArchive(own)}. Choose another directory with --out, or empty this one.`,
    );
  return current === undefined && readManifest(out).length > 0
    ? `The former site in ${out} did not name its archive. It has been replaced.`
    : undefined;
}

/** Returns the name of an archive for messages. */
export function describeArchive({ sample, catalogUrl, authorsUrl }: ArchiveIdentity): string {
  return toPrintable(sample ?? catalogUrl ?? authorsUrl ?? 'an unnamed archive');
}

/** Returns a text that is the same for the same archive. */
export function archiveKey({ sample, authorsUrl, catalogUrl }: ArchiveIdentity): string {
  return JSON.stringify(sample === undefined ? [normalizeUrl(authorsUrl), normalizeUrl(catalogUrl)] : sample);
}

/** Returns the archive of the site in the directory `copy`, if it is not that of the site to copy. */
export function findOtherArchive(dir: string, copy: string): ArchiveIdentity | undefined {
  const [own, present] = [readSiteIdentity(dir), readSiteIdentity(copy)];
  return own && present && !isSameArchive(own, present) ? present : undefined;
}

function normalizeUrl(url = ''): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: url };
  return `${host}${pathname}`.replace(/\/+$/, '');
}

function stripCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || (parsed.username === '' && parsed.password === '')) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
