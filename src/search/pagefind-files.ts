/** The files of a Pagefind index. Their format is Pagefind's own, without a specification; only this module and the search page's engine read it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ResultData } from '../client/result-data.ts';
import { listFiles } from '../snapshot/directory-files.ts';

/** The start of each of Pagefind's files, after decompression. */
const SIGNATURE = Buffer.from('pagefind_dcd');
/** In the directory of an index: it names the file with a hash of everything else. */
export const ENTRY_FILE = 'pagefind-entry.json';
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

/**
 * Replaces the fragments that Pagefind wrote, which have the text that it indexed. So nothing that is only for search can be read there. Deletes
 * those without a page. Returns Pagefind's name of each fragment by the path of its page. `index` is the directory of the index.
 */
export function replaceFragments(index: string, readFragment: (page: string) => Buffer | undefined): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, file] of listFiles(join(index, 'fragment'))) {
    const written = JSON.parse(gunzipSync(readFileSync(file)).subarray(SIGNATURE.length).toString()) as { url: string };
    const page = written.url.replace(HASH, '');
    const fragment = readFragment(page);
    if (fragment) {
      writeFileSync(file, fragment);
      names.set(page, name.slice(0, -FRAGMENT_EXTENSION.length));
    } else rmSync(file);
  }
  return names;
}

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
