/** Packs a search index into classic scripts (see src/client/pack-format.ts). */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DIRECTORY } from '../../client/pack-format.ts';
import { type Division, packOf } from '../../client/pack-names.ts';
import { filesBelow } from '../../snapshot/files.ts';
import { type Member, writePack, writeScript } from './writer.ts';

/** What a pack weighs about, in bytes: a search reads some packs, and unpacks one block of each. */
const PACK = 512 * 1024;
/** Bytes of a pack for a byte of the index: base64 makes four of three; fragments lose most of their text, and shrink together. */
const GROWTH: Readonly<Record<string, number>> = { index: 4 / 3, fragment: 1 / 3 };
/** Stands before the data in every file of Pagefind's once it is unpacked. */
const SIGNATURE = Buffer.from('pagefind_dcd');
/** Programs, which are bundled beside the packs; the engine for languages that no index of ours is in; filters, in whose stead is the facet table. */
const NOT_PACKED = /\.js$|^wasm\.unknown\.|^filter\//;

/** Writes the packs of the index in `index` into the folder `out`. */
export function writePacks(index: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const members = filesBelow(index).filter(([path]) => !NOT_PACKED.test(path));
  const weights = new Map<string, number>();
  for (const [path, file] of members) {
    const kind = path.split('/')[0] as string;
    if (path.includes('/')) weights.set(kind, (weights.get(kind) ?? 0) + statSync(file).size * (GROWTH[kind] ?? 1));
  }
  const division: Division = Object.fromEntries(
    [...weights].map(([kind, bytes]) => [kind, 2 ** Math.max(0, Math.ceil(Math.log2(bytes / PACK)))]),
  );
  const packs = Map.groupBy(members, ([path]) => packOf(path, division));
  for (const [name, own] of packs) {
    const members = own.map(([path, file]): Member => ({ name: path, data: dataOf(path, readFileSync(file)) }));
    writePack(
      out,
      name,
      members.sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }
  writeScript(out, DIRECTORY, division);
}

/** A file of the index as the engine takes it: unpacked, a fragment without what only Pagefind's own excerpts need. */
function dataOf(path: string, file: Buffer): Buffer {
  if (path.endsWith('.json')) return file;
  const data = gunzipSync(file);
  if (!path.endsWith('.pf_fragment')) return data;
  const { url, meta } = JSON.parse(data.subarray(SIGNATURE.length).toString()) as { url: string; meta: unknown };
  const fragment = { url, meta, content: '', word_count: 0, filters: {}, anchors: [] };
  return Buffer.concat([SIGNATURE, Buffer.from(JSON.stringify(fragment))]);
}
