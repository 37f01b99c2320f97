/**
 * The files of keys of an index (docs/search-format.md): an ID, a title or a name as a whole, as a code, with the documents that
 * have it. A key is in the file that its code decides.
 */
import type { Piece, Pieces } from './facet-table.ts';

/** A key, and a document with it. */
export type KeyOfDocument = readonly [code: string, document: number];

/** At most so many keys are in a file, on average: some 10 KB. */
const KEYS_IN_BUCKET = 1000;
/** Digits in base 36, before the sign and the end of a code, that decide on the file. */
const DECIDING = /([0-9a-z]{6})[a-z]q0$/;

/** Returns the number of files for a number of keys. */
export const countBuckets = (keys: number): number => 2 ** Math.max(0, Math.ceil(Math.log2(keys / KEYS_IN_BUCKET)));

/** Returns the number of the file in which a key is. */
export function keyBucket(code: string, buckets: number): number {
  return Number.parseInt(DECIDING.exec(code)?.[1] ?? '0', 36) % buckets;
}

/** Returns the piece with keys, sorted by code. */
export function encodeKeys(keys: readonly KeyOfDocument[]): Piece[] {
  const lines = keys.map(([code, document]) => `${code} ${document.toString(36)}`);
  return [{ name: 'keys', data: new TextEncoder().encode(lines.join('\n')) }];
}

/** Returns the keys in a piece. */
export function decodeKeys(pieces: Pieces): KeyOfDocument[] {
  const text = new TextDecoder().decode(pieces.get('keys'));
  return (text === '' ? [] : text.split('\n')).map((line) => {
    const [code = '', document = ''] = line.split(' ');
    return [code, Number.parseInt(document, 36)];
  });
}

/** Returns the documents with a key. */
export function findKey(pieces: Pieces, code: string): number[] {
  return decodeKeys(pieces).flatMap(([own, document]) => (own === code ? [document] : []));
}
