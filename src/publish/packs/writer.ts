/** Writes packs (see src/client/pack-format.ts), and reads them again where they are proven. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Block, DIRECTORY, type Ranges } from '../../client/pack-format.ts';
import { isObject } from '../../model/values.ts';
import { shortHash } from '../../platform/short-hash.ts';

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

/** What a larger block, or a pack with more in all, holds is none of ours: a block ends with the member that fills it; bytes. */
const LARGEST_BLOCK = 32 * 1024 * 1024;
const LARGEST_PACK = 128 * 1024 * 1024;

/** The members of a pack, given its text: together they are never more than its blocks hold. @throws where it is no pack */
export function* readPack(text: string): Generator<Member> {
  const [, content] = /^microfichePack\("[^"]*",(.*)\);\n$/s.exec(text) ?? [];
  if (content === undefined) throw new Error('it is no pack');
  const blocks: unknown = JSON.parse(content);
  if (!Array.isArray(blocks)) throw new Error('it is no pack');
  let room = LARGEST_PACK;
  for (const block of blocks) {
    const coded: unknown = Array.isArray(block) ? block[1] : undefined;
    if (typeof coded !== 'string') throw new Error('it has a block that is none');
    const whole = gunzipSync(Buffer.from(coded, 'base64'), { maxOutputLength: Math.min(room, LARGEST_BLOCK) });
    room -= whole.length;
    yield* membersIn(whole);
    if (room <= 0) throw new Error('it holds more than a pack of ours can');
  }
}

/** The members of a block. @throws where they are more than it holds: many that overlap could be more than any memory does */
function* membersIn(whole: Buffer): Generator<Member> {
  const end = whole.indexOf(10);
  const table: unknown = JSON.parse(whole.subarray(0, Math.max(0, end)).toString());
  if (!isObject(table)) throw new Error('it has a block without a table');
  const all = whole.subarray(end + 1);
  let sum = 0;
  for (const [name, place] of Object.entries(table)) {
    const [offset, length] = Array.isArray(place) ? place.map(Number) : [];
    if (!isCount(offset) || !isCount(length) || offset + length > all.length)
      throw new Error('it has a member that is not all there');
    sum += length;
    if (sum > all.length) throw new Error('it has members that overlap');
    yield { name, data: all.subarray(offset, offset + length) };
  }
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
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
