/** Compares the bytes of files with what records declare (docs/upstream-api.md, “Media metadata” and “File records”). */

/** The checksum algorithms that upstream uses. */
export const ALGORITHMS = ['md5', 'crc32', 'sha1', 'sha256'] as const;
/** One of `ALGORITHMS`. */
export type Algorithm = (typeof ALGORITHMS)[number];

/** Length of each checksum, in hexadecimal digits. */
const HEX_LENGTHS: Readonly<Record<Algorithm, number>> = { md5: 32, crc32: 8, sha1: 40, sha256: 64 };

/** Checksums as lower-case hexadecimal. */
export type Checksums = Partial<Record<Algorithm, string>>;

/** What one record declares about a file. */
export interface FileDeclaration {
  recordId: string;
  /** Size in bytes; undefined if it is not declared. */
  size: number | undefined;
  /** Declared checksums. */
  checksums: Checksums;
  /** First digits of the SHA-1, from the ID of a file record. */
  sha1Prefix: string | undefined;
  /** Declared media type. */
  mimetype: string | undefined;
}

/** Size and checksums of the received bytes, with at least the checksums that were declared. */
export interface Measured extends Checksums {
  /** Size in bytes. */
  size: number;
}

/** A declared value that the bytes of a file contradict. */
export interface FixityMismatch {
  /** ID of the record that declares the value. */
  recordId: string;
  /** What differs; `id` means the first digits of the SHA-1 in the ID of the record. */
  property: Algorithm | 'size' | 'id';
  expected: string;
  actual: string;
}

/** Returns the checksums that a record declares for a file, without malformed ones. A CRC-32 may lack leading zeros. */
export function readDeclaration(
  recordId: string,
  fields: { [A in Algorithm | 'mimetype']?: string | undefined } & { size?: number | undefined },
  sha1Prefix?: string,
): FileDeclaration {
  const checksums: Checksums = {};
  for (const algorithm of ALGORITHMS) {
    const given = fields[algorithm]?.trim().toLowerCase() ?? '';
    const value = algorithm === 'crc32' && given !== '' ? given.padStart(HEX_LENGTHS.crc32, '0') : given;
    if (new RegExp(`^[0-9a-f]{${HEX_LENGTHS[algorithm]}}$`).test(value)) checksums[algorithm] = value;
  }
  const { size, mimetype } = fields;
  return { recordId, size: size !== undefined && size > 0 ? size : undefined, checksums, sha1Prefix, mimetype };
}

/** Returns the algorithms that are needed to verify a file against its declarations. */
export function requiredAlgorithms(declarations: readonly FileDeclaration[]): Set<Algorithm> {
  const needed = new Set<Algorithm>();
  for (const { checksums, sha1Prefix } of declarations) {
    for (const algorithm of ALGORITHMS) if (checksums[algorithm] !== undefined) needed.add(algorithm);
    if (sha1Prefix !== undefined) needed.add('sha1');
  }
  return needed;
}

/** Returns every declared value that the bytes of a file contradict. */
export function verifyDeclarations(declarations: readonly FileDeclaration[], measured: Measured): FixityMismatch[] {
  return declarations.flatMap(({ recordId, size, checksums, sha1Prefix }): FixityMismatch[] => {
    const mismatches: FixityMismatch[] = [];
    if (size !== undefined && size !== measured.size)
      mismatches.push({ recordId, property: 'size', expected: String(size), actual: String(measured.size) });
    for (const algorithm of ALGORITHMS) {
      const [expected, actual] = [checksums[algorithm], measured[algorithm]];
      if (expected !== undefined && actual !== undefined && expected !== actual)
        mismatches.push({ recordId, property: algorithm, expected, actual });
    }
    const { sha1 } = measured;
    if (sha1Prefix !== undefined && sha1 !== undefined && !sha1.startsWith(sha1Prefix.toLowerCase()))
      mismatches.push({ recordId, property: 'id', expected: sha1Prefix, actual: sha1 });
    return mismatches;
  });
}

/** Returns the algorithms of the declared checksums. Call it for a file without mismatches: these verified it. */
export function verifiedAlgorithms(declarations: readonly FileDeclaration[]): Algorithm[] {
  const needed = requiredAlgorithms(declarations);
  return ALGORITHMS.filter((algorithm) => needed.has(algorithm));
}

/** Names of the algorithms for reports and pages. */
export const ALGORITHM_NAMES: Readonly<Record<Algorithm, string>> = {
  md5: 'MD5',
  crc32: 'CRC-32',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
};

/** Formats a mismatch with both values, as a clause for a report. */
export function formatMismatch({ recordId, property, expected, actual }: FixityMismatch): string {
  if (property === 'size') return `it has ${actual} bytes, but ${recordId} declares ${expected}`;
  if (property === 'id') return `its SHA-1 is ${actual}, but the ID ${recordId} declares ${expected}…`;
  return `its ${ALGORITHM_NAMES[property]} is ${actual}, but ${recordId} declares ${expected}`;
}
