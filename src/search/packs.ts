/** Packs a search index into classic scripts (see pack-format.ts). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { filesBelow } from '../snapshot/files.ts';
import { type Block, DIRECTORY, type Directory, packOf } from './pack-format.ts';

/** What a pack weighs about, and a block before compression; bytes. A search reads some packs, and unpacks one block of each. */
const PACK = 512 * 1024;
const BLOCK = 64 * 1024;
/** Base64 of four thirds. */
const GROWTH = 4 / 3;
/** Stands before the data in every file of Pagefind's once it is unpacked. */
const SIGNATURE = Buffer.from('pagefind_dcd');
/** Programs, which are bundled beside the packs, and the engine for languages that no index of ours is in. */
const NOT_PACKED = /\.js$|^wasm\.unknown\./;

/** Writes the packs of the index in `index` into the folder `out`. */
export function writePacks(index: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const members = filesBelow(index).filter(([path]) => !NOT_PACKED.test(path));
  const weights = new Map<string, number>();
  for (const [path, file] of members) {
    const kind = path.split('/')[0] as string;
    if (path.includes('/')) weights.set(kind, (weights.get(kind) ?? 0) + readFileSync(file).length * GROWTH);
  }
  const directory: Directory = Object.fromEntries(
    [...weights].map(([kind, bytes]) => [kind, 2 ** Math.max(0, Math.ceil(Math.log2(bytes / PACK)))]),
  );
  const packs = Map.groupBy(members, ([path]) => packOf(path, directory));
  for (const [name, own] of packs) {
    const sorted = own.map(([path, file]) => ({ path, data: dataOf(path, readFileSync(file)) }));
    sorted.sort((a, b) => (a.path < b.path ? -1 : 1));
    write(out, name, blocksOf(sorted));
  }
  write(out, DIRECTORY, directory);
}

function write(out: string, name: string, content: unknown): void {
  writeFileSync(join(out, `${name}.js`), `microfichePack(${JSON.stringify(name)},${JSON.stringify(content)});\n`);
}

function blocksOf(members: Array<{ path: string; data: Buffer }>): Block[] {
  const blocks: Block[] = [];
  let own: typeof members = [];
  let size = 0;
  const close = () => {
    if (own[0]) blocks.push([own[0].path, packed(own)]);
    own = [];
    size = 0;
  };
  for (const member of members) {
    own.push(member);
    size += member.data.length;
    if (size >= BLOCK) close();
  }
  close();
  return blocks;
}

function packed(members: Array<{ path: string; data: Buffer }>): string {
  let offset = 0;
  const table: Record<string, [offset: number, length: number]> = {};
  for (const { path, data } of members) {
    table[path] = [offset, data.length];
    offset += data.length;
  }
  const head = Buffer.from(`${JSON.stringify(table)}\n`);
  return gzipSync(Buffer.concat([head, ...members.map(({ data }) => data)]), { level: 9 }).toString('base64');
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
