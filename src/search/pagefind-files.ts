/** The files of a Pagefind index. Their format is Pagefind's own, without a specification; only this module and the search page's engine read it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listFiles } from '../snapshot/directory-files.ts';

/** The start of each of Pagefind's files, after decompression. */
const SIGNATURE = Buffer.from('pagefind_dcd');
const FRAGMENT_EXTENSION = '.pf_fragment';
/** Scripts; the engine for unknown languages; and filters, which the facet table replaces. */
const NOT_PACKED = /\.js$|^wasm\.unknown\.|^filter\//;

/** What a fragment says about its document. */
interface Fragment {
  url: string;
  meta: unknown;
}

/** Returns Pagefind's name of each fragment by the URL of its document. `index` is the directory of the index. */
export function readFragmentNames(index: string): Map<string, string> {
  return new Map(
    listFiles(join(index, 'fragment')).map(([name, file]) => {
      const { url } = parseFragment(gunzipSync(readFileSync(file)));
      return [url, name.slice(0, -FRAGMENT_EXTENSION.length)];
    }),
  );
}

/** Returns the files that the search engine loads, as `[path below index, path on disk]`. */
export function listPackedFiles(index: string): Array<[path: string, file: string]> {
  return listFiles(index).filter(([path]) => !NOT_PACKED.test(path));
}

/** Returns a file of the index as the engine reads it: decompressed. Leaves out the parts of fragments that only Pagefind's excerpts need. */
export function readPackedFile(path: string, file: string): Buffer {
  const stored = readFileSync(file);
  if (path.endsWith('.json')) return stored;
  const data = gunzipSync(stored);
  if (!path.endsWith(FRAGMENT_EXTENSION)) return data;
  const { url, meta } = parseFragment(data);
  const fragment = { url, meta, content: '', word_count: 0, filters: {}, anchors: [] };
  return Buffer.concat([SIGNATURE, Buffer.from(JSON.stringify(fragment))]);
}

function parseFragment(data: Buffer): Fragment {
  return JSON.parse(data.subarray(SIGNATURE.length).toString()) as Fragment;
}
