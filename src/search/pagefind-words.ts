/**
 * Reads the words of an index that Pagefind wrote. The format is Pagefind's own, without a specification: CBOR (RFC 8949) in
 * gzip, after a signature; this module knows the parts of it that version 1.6 writes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A word of an index, and the pages that have it, ascending. */
export interface PagefindWord {
  word: string;
  pages: PagefindPosting[];
}

/** A page with a word. */
export type PagefindPosting = ReturnType<typeof decodePostings>[number];

/** The start of each file, after decompression. */
const SIGNATURE = 'pagefind_dcd';
/** The weight of ordinary text, as it is written. */
const ORDINARY = 24;

/** The directory of the words in that of an index, and the extension of its list of pages. */
const WORDS = 'index';
const LIST = '.pf_meta';

/** Whether a file or directory in the directory of an index is needed for its words. */
export const isWordFile = (name: string): boolean => name === WORDS || name.endsWith(LIST);

/** Files in which there is something else than Pagefind writes. They may be of a shard that another person has made. */
export class DamagedWordsError extends Error {
  readonly directory: string;

  constructor(directory: string, message: string) {
    super(`${directory}: ${message}`);
    this.directory = directory;
  }
}

/**
 * Opens the index in a directory.
 * @throws {DamagedWordsError} as do its words
 */
export function openPagefindIndex(directory: string) {
  const check: Check = (condition) => {
    if (!condition) throw new DamagedWordsError(directory, 'the words cannot be read');
  };
  const list = existsSync(directory) ? readdirSync(directory).find((file) => file.endsWith(LIST)) : undefined;
  check(list !== undefined);
  const [, pages, chunks] = toArray(decodeFile(join(directory, String(list)), check), check);
  return {
    /** The number of words of each page. */
    lengths: toArray(pages, check).map((page) => toNumber(toArray(page, check)[1], check)),
    /** Returns all words that begin with `prefix`, in the order of their code units. */
    *words(prefix = '') {
      for (const chunk of toArray(chunks, check)) {
        const [from, to, name] = toArray(chunk, check).map((text) => toText(text, check)) as [string, string, string];
        check(/^[\w-]+$/.test(name));
        if (to < prefix || (from > prefix && !from.startsWith(prefix))) continue;
        const [words] = toArray(decodeFile(join(directory, WORDS, `${name}.pf_index`), check), check);
        for (const each of toArray(words, check)) {
          const [word, postings] = toArray(each, check);
          const text = toText(word, check);
          if (text.startsWith(prefix)) yield { word: text, pages: decodePostings(toArray(postings, check), check) };
        }
      }
    },
  };
}

/** Throws unless a condition is met. */
type Check = (condition: boolean) => void;

function toArray(value: unknown, check: Check): unknown[] {
  check(Array.isArray(value));
  return value as unknown[];
}

function toNumber(value: unknown, check: Check): number {
  check(typeof value === 'number');
  return value as number;
}

function toText(value: unknown, check: Check): string {
  check(typeof value === 'string');
  return value as string;
}

/** Pages are differences; places are differences too, and a negative number says the weight of those that follow. */
function decodePostings(stored: readonly unknown[], check: Check) {
  let page = 0;
  return stored.map((each) => {
    const [difference, coded, inTitle] = toArray(each, check);
    page += toNumber(difference, check);
    let [weight, total, last] = [ORDINARY + 1, 0, 0];
    const places: number[] = [];
    for (const own of toArray(coded, check)) {
      const number = toNumber(own, check);
      if (number < 0) [weight, last] = [-number - 1, 0];
      else {
        last += number;
        total += weight;
        places.push(last);
      }
    }
    return {
      /** Its number in the index. */
      page,
      /** Where the word is in its content, ascending. */
      places,
      /** The weights of these places, added up: 1 for ordinary text. */
      weight: total / ORDINARY,
      /** Whether its title has the word. */
      isInTitle: toArray(inTitle, check).length > 0,
    };
  });
}

/** Bytes of a file after decompression. Pagefind's own have less than a hundredth of that. */
const MAX_BYTES = 512 * 1024 ** 2;

function decodeFile(file: string, check: Check): unknown {
  check(existsSync(file));
  let bytes = Buffer.alloc(0);
  try {
    bytes = gunzipSync(readFileSync(file), { maxOutputLength: MAX_BYTES });
  } catch {
    check(false);
  }
  return decodeCbor(bytes, SIGNATURE.length, check);
}

/** The kinds of values that Pagefind writes. */
const [UNSIGNED, NEGATIVE, TEXT, ARRAY] = [0, 1, 3, 4];
/** Arrays in arrays. */
const MAX_DEPTH = 8;

/** Decodes numbers, texts and arrays. */
function decodeCbor(bytes: Buffer, start: number, check: Check): unknown {
  let at = start;
  const argument = (short: number): number => {
    if (short < 24) return short;
    const length = 2 ** (short - 24);
    at += length;
    check(length <= 4 && at <= bytes.length);
    return bytes.readUIntBE(at - length, length);
  };
  const value = (depth: number): unknown => {
    check(at < bytes.length && depth <= MAX_DEPTH);
    const head = bytes[at++] as number;
    const [kind, number] = [head >> 5, argument(head & 31)];
    if (kind === UNSIGNED) return number;
    if (kind === NEGATIVE) return -1 - number;
    check((kind === TEXT || kind === ARRAY) && number <= bytes.length - at);
    if (kind === TEXT) {
      at += number;
      return bytes.toString('utf8', at - number, at);
    }
    const items = new Array<unknown>(number);
    for (let i = 0; i < number; i++) items[i] = value(depth + 1);
    return items;
  };
  return value(0);
}
