/** The file by which a package names its format and content, so that Microfiche replaces only packages of its own. */
import { statSync } from 'node:fs';
import { isObject } from '../model/values.ts';
import { readPackage } from './package-reader.ts';

/** Name of the file, at the top of a package. It is the first entry of a ZIP or TAR file. */
export const IDENTITY_FILE = 'microfiche-export.json';

/** The content of the file. */
export interface PackageIdentity {
  format: string;
  /** Fingerprint of the content that the format can hold. */
  fingerprint: string;
}

/** Returns the content of the file. */
export function formatIdentity(identity: PackageIdentity): string {
  return `${JSON.stringify(identity)}\n`;
}

/** Reads the content of the file; undefined if it has another form. */
export function parseIdentity(json: string): PackageIdentity | undefined {
  let identity: unknown;
  try {
    identity = JSON.parse(json);
  } catch {
    return undefined; // not JSON
  }
  if (!isObject(identity)) return undefined;
  const { format, fingerprint } = identity;
  return typeof format === 'string' && typeof fingerprint === 'string' ? { format, fingerprint } : undefined;
}

const MAX_BYTES = 10_000;

/** The identity file at the top of a package, or in the only directory of a ZIP or TAR file. Deeper ones belong to other packages. */
const IDENTITY_PATH = /^(?:[^/]+\/)?microfiche-export\.json$/;

/**
 * Reads the identity of the package at `path`; undefined if it has none.
 * @throws {UserError} if nothing there can be read as a package.
 */
export async function readIdentity(path: string): Promise<PackageIdentity | undefined> {
  const isOwnPath = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? (entry: string) => entry === IDENTITY_FILE
    : (entry: string) => IDENTITY_PATH.test(entry);
  let identity: PackageIdentity | undefined;
  await readPackage(path, async (entry) => {
    if (!isOwnPath(entry.path) || entry.size > MAX_BYTES) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry.read()) chunks.push(chunk);
    identity = parseIdentity(Buffer.concat(chunks).toString('utf8'));
    return 'stop';
  });
  return identity;
}
