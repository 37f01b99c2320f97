/** The tag files of a BagIt bag (RFC 8493). */
import { wrap } from '../scope.ts';

/** Checksum algorithms of the manifests. */
export const BAG_DIGESTS = ['sha256', 'sha512'] as const;
/** `bagit.txt`. */
export const BAG_DECLARATION = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';
const MAX_LINE = 79;

/** Returns `bag-info.txt`. A long value continues on lines that begin with a space. */
export function formatBagInfo(fields: ReadonlyArray<readonly [label: string, value: string]>): string {
  return fields.map(([label, value]) => `${wrap(`${label}: ${value.trim()}`, MAX_LINE, '  ')}\n`).join('');
}
