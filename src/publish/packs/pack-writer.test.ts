import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { readPacks } from '../../../tests/support/packs.ts';
import { writeAllPacks } from '../../../tests/support/write-packs.ts';
import { type Block, DIRECTORY, findBlock, findPack, type Ranges } from '../../formats/pack-format.ts';
import type { PackEntry } from './pack-writer.ts';

function writeTestPacks(
  entries: PackEntry[],
  size: number,
): { folder: string; ranges: Ranges; blocks: (pack: string) => Block[] } {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-packs-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeAllPacks(directory, entries, size);
  const content = (pack: string): unknown =>
    JSON.parse(/^microfichePack\("[^"]*",(.*)\);\n$/s.exec(readFileSync(join(directory, `${pack}.js`), 'utf8'))?.[1] ?? '');
  return { folder: directory, ranges: content(DIRECTORY) as Ranges, blocks: (pack) => content(pack) as Block[] };
}

const createEntries = (names: string[], bytes = 100): PackEntry[] =>
  [...new Set(names)].sort().map((name) => ({ name, data: Buffer.from(name.repeat(3).padEnd(bytes, '.')) }));

it('writes packs from which every entry can be read again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 300 }),
      fc.integer({ min: 1, max: 20_000 }),
      (names, size) => {
        const entries = createEntries(names);
        const { folder: directory } = writeTestPacks(entries, size);
        const entriesRead = new Map([...readPacks(directory)].map(({ name, data }) => [name, Buffer.from(data).toString()]));
        expect(entriesRead).toEqual(new Map(entries.map(({ name, data }) => [name, Buffer.from(data).toString()])));
      },
    ),
    { numRuns: 60 },
  );
});

it('finds the pack and block of an entry by its name', () => {
  const entries = createEntries(
    Array.from({ length: 3000 }, (_, n) => `objects/demo-org-${n % 7}-${n}.html`),
    900,
  );
  const { ranges, blocks } = writeTestPacks(entries, 200_000);
  expect(ranges.length).toBeGreaterThan(3);
  for (const { name } of entries) {
    const pack = findPack(name, ranges);
    const packBlocks = blocks(pack ?? '');
    const next = packBlocks[findBlock(name, packBlocks) + 1];
    expect((packBlocks[findBlock(name, packBlocks)]?.[0] ?? '~') <= name, name).toBe(true);
    expect(next === undefined || next[0] > name, name).toBe(true);
  }
  expect(findPack('a', ranges)).toBeUndefined();
});

it('changes few packs when an entry is added', () => {
  const names = Array.from({ length: 4000 }, (_, n) => `objects/demo-org-1-${n}.html`);
  const files = (entries: PackEntry[]) => {
    const { folder: directory } = writeTestPacks(entries, 100_000);
    return new Map(readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), 'utf8')]));
  };
  const before = files(createEntries(names, 800));
  const after = files(createEntries([...names, 'objects/demo-org-1-2000a.html'], 800));
  const changed = [...after].filter(([file, text]) => before.get(file) !== text);
  expect(before.size).toBeGreaterThan(12);
  expect(changed.length).toBeLessThanOrEqual(4);
});

it('writes the same bytes for the same entries', () => {
  const entries = createEntries(Array.from({ length: 500 }, (_, n) => `m${n}`));
  const [a, b] = [writeTestPacks(entries, 10_000), writeTestPacks(entries, 10_000)];
  expect(readdirSync(a.folder)).toEqual(readdirSync(b.folder));
  for (const file of readdirSync(a.folder))
    expect(readFileSync(join(a.folder, file))).toEqual(readFileSync(join(b.folder, file)));
});
