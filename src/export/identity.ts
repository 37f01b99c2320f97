/** The file by which a package names its format, archive and content, so that Microfiche replaces only packages of its own. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { tryParse } from '../model/json.ts';
import { PACKAGE_IDENTITY_FILE } from '../publish/signed-kinds.ts';
import { archiveSchema } from '../publish/site-identity.ts';
import { readPackage } from './package/package-reader.ts';

/** The file is at the top of a package. It is the first entry of a ZIP or TAR file. */
export const IDENTITY_FILE = PACKAGE_IDENTITY_FILE;

const schema = z.object({
  format: z.string(),
  /** Fingerprint of the content that the format can hold. */
  fingerprint: z.string(),
  /** The archive that it was made of, in formats that can be signed. */
  archive: archiveSchema.optional().catch(undefined),
});

/** The content of the file. */
export type PackageIdentity = z.infer<typeof schema>;

/** Returns the content of the file. */
export function formatIdentity(identity: PackageIdentity): string {
  return `${JSON.stringify(identity)}\n`;
}

/** Reads the content of the file; undefined if it has another form. */
export function parseIdentity(json: string): PackageIdentity | undefined {
  return schema.safeParse(tryParse(json)).data;
}

const MAX_BYTES = 10_000;

/** The identity file at the top of a ZIP or TAR file, or in its only directory. Deeper ones belong to other packages. */
const IDENTITY_PATH = /^(?:[^/]+\/)?microfiche-export\.json$/;

/**
 * Reads the identity of the package at `path`; undefined if it has none.
 * @throws {UserError} if nothing there can be read as a package.
 */
export async function readIdentity(path: string): Promise<PackageIdentity | undefined> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return readDirectoryIdentity(path);
  let identity: PackageIdentity | undefined;
  await readPackage(path, async (entry) => {
    if (!IDENTITY_PATH.test(entry.path) || entry.size > MAX_BYTES) return undefined;
    identity = parseIdentity(Buffer.concat(await Array.fromAsync(entry.read())).toString('utf8'));
    return 'stop';
  });
  return identity;
}

/** Reads only the file at the top, so that the other files may be anything. */
function readDirectoryIdentity(directory: string): PackageIdentity | undefined {
  const file = join(directory, IDENTITY_FILE);
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_BYTES ? parseIdentity(readFileSync(file, 'utf8')) : undefined;
}
