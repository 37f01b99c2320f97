/** What a signature covers: its own kind of thing, and all its files. All that can be signed is taken apart, and lent. */
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runVerify } from '../../../scripts/commands/verify.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import { copyToUsb } from '../../../src/publish/copies/copy-to-usb.ts';
import { checkSignature, signDirectory } from '../../../src/publish/signature.ts';
import { SIGNED_KINDS, type SignedKind, signatureFileOf } from '../../../src/publish/signed-kinds.ts';
import { formatIdentity } from '../../../src/publish/site-identity.ts';
import { contentSecurityPolicy } from '../../../src/site/csp.ts';
import { createSharedDirectory, createTestDirectory, readFiles } from '../../support/commands.ts';
import { publishSite } from '../../support/publish-site.ts';
import {
  createSmallSnapshot,
  createZip,
  exportInProcess,
  type Files,
  sealBag,
  writeFiles,
} from '../../support/small-packages.ts';

const shared = createSharedDirectory();
const inShared = (name: string) => join(shared.path, name);
const signers = () => inShared('signers');
const KINDS = Object.keys(SIGNED_KINDS) as SignedKind[];
const ARCHIVE = { authorsUrl: 'https://guide.demo.example', catalogUrl: 'https://archive.demo.example' };

beforeAll(async () => {
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', inShared('key')]);
  writeFileSync(signers(), `archive@demo.example ${readFileSync(inShared('key.pub'), 'utf8')}`);
  const key = inShared('key');
  const page = `<html><head><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy({})}"><title>T</title></head></html>`;
  writeFiles(inShared('files'), new Map([['index.html', Buffer.from(page)]]));
  const identity = formatIdentity({ format: 1, ...ARCHIVE, snapshot: 'f'.repeat(64) });
  writeFileSync(inShared('files/microfiche.json'), identity);
  const names = readdirSync(inShared('files'));
  await publishSite(new Map(names.map((name) => [name, join(inShared('files'), name)])), inShared('site'));
  await signDirectory('site', inShared('site'), key);
  mkdirSync(inShared('drive'));
  await copyToUsb({ dir: inShared('site'), to: inShared('drive'), force: false, keyFile: key });
  await createSmallSnapshot(inShared('snapshot'));
  await exportInProcess('bagit', inShared('snapshot'), inShared('bag'), { keyFile: key });
  await exportInProcess('wacz', inShared('snapshot'), inShared('archive.wacz'), { keyFile: key });
  await execa('unzip', ['-q', inShared('archive.wacz'), '-d', inShared('wacz')]);
});

/** The files of each thing, by kind. Each test may change them. */
let things: Record<SignedKind, Files>;
beforeEach(() => {
  things = Object.fromEntries(KINDS.map((kind) => [kind, readFiles(inShared(kind))])) as typeof things;
});

const text = (files: Files, path: string) => String(files.get(path));
const signatureOf = (kind: SignedKind, files: Files) =>
  kind === 'wacz'
    ? (JSON.parse(text(files, 'datapackage-digest.json')) as { sshSignature: string }).sshSignature
    : text(files, signatureFileOf(kind));

/** Writes a thing. Returns its path. */
function write(kind: SignedKind, files: Files): string {
  const directory = createTestDirectory();
  if (kind !== 'wacz') {
    writeFiles(join(directory, kind), files);
    return join(directory, kind);
  }
  const path = join(directory, 'archive.wacz');
  writeFileSync(path, createZip(Array.from(files, ([name, content]) => ({ name, content }))));
  return path;
}

/** Returns what `verify --signers` finds of a thing, and who signed it; with null, `verify` without a list of signers. */
async function verify(
  path: string,
  signersFile: string | null = signers(),
): Promise<{ ok: boolean; signer: string | undefined; findings: string }> {
  const { result, checked } = await runVerify({
    snapshot: undefined,
    dir: path,
    repair: undefined,
    quiet: true,
    signers: signersFile ?? undefined,
  });
  const findings = checked.flatMap((check) => check.findings.map(({ what, problem }) => `${what}: ${problem}`)).join('\n');
  return { ok: result.ok, signer: result.signer, findings };
}

it.each(KINDS)('accepts a signed %s as it is', async (kind) => {
  expect(await verify(write(kind, things[kind]))).toEqual({ ok: true, signer: 'archive@demo.example', findings: '' });
});

const PAIRS = KINDS.flatMap((lender) => KINDS.filter((kind) => kind !== lender).map((borrower) => ({ lender, borrower })));

describe.each(PAIRS)('a $borrower with parts of a signed $lender', ({ lender, borrower }) => {
  it('is not signed by the list, the signature and all files of the other', async () => {
    const [own, lent] = [things[borrower], things[lender]];
    const { signedFile } = SIGNED_KINDS[borrower];
    for (const [path, bytes] of lent) if (!own.has(path)) own.set(path, bytes);
    own.set(signedFile, lent.get(SIGNED_KINDS[lender].signedFile) as Buffer);
    const signature = signatureOf(lender, lent);
    if (borrower === 'wacz') own.set('datapackage-digest.json', Buffer.from(JSON.stringify({ sshSignature: signature })));
    else own.set(signatureFileOf(borrower), Buffer.from(signature));
    expect(await verify(write(borrower, own))).toMatchObject({ ok: false, signer: undefined });
  });

  it('is not signed by its own list with the signature of the other', async () => {
    const own = things[borrower];
    const signature = signatureOf(lender, things[lender]);
    if (borrower === 'wacz') {
      const digest = JSON.parse(text(own, 'datapackage-digest.json')) as object;
      own.set('datapackage-digest.json', Buffer.from(JSON.stringify({ ...digest, sshSignature: signature })));
    } else own.set(signatureFileOf(borrower), Buffer.from(signature));
    expect(await verify(write(borrower, own))).toMatchObject({ ok: false, signer: undefined });
  });

  it('is not signed if the signed bytes are the same, because its signature is for another kind', async () => {
    const lent = things[lender];
    const content = lent.get(SIGNED_KINDS[lender].signedFile) as Buffer;
    const everything = { has: () => true };
    const signed = { kind: borrower, content, signature: signatureOf(lender, lent), listed: everything, files: [] };
    const problem = { problem: expect.stringContaining('is not that of a') as string };
    expect(await checkSignature(signed, signers())).toEqual(problem);
    expect(await checkSignature(signed, undefined)).toEqual(problem);
    expect(await checkSignature({ ...signed, kind: lender }, signers())).toEqual({ signer: 'archive@demo.example' });
  });

  it('is not valid with the identity of the other', async () => {
    const identityOf = (kind: SignedKind) =>
      ({
        site: 'microfiche.json',
        drive: 'mirror/microfiche.json',
        bag: 'microfiche-export.json',
        wacz: 'about/microfiche-export.json',
      })[kind];
    things[borrower].set(identityOf(borrower), things[lender].get(identityOf(lender)) as Buffer);
    const isSame = things[borrower]
      .get(identityOf(borrower))
      ?.equals(readFiles(inShared(borrower)).get(identityOf(borrower)) as Buffer);
    expect((await verify(write(borrower, things[borrower]))).ok).toBe(isSame);
  });
});

describe('a forged bag', () => {
  /** Makes another bag of the archive's own bag, with other words in a payload file. */
  function forge(files: Files): void {
    files.delete(signatureFileOf('bag'));
    files.set('data/tables/README.txt', Buffer.from('FORGED'));
    sealBag(files);
  }

  it('is not signed by the archive because it has the list, signature and files of its signed site as tag files', async () => {
    const forged = things.bag;
    forge(forged);
    forged.delete('tagmanifest-sha512.txt');
    for (const [path, bytes] of things.site) if (!path.startsWith('manifest-sha256.txt')) forged.set(path, bytes);
    forged.set('tagmanifest-sha256.txt', things.site.get('manifest-sha256.txt') as Buffer);
    forged.set('tagmanifest-sha256.txt.sig', things.site.get('manifest-sha256.txt.sig') as Buffer);
    const path = write('bag', forged);
    expect(await verify(path)).toMatchObject({ ok: false, signer: undefined });
    const target = join(createTestDirectory(), 'imported');
    await expect(importPackage(path, target, { signersFile: signers() })).rejects.toThrow(/was not imported: the signature/);
    const { namespace } = SIGNED_KINDS.bag;
    const check = ['-Y', 'verify', '-f', signers(), '-I', 'archive@demo.example', '-n', namespace];
    const openSsh = await execa('ssh-keygen', [...check, '-s', join(path, 'tagmanifest-sha256.txt.sig')], {
      input: readFileSync(join(path, 'tagmanifest-sha256.txt')),
      reject: false,
    });
    expect(openSsh.exitCode).not.toBe(0);
  });

  it.each(['bagit.txt', 'microfiche-export.json', 'manifest-sha256.txt'])(
    'is not signed by a list without %s, even if the archive signed that list',
    async (name) => {
      const content = things.bag.get('tagmanifest-sha256.txt') as Buffer;
      const listed = new Set([...things.bag.keys()].filter((path) => path !== name));
      const signed = {
        kind: 'bag',
        content,
        signature: signatureOf('bag', things.bag),
        listed,
        files: things.bag.keys(),
      } as const;
      expect(await checkSignature(signed, signers())).toEqual({
        problem: `tagmanifest-sha256.txt does not list ${name}, so it is not the list of a bag`,
      });
    },
  );

  it('may have no tag file that the signature does not cover', async () => {
    things.bag.set('READ ME FIRST.html', Buffer.from('<script>1</script>'));
    const path = write('bag', things.bag);
    const problem = 'the signature does not cover READ ME FIRST.html';
    expect(await verify(path)).toMatchObject({ ok: false, findings: expect.stringContaining(problem) as string });
    await expect(importPackage(path, join(createTestDirectory(), 'imported'))).rejects.toThrow(problem);
  });

  it('is not imported if its content is of another archive than it names', async () => {
    const identity = JSON.parse(text(things.bag, 'microfiche-export.json')) as { archive: { catalogUrl: string } };
    expect(identity).toMatchObject({ format: 'bagit', archive: { catalogUrl: expect.stringContaining('127.0.0.1') as string } });
    things.bag.delete(signatureFileOf('bag'));
    const other = { ...identity, archive: { ...identity.archive, catalogUrl: 'https://bank.example' } };
    things.bag.set('microfiche-export.json', Buffer.from(JSON.stringify(other)));
    sealBag(things.bag);
    await expect(importPackage(write('bag', things.bag), join(createTestDirectory(), 'imported'))).rejects.toThrow(
      'its content is not that of https://bank.example, which it names as its archive',
    );
  });
});

describe('a signed USB drive', () => {
  const signedDrive = () => {
    const drive = join(createTestDirectory(), 'drive');
    cpSync(inShared('drive'), drive, { recursive: true });
    return drive;
  };

  it('can be checked with sha256sum and OpenSSH alone', async () => {
    const drive = signedDrive();
    await execa('sha256sum', ['-c', '--strict', 'drive-manifest-sha256.txt'], { cwd: drive });
    const readme = readFileSync(join(drive, 'README.txt'), 'utf8');
    const [command = ''] = /ssh-keygen -Y verify [^\r\n]*/.exec(readme) ?? [];
    const ownCommand = command.replace('-f signers', `-f ${signers()}`).replace('-I NAME', '-I archive@demo.example');
    expect((await execa(ownCommand, { cwd: drive, shell: true })).stdout).toContain('Good "microfiche-drive" signature');
  });

  it('has no other start page', async () => {
    const drive = signedDrive();
    writeFileSync(join(drive, 'START HERE.html'), '<script>/* anything */</script>');
    const { ok, findings } = await verify(drive);
    expect([ok, findings]).toEqual([
      false,
      expect.stringContaining('START HERE.html: it was changed: its checksum is not that in'),
    ]);
  });

  it('names every file and folder that was added', async () => {
    const drive = signedDrive();
    for (const name of ['evil.exe', 'autorun.inf']) writeFileSync(join(drive, name), 'x');
    for (const name of ['more', 'System Volume Information']) mkdirSync(join(drive, name));
    const { ok, findings } = await verify(drive);
    const added = ['autorun.inf', 'evil.exe', 'more'].map((name) => `${name}: the signature does not cover it`);
    expect([ok, findings.split('\n').sort()]).toEqual([false, added]);
  });

  it('is not that of another site', async () => {
    const drive = signedDrive();
    writeFileSync(join(drive, 'mirror/index.html'), readFileSync(join(drive, 'mirror/index.html'), 'utf8').replace('T<', 'U<'));
    await execa('sh', ['-c', 'sha256sum index.html microfiche.json > manifest-sha256.txt'], { cwd: join(drive, 'mirror') });
    expect((await verify(drive)).findings).toContain('mirror/manifest-sha256.txt: it was changed');
  });

  it('with a signature of its site alone may have only what follows from that site in its root', async () => {
    const drive = join(createTestDirectory(), 'drive');
    mkdirSync(drive);
    await copyToUsb({ dir: inShared('site'), to: drive, force: false });
    expect(await verify(drive)).toMatchObject({ ok: true, signer: 'archive@demo.example' });
    appendFileSync(join(drive, 'START HERE.html'), ' ');
    rmSync(join(drive, 'drive-manifest-sha256.txt'));
    expect((await verify(drive)).findings).toBe('START HERE.html: the signature does not cover it');
  });
});

describe.each(KINDS.filter((kind) => kind !== 'wacz'))('a changed %s', (kind) => {
  it.each(['api', 'iiif', 'ead'])('is not accepted as an export of the format %s, which is never signed', async (format) => {
    const files = things[kind];
    const identity = { format, fingerprint: '0'.repeat(64), archive: { catalogUrl: 'https://archive.example' } };
    for (const name of ['bagit.txt', 'manifest-sha256.txt']) files.delete(name);
    files.set('forged.html', Buffer.from('<p>It is from the archive.</p>'));
    files.set('microfiche-export.json', Buffer.from(JSON.stringify(identity)));
    const lines = Array.from(files, ([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`);
    files.set('manifest-sha256.txt', Buffer.from(lines.join('')));
    expect(await verify(write(kind, files))).toMatchObject({ ok: false, signer: undefined });
  });
});

it.each(['site', 'drive'] as const)('a damaged signature of a %s is found without a list of signers', async (kind) => {
  things[kind].set(signatureFileOf(kind), Buffer.from('no signature'));
  expect(await verify(write(kind, things[kind]), null)).toMatchObject({
    ok: false,
    findings: expect.stringContaining('the signature does not match the file'),
  });
});
