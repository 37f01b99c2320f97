/** Which archive a site is of: a small file in the site says so, so that no site is overwritten by another archive's. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../model/errors.ts';
import { RECORD_KINDS } from '../model/resources.ts';
import { containedIn } from '../platform/contained.ts';
import { isFile } from '../platform/entries.ts';
import { printable } from '../platform/lines.ts';
import { isSample, readManifest as readSampleManifest } from '../sample/sample.ts';
import { basesOf, meta } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';
import { readManifest } from './manifest.ts';

/** In the site's first folder. */
export const IDENTITY = 'microfiche.json';
/** A larger file is none of ours; bytes. */
const LARGEST = 64 * 1024;

const identitySchema = z.object({
  /** Raised when the shape changes. */
  format: z.literal(1),
  /** The sample archive's name. Its addresses are left out, since its port differs from run to run. */
  sample: z.string().optional(),
  /** The addresses of the archive's APIs, without credentials. */
  authorsUrl: z.string().optional(),
  catalogUrl: z.string().optional(),
  /** SHA-256 over the snapshot's current bodies and media files: equal for equal content. */
  snapshot: z.string(),
});
export type SiteIdentity = z.output<typeof identitySchema>;

/** What a site from this snapshot says of itself. `dir` is the snapshot's folder. The same snapshot gives the same identity. */
export function identityOf(store: Store, dir: string): SiteIdentity {
  return { format: 1, ...archiveIn(store, dir), snapshot: snapshotFingerprint(store) };
}

/** Which archive a snapshot is of. */
export type Archive = Pick<SiteIdentity, 'sample' | 'authorsUrl' | 'catalogUrl'>;

/** The archive of a snapshot. `dir` is its folder. */
export function archiveIn(store: Store, dir: string): Archive {
  const sample = isSample(dir) ? readSampleManifest(dir).name : meta(store, 'sample');
  if (sample !== undefined) return { sample };
  const { authors, catalog } = basesOf(store);
  return { authorsUrl: withoutCredentials(authors), catalogUrl: withoutCredentials(catalog) };
}

/** SHA-256 in hexadecimal over the keys and checksums of the current bodies (lists left out) and of the stored media files. */
export function snapshotFingerprint({ db }: Store): string {
  const hash = createHash('sha256');
  const rows = db.prepare(
    `SELECT 'body ' || r.key || ' ' || p.sha256 AS line FROM resource r JOIN response p ON p.id = r.response
      WHERE r.kind IN (${RECORD_KINDS.map((kind) => `'${kind}'`).join(', ')})
    UNION ALL SELECT 'media ' || m.url || ' ' || b.sha256 FROM media m JOIN blob b ON b.path = m.path WHERE m.state = 'stored'
    ORDER BY line`,
  );
  for (const row of rows.iterate()) hash.update(`${row['line']}\n`);
  return hash.digest('hex');
}

/** The file's text. */
export function identityText(identity: SiteIdentity): string {
  return `${JSON.stringify(identity, undefined, 1)}\n`;
}

/** What the site in a folder says of itself; undefined where there is none, or an older Microfiche built it, or the file was tampered with. */
export function siteIdentity(dir: string): SiteIdentity | undefined {
  if (!existsSync(dir)) return undefined;
  const inside = containedIn(dir);
  if (!isFile(inside, IDENTITY) || (inside.stat(IDENTITY)?.size ?? 0) > LARGEST) return undefined;
  try {
    return identitySchema.safeParse(JSON.parse(readFileSync(inside.at(IDENTITY), 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether two sites are of one archive: the same addresses but for their schemes and last slashes, or the same sample. */
export function isSameArchive(a: Archive, b: Archive): boolean {
  return archiveOf(a) === archiveOf(b);
}

/** Checks that a site may be written over the one in `out`. Returns a line for the user where that one does not say which archive it is of. @throws UserError where it is another archive's */
export function assertSameArchive(own: Archive, out: string): string | undefined {
  const there = siteIdentity(out);
  if (there !== undefined && !isSameArchive(own, there))
    throw new UserError(
      `${out} holds the site of ${archiveName(there)}, not of ${archiveName(own)}: name another folder with --out, or empty it yourself.`,
    );
  return there === undefined && readManifest(out).length > 0
    ? `The site that was in ${out} did not say which archive it is of; it has been replaced.`
    : undefined;
}

/** The archive in words, for messages. */
export function archiveName({ sample, catalogUrl, authorsUrl }: Archive): string {
  return printable(sample ?? catalogUrl ?? authorsUrl ?? 'an unnamed archive');
}

function archiveOf({ sample, authorsUrl, catalogUrl }: Archive): string {
  return JSON.stringify(sample === undefined ? [bareUrl(authorsUrl), bareUrl(catalogUrl)] : sample);
}

function bareUrl(url = ''): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: url };
  return `${host}${pathname}`.replace(/\/+$/, '');
}

function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed || (parsed.username === '' && parsed.password === '')) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
