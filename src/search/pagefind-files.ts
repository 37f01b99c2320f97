/** The files of a Pagefind index, in its own unspecified format: only this module and the search page's engine read it. */
import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ResultData } from '../formats/result-data.ts';
import { fragmentName, NOT_NUMBERED, partHash } from '../formats/search/fragment-names.ts';
import { listFiles } from '../snapshot/directory-files.ts';

/** The start of each of Pagefind's files, after decompression. */
const SIGNATURE = Buffer.from('pagefind_dcd');
/** In the directory of an index: it names the file with a hash of everything else. */
export const ENTRY_FILE = 'pagefind-entry.json';
/** In the directory of the first part's index. */
export const ENGINE_SCRIPT = 'pagefind.js';
const FRAGMENT_EXTENSION = '.pf_fragment';
const SCRIPT = /\.js$/;
/** Follows the path of the page in the URL that Pagefind was given. */
const HASH = /#.*$/;

/** Returns the fragment of a page as Pagefind's file: what results show, instead of the text that was indexed. */
export function encodeFragment(page: string, shown: ResultData): Buffer {
  const rest = '"content":"","word_count":0,"filters":{},"anchors":[]';
  const fragment = `{"url":${JSON.stringify(page)},"meta":${JSON.stringify(shown)},${rest}}`;
  return gzipSync(Buffer.concat([SIGNATURE, Buffer.from(fragment)]));
}

/** Where the fragments of an index are read. */
export interface Fragments {
  /** The paths of their pages, in their order. */
  pages(): Iterable<string>;
  read(page: string): Buffer | undefined;
}

/** How the fragments of a part are named (src/formats/search/fragment-names.ts). */
export interface FragmentNaming {
  /** The name of the part. */
  name: string;
  isNumbered: boolean;
}

/**
 * Replaces the fragments that Pagefind wrote, which have the text that it indexed. So nothing that is only for search can be read
 * there. Deletes those without a page, and gives the others new names. Returns these by the paths of the pages. `index` is the
 * directory of the index.
 */
export function replaceFragments(index: string, naming: FragmentNaming, fragments: Fragments): Map<string, string> {
  const directory = join(index, 'fragment');
  const written = new Map<string, string>();
  for (const [file, path] of listFiles(directory)) {
    const { url } = JSON.parse(gunzipSync(readFileSync(path)).subarray(SIGNATURE.length).toString()) as { url: string };
    written.set(url.replace(HASH, ''), file.slice(0, -FRAGMENT_EXTENSION.length));
    rmSync(path);
  }
  const pages = [...fragments.pages()].filter((page) => written.has(page));
  const replaced = pages.map((page) => written.get(page) as string);
  const renamed = newNames(pages, replaced, naming);
  const names = new Map(pages.map((page, i) => [page, renamed[i] as string]));
  for (const [page, name] of names)
    writeFileSync(join(directory, `${name}${FRAGMENT_EXTENSION}`), fragments.read(page) as Buffer);
  renameInList(index, naming.name, new Map(replaced.map((name, i) => [name, renamed[i] as string])));
  return names;
}

/** Returns the new names of fragments. Pagefind's names are hashes of everything in a document. */
function newNames(pages: readonly string[], written: readonly string[], { name, isNumbered }: FragmentNaming): string[] {
  const hashes = pages.map((page, i) => hash('sha256', JSON.stringify([page, written[i]])));
  if (isNumbered) {
    const ofPart = partHash(hash('sha256', hashes.join()));
    return pages.map((_, number) => fragmentName({ name, hash: ofPart, number }));
  }
  const taken = new Set<number>();
  return hashes.map((own) => {
    let number = Number.parseInt(own.slice(0, 8), 16);
    while (taken.has(number)) number = (number + 1) >>> 0;
    taken.add(number);
    return fragmentName({ name, hash: NOT_NUMBERED, number });
  });
}

/** Puts the new names of fragments into Pagefind's list of pages. Its name has a hash too, and the entry file names it. */
function renameInList(index: string, part: string, names: ReadonlyMap<string, string>): void {
  const entryFile = join(index, ENTRY_FILE);
  const entry = JSON.parse(readFileSync(entryFile, 'utf8')) as { languages: Record<string, { hash: string }> };
  const language = entry.languages[part];
  if (!language) throw new Error(`Pagefind has not written an index with the name ${part}.`);
  const listFile = (name: string) => join(index, `pagefind.${name}.pf_meta`);
  const list = replaceTexts(gunzipSync(readFileSync(listFile(language.hash))), names);
  rmSync(listFile(language.hash));
  language.hash = `${part}_${hash('sha256', list).slice(0, LIST_HASH_LENGTH)}`;
  writeFileSync(listFile(language.hash), gzipSync(list, { level: 9 }));
  writeFileSync(entryFile, JSON.stringify(entry));
}

const LIST_HASH_LENGTH = 10;

/**
 * Replaces texts in CBOR, where a byte with the length is before each. Of each, the first one is replaced: the list of pages
 * begins with them, and names of other files follow.
 * @throws {Error} if one of them is not found
 */
function replaceTexts(cbor: Buffer, replacements: ReadonlyMap<string, string>): Buffer {
  const rest = new Map(replacements);
  const replaced = cbor.toString('latin1').replace(SHORT_TEXT, (whole, head: string, text: string) => {
    const replacement = head.charCodeAt(0) === TEXT + text.length ? rest.get(text) : undefined;
    if (replacement === undefined) return whole;
    rest.delete(text);
    return String.fromCharCode(TEXT + replacement.length) + replacement;
  });
  if (rest.size > 0) throw new Error(`Pagefind’s list of pages does not have ${[...rest.keys()][0]}.`);
  return Buffer.from(replaced, 'latin1');
}

/** The first byte of a text of less than 24 bytes is this and its length. */
const TEXT = 0x60;
/** A text of less than 24 bytes that may be the name of a fragment. */
const SHORT_TEXT = /([\x60-\x77])([a-z0-9]+_[0-9a-f]+)/g;

/** Returns the files of an index, without the fragments in `outdated`, as `[path below index, path on disk]`. */
export function listIndexFiles(index: string, outdated: ReadonlySet<string>): Array<[path: string, file: string]> {
  const fragmentOf = (path: string) => /^fragment\/(.+)\.pf_fragment$/.exec(path)?.[1];
  return listFiles(index).filter(([path]) => !outdated.has(fragmentOf(path) ?? ''));
}

/** Returns those of these files that the search engine loads. */
export function listPackedFiles(index: string, outdated: ReadonlySet<string>): Array<[path: string, file: string]> {
  return listIndexFiles(index, outdated).filter(([path]) => !SCRIPT.test(path));
}

/** Returns a file of the index as the engine reads it: decompressed. */
export function readPackedFile(path: string, file: string): Buffer {
  const stored = readFileSync(file);
  return path.endsWith('.json') ? stored : gunzipSync(stored);
}
