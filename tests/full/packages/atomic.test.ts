/** Exports and imports are complete or absent: killed, on full or read-only disks, simultaneous, at unusable targets. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { FormatName } from '../../../src/export/formats.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import { describeError, isExpected } from '../../../src/model/errors.ts';
import {
  canMount,
  createSharedDirectory,
  createTestDirectory,
  killWhileStaging,
  mountSmallDisk,
  runMicrofiche,
} from '../../support/commands.ts';
import { createSmallSnapshot, exportInProcess } from '../../support/small-packages.ts';

const { path: shared, remove } = createSharedDirectory();
const small = join(shared, 'snapshot');
const bag = join(shared, 'bag');
const wacz = join(shared, 'archive.wacz');
const sample = () => inject('mirror').snapshot;

beforeAll(async () => {
  await createSmallSnapshot(small);
  await exportInProcess('bagit', sample(), bag);
  await exportInProcess('wacz', sample(), wacz);
});
afterAll(remove);

/** Returns the sentence with which some work ends. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  const result: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(result).toBeInstanceOf(Error);
  expect(isExpected(result), (result as Error).stack).toBe(true);
  expect(describeError(result)).toMatch(/^[^\n]+\.$/);
  return describeError(result);
}

const TARGETS: ReadonlyArray<readonly [format: FormatName, name: string]> = [
  ['bagit', 'bag'],
  ['bagit', 'bag.zip'],
  ['bagit', 'bag.tar'],
  ['wacz', 'archive.wacz'],
  ['tables', 'tables'],
  ['ead', 'ead.zip'],
  ['api', 'api'],
  ['iiif', 'iiif'],
  ['zim', 'archive.zim'],
];
const options = () => ({ dir: inject('mirror').dist, siteUrl: 'https://mirror.example/archive' });

/** How often a command has written when it is killed: each of those below writes more often. */
const WRITES = 4;

describe('killed in mid-course', () => {
  it.each(TARGETS.slice(0, 4))('export %s leaves nothing at %s, and the next one deletes the rest', async (format, name) => {
    const directory = createTestDirectory();
    const target = join(directory, name);
    expect(await killWhileStaging(['export', format, '--snapshot', sample(), '--to', target], WRITES)).toBe('SIGKILL');
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(directory)).not.toEqual([]);
    await exportInProcess(format, small, target);
    expect(readdirSync(directory)).toEqual([name]);
  });

  it.each([
    ['bag', bag],
    ['WACZ', wacz],
  ])('import of a %s leaves nothing, and the next one deletes the rest', async (_, path) => {
    const directory = createTestDirectory();
    const target = join(directory, 'imported');
    expect(await killWhileStaging(['import', path, '--snapshot', target], WRITES)).toBe('SIGKILL');
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(directory)).not.toEqual([]);
    await importPackage(path, target);
    expect(readdirSync(directory)).toEqual(['imported']);
  });
});

describe('a full or read-only disk', () => {
  const mayMount = canMount();

  it.runIf(mayMount).each(TARGETS)('export %s to %s leaves nothing', async (format, name) => {
    const disk = mountSmallDisk(150);
    const target = join(disk, 'new', name);
    expect(await problemOf(exportInProcess(format, sample(), target, options()))).toMatch(/^The disk is full\./);
    expect(readdirSync(disk)).toEqual([]);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(await problemOf(exportInProcess(format, sample(), target, options()))).toMatch(/read-only/);
    expect(readdirSync(disk)).toEqual([]);
  });

  it.runIf(mayMount).each([
    ['bag', bag],
    ['WACZ', wacz],
  ])('import of a %s leaves nothing', async (_, path) => {
    const disk = mountSmallDisk(1500);
    const target = join(disk, 'new', 'imported');
    expect(await problemOf(importPackage(path, target))).toMatch(/^The disk is full\./);
    expect(readdirSync(disk)).toEqual([]);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(await problemOf(importPackage(path, target))).toMatch(/read-only/);
  });
});

describe('a target', () => {
  it.each(TARGETS.slice(0, 5))(
    'of export %s is replaced if it is %s of the same format, and nothing else is',
    async (format, name) => {
      const directory = createTestDirectory();
      const target = join(directory, name);
      const write = () => exportInProcess(format, small, target);
      await write();
      await write();
      rmSync(target, { recursive: true });
      mkdirSync(join(target, 'own'), { recursive: true });
      // A package in a directory of the operator does not make the directory ours.
      writeFileSync(join(target, 'own', 'microfiche-export.json'), JSON.stringify({ format, fingerprint: '' }));
      expect(await problemOf(write())).toMatch(
        /exists, and Microfiche did not export it\. Choose another path, or move it away\.$/,
      );
      expect(readdirSync(target)).toEqual(['own']);
      rmSync(target, { recursive: true });
      writeFileSync(target, 'mine');
      expect(await problemOf(write())).toMatch(/exists, and Microfiche did not export it/);
      expect(readFileSync(target, 'utf8')).toBe('mine');
      rmSync(target);
      symlinkSync(bag, target);
      expect(await problemOf(write())).toMatch(/exists, and Microfiche did not export it/);
      expect(readdirSync(directory)).toEqual([name]);
    },
  );

  it.each([
    ['bagit', ['data/notes.txt', 'notes.txt', 'data/media/demo-org-1/mine.jpg']],
    ['tables', ['notes.txt', 'objects.csv.bak', 'mine/objects.csv']],
    ['ead', ['mine.xml', 'README.txt']],
    ['api', ['.htaccess', 'api/0.2/mine/index.html', 'mine.jpg']],
    ['iiif', ['iiif/mine/manifest.json', 'media/tiles/mine/info.json', 'index.html']],
  ] as const)('of export %s is not replaced if others added files', async (format, added) => {
    const directory = createTestDirectory();
    const [target, elsewhere] = [join(directory, format), join(directory, 'elsewhere')];
    const write = () => exportInProcess(format, format === 'iiif' ? sample() : small, target, options());
    const refusal = (path: string) =>
      `${target} contains ${path}, which Microfiche did not write. Move it away, or choose another path.`;
    await write();
    for (const path of added) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), 'mine');
      expect(await problemOf(write())).toBe(refusal(path));
      expect(readFileSync(join(target, path), 'utf8')).toBe('mine');
      rmSync(join(target, path));
    }
    const own = readdirSync(target, { recursive: true })
      .map(String)
      .find((path) => !/manifest-|microfiche-export/.test(path) && statSync(join(target, path)).isFile()) as string;
    renameSync(join(target, own), elsewhere);
    symlinkSync(elsewhere, join(target, own));
    expect(await problemOf(write())).toBe(refusal(own));
    rmSync(join(target, own));
    symlinkSync(elsewhere, join(target, 'link'));
    expect(await problemOf(write())).toBe(refusal('link'));
    rmSync(join(target, 'link'));
    await write(); // without a file of its own, it is still an export
    expect(readdirSync(directory).sort()).toEqual(['elsewhere', format].sort());
  });

  it('cannot be where the export reads from, or contain it', async () => {
    const directory = createTestDirectory();
    const [snapshot, dir] = [join(directory, 'snapshot'), join(directory, 'dist')];
    cpSync(small, snapshot, { recursive: true });
    cpSync(inject('mirror').dist, dir, { recursive: true });
    symlinkSync(snapshot, join(directory, 'link'));
    const before = readdirSync(directory, { recursive: true }).length;
    for (const [to, message] of [
      [join(snapshot, 'bag.zip'), /is in the snapshot .*\. Choose a path outside it\.$/],
      [snapshot, /is in the snapshot/],
      [join(directory, 'link/media/bag'), /is in the snapshot/],
      [join(dir, 'files', 'bag.zip'), /is in the site/],
      [directory, /contains the snapshot/],
    ] as const)
      expect(await problemOf(exportInProcess('bagit', snapshot, to, { dir }))).toMatch(message);
    expect(await problemOf(exportInProcess('zim', snapshot, join(dir, 'a.zim'), { dir }))).toMatch(/is in the site/);
    expect(readdirSync(directory, { recursive: true })).toHaveLength(before);
  });

  it('below a file cannot be used, and neither can a snapshot that is missing', async () => {
    const directory = createTestDirectory();
    writeFileSync(join(directory, 'file'), 'mine');
    for (const to of ['file/bag', 'file/deep/bag'])
      expect(await problemOf(exportInProcess('bagit', small, join(directory, to)))).toMatch(
        /file.*(?:not a directory|is a file)/,
      );
    expect(await problemOf(importPackage(bag, join(directory, 'file/imported')))).toMatch(/not a directory/);
    expect(await problemOf(exportInProcess('bagit', join(directory, 'none'), join(directory, 'bag')))).toMatch(
      /^No snapshot found in .*none/,
    );
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('of import must be new or empty, and not in the package', async () => {
    const directory = createTestDirectory();
    const at = (name: string) => join(directory, name);
    mkdirSync(at('full'));
    writeFileSync(at('full/mine'), 'x');
    symlinkSync(at('nowhere'), at('broken'));
    mkdirSync(at('disk'));
    symlinkSync(at('disk'), at('link'));
    expect(await problemOf(importPackage(bag, at('full')))).toMatch(/is not empty\. Name a new directory with --snapshot\.$/);
    expect(await problemOf(importPackage(bag, at('full/mine')))).toMatch(/is a file/);
    expect(await problemOf(importPackage(bag, at('broken')))).toMatch(/is a broken symbolic link/);
    expect(await problemOf(importPackage(bag, join(bag, 'data/new')))).toMatch(/is in the package itself/);
    await importPackage(bag, at('link'));
    expect(existsSync(at('disk/snapshot.sqlite'))).toBe(true);
    expect(statSync(at('disk')).mode).toBe(statSync(at('full')).mode); // readable as any other directory
    expect(readdirSync(directory).sort()).toEqual(['broken', 'disk', 'full', 'link']);
    expect(readdirSync(at('full'))).toEqual(['mine']);
  });
});

it('of two exports or imports to one target at the same time, one ends at once', async () => {
  const directory = createTestDirectory();
  const [exported, imported] = [join(directory, 'bag.tar'), join(directory, 'imported')];
  for (const [work, message] of [
    [() => exportInProcess('bagit', sample(), exported), /^Another process is exporting to .*\. Wait until it has finished\.$/],
    [() => importPackage(wacz, imported), /^Another process is importing to .*\. Wait until it has finished\.$/],
  ] as const) {
    const results = await Promise.allSettled([work(), work()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(describeError(refused?.reason)).toMatch(message);
  }
  expect(readdirSync(directory).sort()).toEqual(['bag.tar', 'imported']);
});

it('without a program that it needs, an export names it and leaves nothing', async () => {
  const directory = createTestDirectory();
  const env = { PATH: dirname(process.execPath) };
  writeFileSync(join(directory, 'key'), 'x');
  const run = (args: string[]) => runMicrofiche(args, { env });
  const bagArgs = ['export', 'bagit', '--snapshot', small, '--to', join(directory, 'bag'), '--sign', join(directory, 'key')];
  expect(await run(bagArgs)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^microfiche: [^\n]*ssh-keygen[^\n]*\n$/) });
  const zimArgs = ['export', 'zim', '--dir', inject('mirror').dist, '--to', join(directory, 'a.zim'), '--fulltext'];
  expect(await run(zimArgs)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^microfiche: [^\n]*zimwriterfs[^\n]*\n$/) });
  expect(readdirSync(directory)).toEqual(['key']);
});
