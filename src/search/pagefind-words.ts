/**
 * Reads the words of an index that Pagefind wrote. The format is Pagefind's own, without a specification: CBOR (RFC 8949) in
 * gzip, after a signature; this module knows the parts of it that version 1.6 writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A word of an index, and the pages that have it, ascending. */
export interface PagefindWord {
  word: string;
  pages: PagefindPosting[];
}

/** A page with a word. */
export interface PagefindPosting {
  /** Its number in the index. */
  page: number;
  /** Where the word is in its content, ascending. */
  places: number[];
  /** The weights of these places, added up: 1 for ordinary text. */
  weight: number;
  /** Whether its title has the word. */
  isInTitle: boolean;
}

/** The start of each file, after decompression. */
const SIGNATURE = 'pagefind_dcd';
/** The weight of ordinary text, as it is written. */
const ORDINARY = 24;

/** The directory of the words in that of an index, and the extension of its list of pages. */
const WORDS = 'index';
const LIST = '.pf_meta';

/** Whether a file or directory in the directory of an index is needed for its words. */
export function isWordFile(name: string): boolean {
  return name === WORDS || name.endsWith(LIST);
}

/** An index of Pagefind. */
export interface PagefindIndex {
  /** The number of words of each page. */
  lengths: number[];
  /** Returns all words that begin with `prefix`, in the order of their code units. */
  words(prefix?: string): Generator<PagefindWord>;
}

/** Opens the index in a directory. */
export function openPagefindIndex(directory: string): PagefindIndex {
  const list = readdirSync(directory).find((file) => file.endsWith(LIST));
  if (list === undefined) throw new Error(`${directory} has no list of pages of Pagefind.`);
  const [, pages, chunks] = decodeFile(join(directory, list)) as [unknown, Array<[name: string, words: number]>, Chunk[]];
  return {
    lengths: pages.map(([, words]) => words),
    *words(prefix = '') {
      for (const [from, to, hash] of chunks) {
        if (to < prefix || (from > prefix && !from.startsWith(prefix))) continue;
        const [words] = decodeFile(join(directory, WORDS, `${hash}.pf_index`)) as [StoredWord[]];
        for (const [word, postings] of words) if (word.startsWith(prefix)) yield { word, pages: decodePostings(postings) };
      }
    },
  };
}

type Chunk = [from: string, to: string, hash: string];
/** Pages as differences; places as differences too, a negative number says the weight of those that follow. */
type StoredWord = [word: string, pages: Array<[page: number, places: number[], inTitle: number[]]>];

function decodePostings(stored: StoredWord[1]): PagefindPosting[] {
  let page = 0;
  return stored.map(([difference, coded, inTitle]) => {
    page += difference;
    let [weight, total, last] = [ORDINARY + 1, 0, 0];
    const places: number[] = [];
    for (const number of coded) {
      if (number < 0) [weight, last] = [-number - 1, 0];
      else {
        last += number;
        total += weight;
        places.push(last);
      }
    }
    return { page, places, weight: total / ORDINARY, isInTitle: inTitle.length > 0 };
  });
}

function decodeFile(file: string): unknown {
  return decodeCbor(gunzipSync(readFileSync(file)), SIGNATURE.length);
}

/** The kinds of values that Pagefind writes. */
const [UNSIGNED, NEGATIVE, TEXT, ARRAY] = [0, 1, 3, 4];

/** Decodes numbers, texts and arrays. */
function decodeCbor(bytes: Buffer, start: number): unknown {
  let at = start;
  const argument = (short: number): number => {
    if (short < 24) return short;
    const length = 2 ** (short - 24);
    if (length > 4) throw new Error('Pagefind wrote a number that is larger than any in an index.');
    at += length;
    return bytes.readUIntBE(at - length, length);
  };
  const value = (): unknown => {
    const head = bytes[at++] as number;
    const [kind, number] = [head >> 5, argument(head & 31)];
    if (kind === UNSIGNED) return number;
    if (kind === NEGATIVE) return -1 - number;
    if (kind === TEXT) {
      at += number;
      return bytes.toString('utf8', at - number, at);
    }
    if (kind !== ARRAY) throw new Error(`Pagefind wrote a value of the kind ${kind}, which no index has.`);
    const items = new Array<unknown>(number);
    for (let i = 0; i < number; i++) items[i] = value();
    return items;
  };
  return value();
}
