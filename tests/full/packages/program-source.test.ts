/** `--with-source`: a bag and a USB drive contain the program that reads them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, it } from 'vitest';
import { VERSION } from '../../../src/model/version.ts';
import { createTestDirectory, runMicrofiche, runMicroficheJson } from '../../support/commands.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Copies the site of the sample to an empty drive. Returns the drive. */
async function copyToDrive(...options: string[]): Promise<string> {
  const drive = join(createTestDirectory(), 'drive');
  mkdirSync(drive);
  await runMicroficheJson(['usb', '--dir', inject('mirror').dist, '--to', drive, ...options]);
  return drive;
}

it('puts the source into a bag, and that source imports the bag', async () => {
  const directory = createTestDirectory();
  const bag = join(directory, 'bag');
  const { fingerprint } = await runMicroficheJson<{ fingerprint: string }>([
    ...['export', 'bagit', '--snapshot', inject('mirror').snapshot, '--to', bag, '--with-source'],
  ]);
  expect(readFileSync(join(bag, 'README.txt'), 'utf8')).toContain('data/microfiche-source.tar');
  await execa('tar', ['xf', join(bag, 'data/microfiche-source.tar'), '-C', directory]);
  const program = join(directory, `microfiche-${VERSION}`);
  expect(readdirSync(program)).not.toContain('node_modules');
  for (const name of [
    'package-lock.json',
    'LICENSE',
    'docs/snapshot-format.md',
    'src/export/bagit/write-bag.ts',
    'content/sample',
  ])
    expect([name, existsSync(join(program, name))]).toEqual([name, true]);
  expect(readdirSync(join(program, 'content/sample'))).not.toContain('snapshot.sqlite'); // `npm run prepare` writes it
  symlinkSync(join(ROOT, 'node_modules'), join(program, 'node_modules'));
  const snapshot = join(directory, 'snapshot');
  const { stdout } = await execa(process.execPath, ['scripts/bin.mjs', 'import', bag, '--snapshot', snapshot, '--json'], {
    cwd: program,
  });
  expect(JSON.parse(stdout)).toMatchObject({ fingerprint });
});

it('puts the source on a USB drive; the manifest of the drive lists it', async () => {
  const directory = createTestDirectory();
  const key = join(directory, 'key');
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const signers = join(directory, 'signers');
  writeFileSync(signers, `archive@demo.example ${readFileSync(`${key}.pub`, 'utf8')}`);
  const drive = await copyToDrive('--with-source', '--sign', key);
  await execa('sha256sum', ['-c', 'drive-manifest-sha256.txt'], { cwd: drive });
  const readme = readFileSync(join(drive, 'README.txt'), 'utf8');
  expect(readme).toContain('microfiche-source.tar contains the source of the program');
  expect(readme).toContain('ssh-keygen -Y verify -f signers');
  const verify = () => runMicrofiche(['verify', '--dir', drive, '--signers', signers]);
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed by archive@demo.example') as string });

  const tar = readFileSync(join(drive, 'microfiche-source.tar'));
  tar[5000] = (tar[5000] ?? 0) ^ 1;
  writeFileSync(join(drive, 'microfiche-source.tar'), tar);
  const changed = expect.stringContaining('it was changed: its checksum is not that in drive-manifest-sha256.txt') as string;
  expect(await verify()).toMatchObject({ code: 1, stdout: changed });
  const { stdout: checksum } = await execa('sha256sum', ['microfiche-source.tar'], { cwd: drive });
  const manifest = readFileSync(join(drive, 'drive-manifest-sha256.txt'), 'utf8');
  writeFileSync(join(drive, 'drive-manifest-sha256.txt'), manifest.replace(/.*microfiche-source\.tar/, checksum));
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the signature does not match the file') as string,
  });

  await runMicroficheJson(['usb', '--dir', inject('mirror').dist, '--to', drive, '--with-source', '--sign', key]);
  expect((await verify()).code).toBe(0);
});

it('does not replace a file on the drive that has the same name', async () => {
  const drive = await copyToDrive();
  expect(readFileSync(join(drive, 'README.txt'), 'utf8')).not.toContain('microfiche-source.tar');
  writeFileSync(join(drive, 'microfiche-source.tar'), 'mine');
  const { stdout, code } = await runMicrofiche(['usb', '--dir', inject('mirror').dist, '--to', drive, '--with-source']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Not replaced: microfiche-source.tar, which Microfiche did not write'),
  ]);
  expect(readFileSync(join(drive, 'microfiche-source.tar'), 'utf8')).toBe('mine');
});
