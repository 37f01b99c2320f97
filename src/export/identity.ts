/** The file by which a package names its format and content, so that Microfiche replaces only packages of its own. */
import { isObject } from '../model/values.ts';

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
