/** What upstream says of a file's bytes (docs/upstream-api.md, “Media metadata” and “File records”), and whether the bytes agree. */

export const ALGORITHMS = ['md5', 'crc32', 'sha1', 'sha256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Hexadecimal digits of each checksum. */
const DIGITS: Readonly<Record<Algorithm, number>> = { md5: 32, crc32: 8, sha1: 40, sha256: 64 };

/** Checksums in lower-case hexadecimal. */
export type Checksums = Partial<Record<Algorithm, string>>;

/** What one record says of a file. */
export interface Declaration {
  /** The record's id. */
  by: string;
  /** Bytes. */
  size: number | undefined;
  sums: Checksums;
  /** The beginning of its SHA-1, out of the id of a file record. */
  sha1Prefix: string | undefined;
  mimetype: string | undefined;
}

/** A file's bytes as they came: its size, and at least the checksums that were declared. */
export interface Measured extends Checksums {
  size: number;
}

/** Something that a record says of a file and that its bytes deny. */
export interface Mismatch {
  by: string;
  /** `size`, `md5`, …, or `id` for the beginning of the SHA-1 that the record's id has. */
  what: Algorithm | 'size' | 'id';
  expected: string;
  actual: string;
}

/** A declaration out of whatever a record holds. What is no checksum of its kind is nothing to hold a file against; a CRC-32 may lack its first zeros. */
export function declarationOf(
  by: string,
  fields: { [A in Algorithm | 'mimetype']?: string | undefined } & { size?: number | undefined },
  sha1Prefix?: string,
): Declaration {
  const sums: Checksums = {};
  for (const algorithm of ALGORITHMS) {
    const typed = fields[algorithm]?.trim().toLowerCase() ?? '';
    const value = algorithm === 'crc32' && typed !== '' ? typed.padStart(DIGITS.crc32, '0') : typed;
    if (new RegExp(`^[0-9a-f]{${DIGITS[algorithm]}}$`).test(value)) sums[algorithm] = value;
  }
  const { size, mimetype } = fields;
  return { by, size: size !== undefined && size > 0 ? size : undefined, sums, sha1Prefix, mimetype };
}

/** The algorithms that it takes to hold a file against what is said of it. */
export function algorithmsFor(declarations: readonly Declaration[]): Set<Algorithm> {
  const wanted = new Set<Algorithm>();
  for (const { sums, sha1Prefix } of declarations) {
    for (const algorithm of ALGORITHMS) if (sums[algorithm] !== undefined) wanted.add(algorithm);
    if (sha1Prefix !== undefined) wanted.add('sha1');
  }
  return wanted;
}

/** Everything that is said of a file and that its bytes deny. */
export function mismatchesOf(declarations: readonly Declaration[], measured: Measured): Mismatch[] {
  return declarations.flatMap(({ by, size, sums, sha1Prefix }): Mismatch[] => {
    const found: Mismatch[] = [];
    if (size !== undefined && size !== measured.size)
      found.push({ by, what: 'size', expected: String(size), actual: String(measured.size) });
    for (const algorithm of ALGORITHMS) {
      const [expected, actual] = [sums[algorithm], measured[algorithm]];
      if (expected !== undefined && actual !== undefined && expected !== actual)
        found.push({ by, what: algorithm, expected, actual });
    }
    const { sha1 } = measured;
    if (sha1Prefix !== undefined && sha1 !== undefined && !sha1.startsWith(sha1Prefix.toLowerCase()))
      found.push({ by, what: 'id', expected: sha1Prefix, actual: sha1 });
    return found;
  });
}

/** By what a file was proven: the declared checksums that its bytes agree with. */
export function provenBy(declarations: readonly Declaration[]): Algorithm[] {
  const wanted = algorithmsFor(declarations);
  return ALGORITHMS.filter((algorithm) => wanted.has(algorithm));
}

/** As people write them. */
export const ALGORITHM_NAMES: Readonly<Record<Algorithm, string>> = {
  md5: 'MD5',
  crc32: 'CRC-32',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
};

/** A mismatch with both values, for a report. */
export function mismatchLine({ by, what, expected, actual }: Mismatch): string {
  if (what === 'size') return `it has ${actual} bytes, and ${by} says ${expected}`;
  if (what === 'id') return `its SHA-1 is ${actual}, and the id ${by} begins it with ${expected}`;
  return `its ${ALGORITHM_NAMES[what]} is ${actual}, and ${by} says ${expected}`;
}
