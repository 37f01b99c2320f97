/** Updates of bags: small, applied to a bag and to a snapshot, in a chain, and refused by what they do not fit. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import { readWithholding } from '../../src/catalogue/read/withholding.ts';
import { sizeOfPackage } from '../../src/export/package/package-reader.ts';
import { addCopies, bodyOf, changeSnapshot, storeBody } from '../support/change-snapshot.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, SAMPLE } from '../support/commands.ts';
import { exportInProcess } from '../support/small-packages.ts';

const shared = createSharedDirectory();
const at = (name: string) => join(shared.path, name);
const contentOf = (directory: string) =>
  Object.fromEntries([...readFiles(directory)].map(([path, bytes]) => [path, bytes.toString('base64')]));
const failureOf = async (...args: string[]) => {
  const { code, stderr } = await runMicrofiche(args);
  expect(code).toBe(1);
  return stderr;
};

/** Three states of a snapshot, the bag of each, and the updates between them. */
beforeAll(async () => {
  const changes = [
    () => undefined,
    (db: Parameters<typeof storeBody>[0]) => addCopies(db, ['nbma-1-1', 2]),
    (db: Parameters<typeof storeBody>[0]) =>
      storeBody(db, 'object:nbma-1-2', { ...bodyOf(db, 'object:nbma-1-2'), title: 'Another title' }),
  ];
  cpSync(SAMPLE, at('snapshot'), { recursive: true });
  for (const [n, change] of changes.entries()) {
    changeSnapshot(at('snapshot'), change);
    cpSync(at('snapshot'), at(`snapshot${n}`), { recursive: true });
    await exportInProcess('bagit', at('snapshot'), at(`bag${n}`));
    if (n > 0) await exportInProcess('bagit', at('snapshot'), at(`update${n}`), { since: at(`bag${n - 1}/manifest-sha256.txt`) });
  }
});

describe('the update of a bag', () => {
  it('has only what differs: patches and lists, and passes verify', async () => {
    expect(existsSync(at('update1/data/media'))).toBe(false);
    expect(sizeOfPackage(at('update1')) / sizeOfPackage(at('bag1'))).toBeLessThan(0.03);
    const { code, stdout } = await runMicrofiche(['verify', '--dir', at('update1')]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 findings')]);
  });

  it('makes each bag the next one, byte for byte, and is not applied twice or out of turn', async () => {
    cpSync(at('bag0'), at('copy'), { recursive: true });
    expect(await failureOf('sync', at('update2'), at('copy'))).toMatch(/as it was before\. Apply earlier updates first/);
    expect(contentOf(at('copy'))).toEqual(contentOf(at('bag0')));
    for (const n of [1, 2]) {
      await runMicroficheJson(['sync', at(`update${n}`), at('copy')]);
      expect(contentOf(at('copy'))).toEqual(contentOf(at(`bag${n}`)));
    }
    expect(await runMicroficheJson(['sync', at('update2'), at('copy')])).toMatchObject({ removed: 0 });
    expect(contentOf(at('copy'))).toEqual(contentOf(at('bag2')));
  });

  it('makes a snapshot that was imported from the bag the next one', async () => {
    await runMicroficheJson(['import', at('bag0'), '--snapshot', at('imported')]);
    expect(await failureOf('import', at('update2'), '--snapshot', at('imported'))).toContain('Apply earlier updates first');
    const first = await runMicroficheJson<{ fingerprint: string }>(['import', at('update1'), '--snapshot', at('imported')]);
    await runMicroficheJson(['sync', at('update2'), at('imported')]);
    const status = (name: string) =>
      runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', at(name), '--dir', 'nowhere']);
    expect(first.fingerprint).toBe((await status('snapshot1')).fingerprint);
    expect((await status('imported')).fingerprint).toBe((await status('snapshot2')).fingerprint);
    await exportInProcess('bagit', at('imported'), at('again'));
    expect(contentOf(at('again'))).toEqual(contentOf(at('bag2')));
  });

  it('is no whole bag: it is not imported into a new snapshot', async () => {
    expect(await failureOf('import', at('update1'), '--snapshot', at('new'))).toContain('Name the snapshot that it updates');
    expect(await failureOf('sync', at('update1'), at('new'))).toContain('Apply earlier updates first, or use a whole bag');
    expect(existsSync(at('new'))).toBe(false);
  });

  it('is not applied to a directory that lacks what it leaves out, also if it has no patches', async () => {
    mkdirSync(at('list'));
    cpSync(at('bag0/manifest-sha256.txt'), at('list/manifest-sha256.txt'));
    await exportInProcess('bagit', at('snapshot1'), at('unpatched'), { since: at('list/manifest-sha256.txt') });
    expect(existsSync(at('unpatched/patches'))).toBe(false);
    expect(await failureOf('sync', at('unpatched'), at('new'))).toContain('Apply earlier updates first, or use a whole bag');
    expect(existsSync(at('new'))).toBe(false);
  });

  it.each(['patches/data/snapshot.sqlite', 'patched-sha256.txt', 'left-out-sha256.txt', 'manifest-sha256.txt'])(
    'changes nothing if %s is damaged',
    async (path) => {
      cpSync(at('update1'), at('damaged'), { recursive: true });
      cpSync(at('bag0'), at('honest'), { recursive: true });
      const bytes = readFileSync(at(`damaged/${path}`));
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
      writeFileSync(at(`damaged/${path}`), bytes);
      expect(await failureOf('sync', at('damaged'), at('honest'))).toMatch(/^[^\n]*\n$/);
      await runMicroficheJson(['sync', at('update1'), at('honest')]);
      expect(contentOf(at('honest'))).toEqual(contentOf(at('bag1')));
      for (const name of ['damaged', 'honest']) rmSync(at(name), { recursive: true });
    },
  );

  it('may be a ZIP file, and the same snapshots give the same bytes', async () => {
    const since = at('bag0/manifest-sha256.txt');
    for (const name of ['one.zip', 'two.zip', 'one.tar']) await exportInProcess('bagit', at('snapshot1'), at(name), { since });
    expect(readFileSync(at('one.zip')).equals(readFileSync(at('two.zip')))).toBe(true);
    for (const name of ['one.zip', 'one.tar']) {
      cpSync(at('bag0'), at('zipped'), { recursive: true });
      await runMicroficheJson(['sync', at(name), at('zipped')]);
      expect(contentOf(at('zipped'))).toEqual(contentOf(at('bag1')));
      rmSync(at('zipped'), { recursive: true });
    }
  });
});

it('a signed update passes verify, and gives a bag and a snapshot only what one of the signers has signed', async () => {
  for (const name of ['key', 'stranger']) {
    execFileSync(programFile('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
    writeFileSync(at(`signers-${name}`), `archive@demo.example ${readFileSync(at(`${name}.pub`), 'utf8')}`);
  }
  const made = ['--snapshot', at('snapshot1'), '--since', at('bag0/manifest-sha256.txt'), '--sign', at('key')];
  await runMicroficheJson(['export', 'bagit', ...made, '--to', at('signed')]);
  const [known, strange] = ['key', 'stranger'].map((name) => ['--signers', at(`signers-${name}`)]) as [string[], string[]];
  expect(await runMicrofiche(['verify', '--dir', at('signed'), ...known])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Signed by archive@demo.example') as string,
  });
  expect(await runMicrofiche(['verify', '--dir', at('signed'), ...strange])).toMatchObject({ code: 1 });

  cpSync(at('bag0'), at('signed-copy'), { recursive: true });
  await runMicroficheJson(['import', at('bag0'), '--snapshot', at('signed-snapshot')]);
  const before = contentOf(at('signed-copy'));
  cpSync(at('signed'), at('unsigned'), { recursive: true });
  rmSync(at('unsigned/tagmanifest-sha256.txt.sig'));
  for (const to of ['signed-copy', 'signed-snapshot']) {
    expect(await failureOf('sync', at('signed'), at(to), ...strange)).toContain('its key is not one of the signers');
    expect(await failureOf('sync', at('unsigned'), at(to), ...known)).toContain('has not been signed');
  }
  expect(contentOf(at('signed-copy'))).toEqual(before);
  for (const to of ['signed-copy', 'signed-snapshot']) await runMicroficheJson(['sync', at('signed'), at(to), ...known]);
  const { 'tagmanifest-sha256.txt.sig': signature, ...rest } = contentOf(at('signed-copy'));
  expect(signature).toBeDefined();
  expect(rest).toEqual(contentOf(at('bag1')));
  expect(await runMicrofiche(['verify', '--dir', at('signed-copy'), ...known])).toMatchObject({ code: 0 });
});

it('a whole bag of the same day replaces another one only with --force', async () => {
  cpSync(at('bag1'), at('same-day'), { recursive: true });
  expect(await failureOf('sync', at('bag2'), at('same-day'))).toContain('so that it is not known which one is newer');
  await runMicroficheJson(['sync', at('bag2'), at('same-day'), '--force']);
  expect(contentOf(at('same-day'))).toEqual(contentOf(at('bag2')));
});

describe('what the archive withdraws', () => {
  const withheldId = 'lica-ferry-1-1';
  const withholding = readWithholding([{ id: withheldId, reason: 'By request.', date: '2026-01-01', page: 'none' }]);
  const bagOf = (snapshot: string, name: string, options: Parameters<typeof exportInProcess>[3] = {}) =>
    exportInProcess('bagit', at(snapshot), at(name), options);

  it('and withholds does not come back from a bag that still has it, nor through an update', async () => {
    for (const name of ['withholding', 'later']) cpSync(at('snapshot2'), at(name), { recursive: true });
    await bagOf('withholding', 'less', { withholding });
    const since = at('less/manifest-sha256.txt');
    // Another mirror of the archive, which withholds nothing, has harvested since.
    const time = '2026-03-01T00:00:00.000Z';
    changeSnapshot(at('later'), (db) => db.prepare('UPDATE run SET started_at = ?1, finished_at = ?1').run(time));
    await bagOf('later', 'with-it');
    await bagOf('later', 'update-with-it', { since });
    await runMicroficheJson(['import', at('less'), '--snapshot', at('imported-less')]);
    const before = contentOf(at('less'));
    for (const from of ['with-it', 'update-with-it'])
      for (const to of ['less', 'imported-less'])
        for (const force of [[], ['--force']])
          expect(await failureOf('sync', at(from), at(to), ...force)).toMatch(
            /1 entry of "withhold" with which .* was made may not be withheld from/,
          );
    expect(contentOf(at('less'))).toEqual(before);
    // What still withholds it replaces it, also as an update, and if it was passed on.
    changeSnapshot(at('withholding'), (db) =>
      storeBody(db, 'object:nbma-1-2', { ...bodyOf(db, 'object:nbma-1-2'), title: 'A third title' }),
    );
    await bagOf('withholding', 'next-update', { withholding, since });
    for (const to of ['less', 'imported-less']) await runMicroficheJson(['sync', at('next-update'), at(to)]);
    await bagOf('imported-less', 'passed-on');
    expect(contentOf(at('passed-on'))).toEqual(contentOf(at('less')));
  });

  it('and purges does not come back from a bag that still has it, nor through an update', async () => {
    cpSync(at('snapshot2'), at('purged'), { recursive: true });
    await runMicroficheJson(['purge', withheldId, '--snapshot', at('purged'), '--yes'], { cwd: at('') });
    await bagOf('purged', 'purged-bag');
    await bagOf('snapshot2', 'unpurging', { since: at('purged-bag/manifest-sha256.txt') });
    for (const from of ['bag2', 'unpurging'])
      expect(await failureOf('sync', at(from), at('purged-bag'), '--force')).toContain(`still does: ${withheldId}`);
  });
});

it('a bag of one collection does not shrink a bag of all, also as an update', async () => {
  const collections = ['lica-quay'];
  const since = at('bag1/manifest-sha256.txt');
  await exportInProcess('bagit', at('snapshot1'), at('collection'), { collections });
  await exportInProcess('bagit', at('snapshot1'), at('collection-update'), { collections, since });
  cpSync(at('bag1'), at('all'), { recursive: true });
  for (const name of ['collection', 'collection-update'])
    expect(await failureOf('sync', at(name), at('all'))).toMatch(
      /has only lica-quay, and .* has all collections\. Name a bag of/,
    );
  expect(contentOf(at('all'))).toEqual(contentOf(at('bag1')));
  await runMicroficheJson(['sync', at('collection'), at('all'), '--force']);
  expect(contentOf(at('all'))).toEqual(contentOf(at('collection')));
});

it('a bag erases no interrupted copy of a site, and takes no litter and no unlisted file along', async () => {
  mkdirSync(at('site/objects'), { recursive: true });
  for (const name of ['index.html', 'microfiche-copy.txt', 'objects/a.html']) writeFileSync(at(`site/${name}`), '');
  expect(await failureOf('sync', at('bag1'), at('site'))).toContain('is neither a bag nor a snapshot');
  cpSync(at('bag1'), at('litter'), { recursive: true });
  for (const name of ['.DS_Store', 'autorun.inf']) writeFileSync(at(`litter/${name}`), 'x');
  await runMicroficheJson(['sync', at('litter'), at('clean')]);
  expect(contentOf(at('clean'))).toEqual(contentOf(at('bag1')));
  expect(await failureOf('sync', at('bag1'), 'http://127.0.0.1:9/bag')).toContain('A copy can only be on this machine');
  expect((await runMicrofiche(['verify', '--dir', at('bag1'), '--with', at('bag2')])).stderr).toContain('--with compares sites');
  const late = readFileSync(at('litter/bag-info.txt'), 'utf8').replace(/^Bagging-Date: .*/m, 'Bagging-Date: 2999-01-01');
  writeFileSync(at('litter/bag-info.txt'), late);
  expect(await failureOf('sync', at('litter'), at('clean'))).toMatch(/bag-info\.txt was changed|in the future/);
});

it('a bag is found beside litter, as an unpacked ZIP file of a Mac has it', async () => {
  cpSync(at('bag0'), at('unpacked/bag'), { recursive: true });
  mkdirSync(at('unpacked/__MACOSX/bag'), { recursive: true });
  for (const name of ['.DS_Store', '__MACOSX/bag/._bagit.txt']) writeFileSync(at(`unpacked/${name}`), 'x');
  await runMicroficheJson(['import', at('unpacked'), '--snapshot', at('from-mac')]);
  expect((await runMicrofiche(['verify', '--snapshot', at('from-mac')])).code).toBe(0);
});

it('a whole bag is copied, and replaces no other directory', async () => {
  await runMicroficheJson(['sync', at('bag1'), at('whole')]);
  expect(contentOf(at('whole'))).toEqual(contentOf(at('bag1')));
  expect(await failureOf('sync', at('bag1'), SAMPLE.replace(/[^/]+$/, ''))).toContain('is neither a bag nor a snapshot');
});
