/** Writes the packs of a search index (src/client/pack-format.ts). */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { DIRECTORY } from '../../client/pack-format.ts';
import { type PackCounts, packForFile } from '../../client/pack-names.ts';
import { listPackedFiles, readPackedFile } from '../../search/pagefind-files.ts';
import { type PackEntry, writePack, writeScript } from './pack-writer.ts';

/** Approximate size of a pack. A search reads some packs, and decompresses one block of each. */
const TARGET_BYTES = 512 * 1024;
/**
 * Bytes of a pack per byte of the index. Base64 turns three bytes into four. Fragments are compressed together, and so to less.
 */
const PACKED_PER_BYTE: Readonly<Record<string, number>> = { index: 4 / 3, fragment: 2 / 3 };
/** Writes packs of the search index in the directory `index` into the directory `out`, and deletes the former content of `out`. */
export function writeIndexPacks(index: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const files = listPackedFiles(index);
  const weights = new Map<string, number>();
  for (const [path, file] of files) {
    const kind = path.split('/')[0] as string;
    if (path.includes('/')) weights.set(kind, (weights.get(kind) ?? 0) + statSync(file).size * (PACKED_PER_BYTE[kind] ?? 1));
  }
  const division: PackCounts = Object.fromEntries(
    [...weights].map(([kind, bytes]) => [kind, 2 ** Math.max(0, Math.ceil(Math.log2(bytes / TARGET_BYTES)))]),
  );
  const packs = Map.groupBy(files, ([path]) => packForFile(path, division));
  for (const [name, packFiles] of packs) {
    const entries = packFiles.map(([path, file]): PackEntry => ({ name: path, data: readPackedFile(path, file) }));
    writePack(
      out,
      name,
      entries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }
  writeScript(out, DIRECTORY, division);
}
