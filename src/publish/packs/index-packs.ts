/** Writes the packs of a search index (src/formats/pack-format.ts). */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIRECTORY } from '../../formats/pack-format.ts';
import { type PackDivision, packForFile } from '../../formats/search/pack-names.ts';
import { isObject } from '../../model/values.ts';
import { readJsonFile } from '../../platform/read-json-file.ts';
import { listPackedFiles, readPackedFile } from '../../search/pagefind-files.ts';
import { listFiles } from '../../snapshot/directory-files.ts';
import { type PackEntry, writePack, writeScript } from './pack-writer.ts';

/** Approximate size of a pack. A search reads some packs, and decompresses one block of each. */
const TARGET_BYTES = { index: 128 * 1024, fragment: 512 * 1024 };
/** Bytes of a pack per byte of the index: Base64 makes four of three. Fragments are compressed together, and so to less. */
const PACKED_PER_BYTE = { index: 4 / 3, fragment: 2 / 3 };
/** In the directory of the packs: what is in each pack, so that only those are written again that change. */
const CONTENT_FILE = 'content.json';

/** The packs of one part of a search index. */
export interface PacksToWrite {
  /** Directory of the part's index. */
  index: string;
  /** Directory of the packs. */
  out: string;
  /** The names of the fragments that are left out. */
  outdated: readonly string[];
  /** Hash of the program: under the same key, the names of the index's files change with their content. */
  key: string;
}

/** Writes the packs of a part. Those that have the same content already are not written again. */
export function writeIndexPacks({ index, out, outdated, key }: PacksToWrite): void {
  mkdirSync(out, { recursive: true });
  const files = listPackedFiles(index, new Set(outdated));
  const division = divide(files);
  const packs = Map.groupBy(files, ([path]) => packForFile(path, division));
  const written = readContent(out, key);
  const content: Record<string, string> = {};
  for (const [name, packFiles] of packs) {
    const sorted = packFiles.toSorted(([a], [b]) => (a < b ? -1 : 1));
    content[name] = hash('sha256', sorted.map(([path]) => path).join('\n'));
    if (written[name] === content[name]) continue;
    writePack(
      out,
      name,
      sorted.map(([path, file]): PackEntry => ({ name: path, data: readPackedFile(path, file) })),
    );
  }
  writeScript(out, DIRECTORY, division);
  for (const file of readdirSync(out))
    if (file !== `${DIRECTORY}.js` && content[file.slice(0, -'.js'.length)] === undefined) rmSync(join(out, file));
  writeFileSync(join(out, CONTENT_FILE), JSON.stringify({ key, packs: content }));
}

/** Decides how many files are in a pack. Powers of two, so that a few more files seldom change all packs. */
function divide(files: ReadonlyArray<readonly [path: string, file: string]>): PackDivision {
  const packsOf = (kind: 'index' | 'fragment') => {
    const ofKind = files.filter(([path]) => path.startsWith(`${kind}/`));
    const bytes = ofKind.reduce((total, [, file]) => total + statSync(file).size * PACKED_PER_BYTE[kind], 0);
    return { files: ofKind.length, packs: 2 ** Math.max(0, Math.ceil(Math.log2(bytes / TARGET_BYTES[kind]))) };
  };
  const fragments = packsOf('fragment');
  const documents = 2 ** Math.ceil(Math.log2(Math.max(1, fragments.files / fragments.packs)));
  return { index: packsOf('index').packs, fragment: fragments.packs, documents };
}

/** Returns the packs in a directory, as `[path below the directory, path on disk]`. */
export function listPacks(out: string): Array<[path: string, file: string]> {
  return listFiles(out).filter(([path]) => path !== CONTENT_FILE);
}

/** Returns what is in each pack that was written under a key, as hashes; nothing if the last writing did not end. */
function readContent(out: string, key: string): Readonly<Record<string, string>> {
  const written = readJsonFile(out, CONTENT_FILE, MAX_CONTENT_BYTES);
  rmSync(join(out, CONTENT_FILE), { force: true });
  return isObject(written) && written['key'] === key && isObject(written['packs'])
    ? (written['packs'] as Record<string, string>)
    : {};
}

const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
