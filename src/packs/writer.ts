/** Writes packs (see format.ts), and reads them again where they are proven. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { shortHash } from '../model/slug.ts';
import { type Block, DIRECTORY, type Ranges } from './format.ts';

export interface Member {
  name: string;
  data: Uint8Array;
}

/** Bytes of a block before compression: a reader unpacks one block for a member. */
const BLOCK = 64 * 1024;

/** Writes one pack into a folder. Its members must stand in the order of their names. */
export function writePack(out: string, name: string, members: Iterable<Member>): void {
  writeScript(out, name, blocksOf(members));
}

export function writeScript(out: string, name: string, content: unknown): void {
  writeFileSync(join(out, `${name}.js`), `microfichePack(${JSON.stringify(name)},${JSON.stringify(content)});\n`);
}

/**
 * Writes members, which must come in the order of their names, into packs of about `size` bytes with the directory beside them. Where a pack
 * ends follows from the names around, not from what stood before: a member that joins changes its own pack only.
 */
export function writeRanges(out: string, members: Iterable<Member>, size: number): void {
  const ranges: Array<[first: string, pack: string]> = [];
  let own: Member[] = [];
  let bytes = 0;
  const close = () => {
    const [first] = own;
    if (!first) return;
    const pack = shortHash(first.name);
    ranges.push([first.name, pack]);
    writePack(out, pack, own);
    own = [];
    bytes = 0;
  };
  for (const member of members) {
    if (bytes > size / 4 && (bytes > size * 4 || startsPack(member.name, size, bytes / own.length))) close();
    own.push(member);
    bytes += member.data.length;
  }
  close();
  writeScript(out, DIRECTORY, ranges satisfies Ranges);
}

/** About one name in so many as fill a pack. The number is a power of two, so that a slightly different average changes nothing. */
function startsPack(name: string, size: number, average: number): boolean {
  const every = 2 ** Math.max(0, Math.round(Math.log2(size / Math.max(1, average))));
  return Number.parseInt(shortHash(name).slice(0, 6), 36) % every === 0;
}

/** Every member of the packs in a folder that `writeRanges` wrote. */
export function* readPacks(folder: string): Generator<Member> {
  for (const file of readdirSync(folder).sort()) {
    if (isPack(file)) yield* readPack(readFileSync(join(folder, file), 'utf8'));
  }
}

/** Whether a file in a folder of packs holds members: the directory does not. */
export function isPack(file: string): boolean {
  return file.endsWith('.js') && file !== `${DIRECTORY}.js`;
}

/** A larger block is none of ours; bytes. */
const LARGEST_BLOCK = 512 * 1024 * 1024;

/** The members of a pack, given its text. @throws where it is no pack */
export function* readPack(text: string): Generator<Member> {
  const [, content] = /^microfichePack\("[^"]*",(.*)\);\n$/s.exec(text) ?? [];
  if (content === undefined) throw new Error('it is no pack');
  for (const [, block] of JSON.parse(content) as Block[]) {
    const whole = gunzipSync(Buffer.from(block, 'base64'), { maxOutputLength: LARGEST_BLOCK });
    const end = whole.indexOf(10);
    const table = JSON.parse(whole.subarray(0, end).toString()) as Record<string, [offset: number, length: number]>;
    for (const [name, [offset, length]] of Object.entries(table))
      yield { name, data: whole.subarray(end + 1 + offset, end + 1 + offset + length) };
  }
}

function blocksOf(members: Iterable<Member>): Block[] {
  const blocks: Block[] = [];
  let own: Member[] = [];
  let size = 0;
  const close = () => {
    if (own[0]) blocks.push([own[0].name, packed(own)]);
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

function packed(members: Member[]): string {
  let offset = 0;
  const table: Record<string, [offset: number, length: number]> = Object.create(null); // a member may be called __proto__
  for (const { name, data } of members) {
    table[name] = [offset, data.length];
    offset += data.length;
  }
  const head = Buffer.from(`${JSON.stringify(table)}\n`);
  return gzipSync(Buffer.concat([head, ...members.map(({ data }) => data)])).toString('base64');
}
