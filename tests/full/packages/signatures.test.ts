/** Signatures: made by `--sign`, checked by `verify --signers` and by OpenSSH alone. */
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, inject, it } from 'vitest';
import type { SignedKind } from '../../../src/publish/signed-kinds.ts';
import { createSharedDirectory, createTestDirectory, runMicrofiche, runMicroficheJson } from '../../support/commands.ts';
import { createSmallSnapshot } from '../../support/small-packages.ts';

const shared = createSharedDirectory();
const key = () => join(shared.path, 'key');
const small = () => join(shared.path, 'snapshot');
const signers = () => join(shared.path, 'signers');

beforeAll(async () => {
  await createSmallSnapshot(small());
  for (const name of ['key', 'other'])
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(shared.path, name)]);
  writeFileSync(signers(), `archive@demo.example ${readFileSync(`${key()}.pub`, 'utf8')}`);
});

/** Checks a signature as the READMEs say. */
const checkWithOpenSsh = (kind: SignedKind, file: string) =>
  execa(
    'ssh-keygen',
    ['-Y', 'verify', '-f', signers(), '-I', 'archive@demo.example', '-n', `microfiche-${kind}`, '-s', `${file}.sig`],
    {
      input: readFileSync(file),
      reject: false,
    },
  );

it('signs a bag; OpenSSH, verify and import accept it until it or its signature changes', async () => {
  const directory = createTestDirectory();
  const [bag, other] = [join(directory, 'bag'), join(directory, 'other')];
  const exportTo = (to: string, ...options: string[]) =>
    runMicroficheJson<{ fingerprint: string }>([
      ...['export', 'bagit', '--snapshot', inject('mirror').snapshot, '--to', to, ...options],
    ]);
  const { fingerprint } = await exportTo(bag, '--sign', key());
  await exportTo(other, '--collection', 'lica-quay-1', '--sign', key());
  const manifest = join(bag, 'tagmanifest-sha256.txt');
  expect(await checkWithOpenSsh('bag', manifest)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Good "microfiche-bag" signature for archive@demo.example') as string,
  });
  await execa('sha256sum', ['-c', '--quiet', 'tagmanifest-sha256.txt'], { cwd: bag });
  const verify = () => runMicrofiche(['verify', '--dir', bag, '--signers', signers()]);
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `\\(bag\\): checked \\d+ files .*; 0 findings\\.\nArchive: [^\n]+\nFingerprint of the content: ${fingerprint}\nSigned by archive@demo`,
      ),
    ) as string,
  });
  // A key that may sign only something else.
  const limited = join(directory, 'limited-signers');
  writeFileSync(limited, readFileSync(signers(), 'utf8').replace(' ', ' namespaces="git" '));
  expect(await runMicrofiche(['verify', '--dir', bag, '--signers', limited])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the list of signers does not let its key sign a bag') as string,
  });
  const importBag = (...options: string[]) =>
    runMicrofiche(['import', bag, '--snapshot', join(directory, 'imported'), ...options]);

  const signature = readFileSync(`${manifest}.sig`);
  cpSync(join(other, 'tagmanifest-sha256.txt.sig'), `${manifest}.sig`);
  const mismatch = expect.stringContaining('the signature does not match the file') as string;
  expect(await verify()).toMatchObject({ code: 1, stdout: mismatch });
  expect(await importBag()).toMatchObject({ code: 1, stderr: mismatch });
  rmSync(`${manifest}.sig`);
  const unsigned = expect.stringContaining('it has not been signed') as string;
  expect(await verify()).toMatchObject({ code: 1, stdout: unsigned });
  expect(await importBag('--signers', signers())).toMatchObject({ code: 1, stderr: unsigned });
  expect(existsSync(join(directory, 'imported'))).toBe(false);
  writeFileSync(`${manifest}.sig`, signature);
  expect(await importBag('--signers', signers())).toMatchObject({ code: 0 });
  appendFileSync(manifest, ' ');
  expect((await checkWithOpenSsh('bag', manifest)).exitCode).not.toBe(0);
});

it('verify names the bag in a directory into which it was unpacked', async () => {
  const directory = createTestDirectory();
  const unpacked = join(directory, 'unpacked');
  mkdirSync(join(unpacked, 'microfiche-bagit'), { recursive: true });
  writeFileSync(join(unpacked, 'microfiche-bagit', 'bagit.txt'), 'BagIt-Version: 1.0');
  expect(await runMicrofiche(['verify', '--dir', unpacked])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `${unpacked} contains a bag. Check it with --dir ${join(unpacked, 'microfiche-bagit')}.`,
    ) as string,
  });
});

it('verify lists everything that is wrong with a package', async () => {
  const directory = createTestDirectory();
  const [bag, wacz] = [join(directory, 'bag'), join(directory, 'archive.wacz')];
  for (const [format, to] of [
    ['bagit', bag],
    ['wacz', wacz],
  ] as const)
    await runMicroficheJson([
      ...['export', format, '--snapshot', inject('mirror').snapshot, '--collection', 'lica-quay-1', '--to', to],
    ]);
  const verify = (path: string) => runMicrofiche(['verify', '--dir', path, '--log', join(directory, 'log')]);
  expect(await verify(bag)).toMatchObject({ code: 0 });
  expect(await verify(wacz)).toMatchObject({ code: 0, stdout: expect.stringContaining('(WACZ): checked') as string });
  appendFileSync(join(bag, 'data/tables/notes.csv'), 'x');
  rmSync(join(bag, 'data/tables/README.txt'));
  writeFileSync(join(bag, 'data/mine.txt'), 'mine');
  const { code, stdout } = await verify(bag);
  expect(code).toBe(1);
  for (const problem of [
    'data/tables/notes.csv was changed: its checksum is not that of manifest-sha256.txt',
    'data/tables/README.txt is missing',
    'data/mine.txt is not listed in manifest-sha512.txt',
  ])
    expect(stdout).toContain(problem);
  expect(readFileSync(join(directory, 'log'), 'utf8')).toMatch(
    / ok package=.*\n.* ok package=.*\n.* failed package="[^"]*bag" files=/,
  );
});

it('signs a site and a USB drive; verify accepts them until one byte changes', async () => {
  const directory = createTestDirectory();
  const dist = join(directory, 'dist');
  const build = (...more: string[]) => runMicroficheJson(['build', '--snapshot', small(), '--out', dist, '--no-search', ...more]);
  await build('--sign', key());
  const manifest = join(dist, 'manifest-sha256.txt');
  expect((await checkWithOpenSsh('site', manifest)).exitCode).toBe(0);
  const verify = (dir: string, list = signers()) => runMicrofiche(['verify', '--dir', dir, '--signers', list]);
  expect(await verify(dist)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Signed by archive@demo.example.') as string,
  });
  mkdirSync(join(directory, 'drive'));
  await runMicroficheJson(['usb', '--dir', dist, '--to', join(directory, 'drive')]);
  expect((await verify(join(directory, 'drive'))).code).toBe(0);

  const foreign = join(directory, 'foreign');
  writeFileSync(foreign, `someone@demo.example ${readFileSync(join(shared.path, 'other.pub'), 'utf8')}`);
  expect(await verify(dist, foreign)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('its key is not one of the signers') as string,
  });
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, `${text}\n`);
  expect(await verify(dist)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the signature does not match the file') as string,
  });
  writeFileSync(manifest, text);

  await build('--languages', 'en,es'); // another site: the signature is of the one before
  expect(existsSync(`${manifest}.sig`)).toBe(false);
  expect(await verify(dist)).toMatchObject({ code: 1, stdout: expect.stringContaining('it has not been signed') as string });
});

it('keeps the signature if the site does not change', async () => {
  const dist = join(createTestDirectory(), 'dist');
  const build = (...more: string[]) => runMicroficheJson(['build', '--snapshot', small(), '--out', dist, '--no-search', ...more]);
  await build('--sign', key());
  await build();
  expect((await checkWithOpenSsh('site', join(dist, 'manifest-sha256.txt'))).exitCode).toBe(0);
});

it('gives one sentence for a key or a list of signers that cannot be used', async () => {
  const to = join(createTestDirectory(), 'bag');
  const sign = (keyFile: string) =>
    runMicrofiche(['export', 'bagit', '--snapshot', inject('mirror').snapshot, '--to', to, '--sign', keyFile]);
  expect(await sign(join(shared.path, 'nowhere'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nowhere does not exist\. Name a private key of OpenSSH with --sign\.\n$/) as string,
  });
  writeFileSync(join(shared.path, 'text'), 'not a key', { mode: 0o600 });
  expect(await sign(join(shared.path, 'text'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/text cannot sign: .*\n$/) as string,
  });
  expect(existsSync(to)).toBe(false);
  rmSync(join(shared.path, 'text'));
  const { code, stderr } = await runMicrofiche(['verify', '--dir', inject('mirror').dist, '--signers', 'nowhere']);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('nowhere does not exist. Name a file of allowed signers with --signers.'),
  ]);
});

it.each(['zim', 'tables', 'iiif', 'api', 'ead'])('refuses to sign %s, or to add the source of the program', async (format) => {
  const to = join(shared.path, 'refused');
  const options = ['--snapshot', inject('mirror').snapshot, '--to', to, '--site', 'https://mirror.example.org'];
  expect(await runMicrofiche(['export', format, ...options, '--sign', key()])).toMatchObject({
    code: 2,
    stderr: `microfiche: export ${format} cannot be signed. Leave out --sign, or export a bag, which can.\n`,
  });
  expect(await runMicrofiche(['export', format, ...options, '--with-source'])).toMatchObject({
    code: 2,
    stderr: `microfiche: export ${format} cannot contain the source of the program. Leave out --with-source, or export a bag.\n`,
  });
  expect(existsSync(to)).toBe(false);
});
