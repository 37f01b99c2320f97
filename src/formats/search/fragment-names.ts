/**
 * The names of fragments: what the index stores of a document for its result. A name consists of that of the part, a hash, and a
 * number, in base
 * 16. In a base part of a large archive, the documents are numbered, after a hash of everything in the part: so the names of a
 *    whole archive take hardly any space. In other parts, which are made again for each change, the number is a hash of the
 *    document: so the names of the others stay. Either way, a build never writes other content under a name.
 */

/** What all names in a part begin with. */
export interface FragmentPrefix {
  /** The name of the part. */
  name: string;
  /** Of everything in the part, or `NOT_NUMBERED`. */
  hash: string;
}

/** A name in its pieces. */
export interface ParsedName extends FragmentPrefix {
  /** Position of the document in the part, or a hash of it: less than 2³². */
  number: number;
}

/** Digits of a hash. */
const HASH_LENGTH = 8;
/** In place of the hash of a part: its documents are not numbered. */
export const NOT_NUMBERED = '0'.repeat(HASH_LENGTH);
const NUMBER_LENGTH = 4;

/** Returns the name of the fragment of a document. */
export function fragmentName({ name, hash, number }: ParsedName): string {
  return `${name}_${hash}${number.toString(16).padStart(NUMBER_LENGTH, '0')}`;
}

/** Returns the pieces of the name of a fragment. */
export function parseFragmentName(id: string): ParsedName {
  const end = id.indexOf('_') + 1;
  const numberAt = end + HASH_LENGTH;
  return { name: id.slice(0, end - 1), hash: id.slice(end, numberAt), number: Number.parseInt(id.slice(numberAt), 16) };
}

/** Returns the first digits of a hash in base 16, as the hash of a part. */
export function partHash(hash: string): string {
  return hash.slice(0, HASH_LENGTH);
}
