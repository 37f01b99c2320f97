/**
 * The names of fragments: what the index stores of a document for its result. A name has that of the part, a hash of everything in the part, and
 * the number of the document in it. So a file never changes under its name, and the names of a whole archive take hardly any space.
 */

/** What all names in a part begin with. */
export interface FragmentPrefix {
  /** The name of the part. */
  name: string;
  /** Of everything in the part. */
  hash: string;
}

/** A name in its pieces. */
export interface ParsedName extends FragmentPrefix {
  /** From 0. */
  number: number;
}

/** Digits of a hash, in base 16. */
export const HASH_LENGTH = 8;
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
