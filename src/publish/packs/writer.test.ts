import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { type Block, blockOf, DIRECTORY, packIn, type Ranges } from '../../client/pack-format.ts';
import { type Member, readPacks, writeRanges } from './writer.ts';

function written(members: Member[], size: number): { folder: string; ranges: Ranges; blocks: (pack: string) => Block[] } {
  const folder = mkdtempSync(join(tmpdir(), 'microfiche-packs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeRanges(folder, members, size);
  const content = (pack: string): unknown =>
    JSON.parse(/^microfichePack\("[^"]*",(.*)\);\n$/s.exec(readFileSync(join(folder, `${pack}.js`), 'utf8'))?.[1] ?? '');
  return { folder, ranges: content(DIRECTORY) as Ranges, blocks: (pack) => content(pack) as Block[] };
}

const membersOf = (names: string[], bytes = 100): Member[] =>
  [...new Set(names)].sort().map((name) => ({ name, data: Buffer.from(name.repeat(3).padEnd(bytes, '.')) }));

it('gives back every member as it was, each in one pack', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 300 }),
      fc.integer({ min: 1, max: 20_000 }),
      (names, size) => {
        const members = membersOf(names);
        const { folder } = written(members, size);
        const back = new Map([...readPacks(folder)].map(({ name, data }) => [name, Buffer.from(data).toString()]));
        expect(back).toEqual(new Map(members.map(({ name, data }) => [name, Buffer.from(data).toString()])));
      },
    ),
    { numRuns: 60 },
  );
});

it('says by a name alone where its member stands', () => {
  const members = membersOf(
    Array.from({ length: 3000 }, (_, n) => `objects/demo-org-${n % 7}-${n}.html`),
    900,
  );
  const { ranges, blocks } = written(members, 200_000);
  expect(ranges.length).toBeGreaterThan(3);
  for (const { name } of members) {
    const pack = packIn(name, ranges);
    const own = blocks(pack ?? '');
    const next = own[blockOf(name, own) + 1];
    expect((own[blockOf(name, own)]?.[0] ?? '~') <= name, name).toBe(true);
    expect(next === undefined || next[0] > name, name).toBe(true);
  }
  expect(packIn('a', ranges)).toBeUndefined();
});

it('changes few packs when a member joins', () => {
  const names = Array.from({ length: 4000 }, (_, n) => `objects/demo-org-1-${n}.html`);
  const files = (members: Member[]) => {
    const { folder } = written(members, 100_000);
    return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  };
  const before = files(membersOf(names, 800));
  const after = files(membersOf([...names, 'objects/demo-org-1-2000a.html'], 800));
  const changed = [...after].filter(([file, text]) => before.get(file) !== text);
  expect(before.size).toBeGreaterThan(12);
  expect(changed.length).toBeLessThanOrEqual(4);
});

it('writes the same bytes from the same members', () => {
  const members = membersOf(Array.from({ length: 500 }, (_, n) => `m${n}`));
  const [a, b] = [written(members, 10_000), written(members, 10_000)];
  expect(readdirSync(a.folder)).toEqual(readdirSync(b.folder));
  for (const file of readdirSync(a.folder))
    expect(readFileSync(join(a.folder, file))).toEqual(readFileSync(join(b.folder, file)));
});
