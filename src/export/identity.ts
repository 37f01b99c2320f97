/** The file by which a package names its format, archive and content, so that Microfiche replaces only packages of its own. */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { tryParse } from '../model/json.ts';
import { readJsonFile } from '../platform/read-json-file.ts';
import { PACKAGE_IDENTITY_FILE } from '../publish/signed-kinds.ts';
import { archiveSchema } from '../publish/site-identity.ts';
import { readPackage } from './package/package-reader.ts';

/** The file is at the top of a package. It is the first entry of a ZIP or TAR file. */
export const IDENTITY_FILE = PACKAGE_IDENTITY_FILE;

/** Limits of the collections that an identity names. */
const [MAX_ID_LENGTH, MAX_COLLECTIONS] = [300, 10_000];

const schema = z.object({
  format: z.string(),
  /** Fingerprint of the content that the format can hold. */
  fingerprint: z.string(),
  /** The archive that it was made of, in formats that can be signed. */
  archive: archiveSchema.optional().catch(undefined),
  /** The only collections that it has, sorted; all if not given. */
  collections: z.array(z.string().max(MAX_ID_LENGTH)).max(MAX_COLLECTIONS).readonly().optional(),
});

/** The content of the file. */
export type PackageIdentity = z.infer<typeof schema>;

/** Returns the content of the file. */
export const formatIdentity = (identity: PackageIdentity): string => `${JSON.stringify(identity)}\n`;

/** Reads the content of the file; undefined if it has another form. */
export const parseIdentity = (json: string): PackageIdentity | undefined => schema.safeParse(tryParse(json)).data;

const MAX_BYTES = 1_000_000;

/** The identity file at the top of a ZIP or TAR file, or in its only directory. Deeper ones belong to other packages. */
const IDENTITY_PATH = /^(?:[^/]+\/)?microfiche-export\.json$/;

/**
 * Reads the identity of the package at `path`; undefined if it has none.
 * @throws {UserError} if nothing there can be read as a package.
 */
export async function readIdentity(path: string): Promise<PackageIdentity | undefined> {
  // Only the file at the top is read, so that the others may be anything.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return schema.safeParse(readJsonFile(path, IDENTITY_FILE, MAX_BYTES)).data;
  let identity: PackageIdentity | undefined;
  await readPackage(path, async (entry) => {
    if (!IDENTITY_PATH.test(entry.path) || entry.size > MAX_BYTES) return undefined;
    identity = parseIdentity(Buffer.concat(await Array.fromAsync(entry.read(), (chunk) => Buffer.from(chunk))).toString('utf8'));
    return 'stop';
  });
  return identity;
}
