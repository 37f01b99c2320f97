/** `sync` and `verify --with`: copies that are outdated, damaged, cut off or forged become equal to the honest ones. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LOCK_FILE } from '../../src/catalogue/urls.ts';
import { tryLock } from '../../src/platform/lock.ts';
import { toSafeDirectory } from '../../src/platform/safe-directory.ts';
import { signDirectory } from '../../src/publish/signature.ts';
import { formatIdentity } from '../../src/publish/site-identity.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson, SAMPLE, startServe } from '../support/commands.ts';
import { publishSite } from '../support/publish-site.ts';
import { startStaticHost } from '../support/static-host.ts';

const PAGES = {
  'index.html': 'home',
  '404.html': 'none',
  'objects/a.html': 'a',
  'objects/b.html': 'b',
  'media/a.jpg': 'a'.repeat(5000),
};
const HASH = 'f'.repeat(64);

/** Returns functions that work on directories of their own. */
function createPlace() {
  const top = createTestDirectory();
  const at = (name: string) => join(top, name);
  const identityOf = (harvestedOn: string, host = 'archive') => {
    const url = `https://${host}.example`;
    return formatIdentity({ format: 1, authorsUrl: url, catalogUrl: url, snapshot: HASH, harvestedOn });
  };
  /** Builds a site of these files. */
  async function build(name: string, files: Record<string, string | Uint8Array> = PAGES, identity = identityOf('2026-01-01')) {
    mkdirSync(at(`${name}-files`), { recursive: true });
    const sources = Object.entries({ ...files, 'microfiche.json': identity }).map(([path, content], i) => {
      const file = at(`${name}-files/${i}`);
      writeFileSync(file, content);
      return [path, file] as const;
    });
    await publishSite(new Map(sources), at(name));
    return at(name);
  }
  return { at, build, identityOf };
}

/** Returns the content of a directory, by path. */
const contentOf = (directory: string) =>
  Object.fromEntries([...readFiles(directory)].map(([path, bytes]) => [path, bytes.toString('base64')]));

const sync = (...args: string[]) => runMicroficheJson<Record<string, unknown>>(['sync', ...args]);

async function failureOf(...args: string[]): Promise<string> {
  const { code, stderr } = await runMicrofiche(args);
  expect(code).toBe(1);
  return stderr;
}

describe('sync of a site', () => {
  it('makes a new copy, then copies and deletes only what differs', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    expect(await sync(site, at('copy'))).toMatchObject({ files: 6, copied: 6, removed: 0 });
    expect(contentOf(at('copy'))).toEqual(contentOf(site));
    const { 'objects/b.html': withdrawn, ...rest } = PAGES;
    expect(withdrawn).toBe('b');
    await build('site', { ...rest, 'objects/a.html': 'changed' });
    expect(await sync(site, at('copy'))).toMatchObject({ copied: 1, unchanged: 4, removed: 1 });
    expect(contentOf(at('copy'))).toEqual(contentOf(site));
    expect(await sync(site, at('copy'))).toMatchObject({ copied: 0, unchanged: 5, removed: 0 });
  });

  it('copies and updates a compact site, in whose packs are its pages', async () => {
    const { at } = createPlace();
    const build = (...more: string[]) =>
      runMicroficheJson(['build', '--snapshot', SAMPLE, '--out', at('site'), '--compact', '--no-search', ...more]);
    await build();
    await sync(at('site'), at('copy'));
    const first = contentOf(at('copy'));
    expect(first).toEqual(contentOf(at('site')));
    expect([first['page.html'], first['objects/lica-quay-1-1.html']]).toEqual([expect.any(String), undefined]);
    cpSync(at('copy'), at('other'), { recursive: true });
    await build('--archive-language', 'es');
    const since = at('copy/manifest-sha256.txt');
    await runMicroficheJson(['export', 'site', '--dir', at('site'), '--to', at('update'), '--since', since]);
    for (const [from, copy] of [
      ['site', 'copy'],
      ['update', 'other'],
    ] as const) {
      const { unchanged, copied } = await sync(at(from), at(copy));
      expect([from, unchanged, copied]).toEqual([from, expect.any(Number), expect.any(Number)]);
      expect(contentOf(at(copy))).toEqual(contentOf(at('site')));
    }
    expect(contentOf(at('copy'))).not.toEqual(first);
    expect((await verify('--dir', at('copy'))).site).toMatchObject({ altered: [], orphans: [] });
  });

  it('is resumed after it was cut off at any file', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    for (let n = 0; n < 5; n++) {
      const path = Object.keys(PAGES)[n] as string;
      const original = readFileSync(join(site, path));
      writeFileSync(join(site, path), 'corrupted');
      expect(await failureOf('sync', site, at('copy'))).toContain(`${path} could not be copied`);
      writeFileSync(join(site, path), original);
    }
    await sync(site, at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(site));
  });

  it('waits for no other sync into the same copy', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    mkdirSync(at('copy'));
    using lock = tryLock(toSafeDirectory(at('copy')), LOCK_FILE);
    expect(lock).toBeDefined();
    expect(await failureOf('sync', site, at('copy'))).toMatch(
      /Another process is writing to .*copy\. Wait until it has finished\./,
    );
  });

  it('is resumed after it was cut off when the copy had the new identity, and the manifest of before', async () => {
    const { at, build, identityOf } = createPlace();
    const old = await build('old');
    const site = await build('site', { ...PAGES, 'objects/b.html': 'second' }, identityOf('2026-02-01'));
    await sync(old, at('copy'));
    cpSync(join(site, 'microfiche.json'), at('copy/microfiche.json'));
    writeFileSync(at('copy/microfiche-copy.txt'), '');
    await sync(site, at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(site));
  });

  it('does not replace a newer copy, another archive or other files', async () => {
    const { at, build, identityOf } = createPlace();
    const old = await build('old', PAGES, identityOf('2026-01-01'));
    const newer = await build('newer', { ...PAGES, 'index.html': 'new' }, identityOf('2026-02-01'));
    expect(await failureOf('sync', old, newer)).toMatch(/is newer than .*: harvested on 2026-02-01, not 2026-01-01/);
    const other = await build('other', PAGES, identityOf('2026-01-01', 'elsewhere'));
    expect(await failureOf('sync', old, other)).toContain('contains the site of https://elsewhere.example');
    mkdirSync(at('mine'));
    writeFileSync(at('mine/letter.txt'), 'mine');
    expect(await failureOf('sync', old, at('mine'))).toContain('contains other files, and no site');
    expect(await failureOf('sync', old, join(old, 'objects'))).toContain('are the same directory, or one is in the other');
    expect(await failureOf('sync', old, 'https://copy.example/')).toContain('A copy can only be on this machine');
    await sync(old, newer, '--force');
    expect(contentOf(newer)).toEqual(contentOf(old));
  });

  it('asks if both were harvested on one day and differ, because one may have purged something since', async () => {
    const { build, identityOf } = createPlace();
    const site = await build('site', PAGES, identityOf('2026-01-01').replace(HASH, 'e'.repeat(64)));
    const copy = await build('copy');
    expect(await failureOf('sync', site, copy)).toContain('so that it is not known which one is newer');
    await sync(site, copy, '--force');
    expect(contentOf(copy)).toEqual(contentOf(site));
  });

  it('takes a bag for no site, in either direction, and changes nothing in either', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    mkdirSync(at('bag/data'), { recursive: true });
    writeFileSync(at('bag/bagit.txt'), 'BagIt-Version: 1.0');
    writeFileSync(at('bag/data/a.txt'), 'a');
    writeFileSync(at('bag/manifest-sha256.txt'), `${createHash('sha256').update('a').digest('hex')}  data/a.txt\n`);
    const before = contentOf(at('bag'));
    expect(await failureOf('sync', site, at('bag'))).toContain('is a bag, which is updated from a bag');
    expect(await failureOf('sync', at('bag'), site)).toContain('cannot be used: it is not a BagIt bag');
    expect(await failureOf('sync', join(site, 'index.html'), at('copy'))).toContain('is a file. Name the directory of a site.');
    expect(await failureOf('export', 'site', '--dir', site, '--to', at('u'), '--since', at('bag/manifest-sha256.txt'))).toContain(
      'is not the manifest of a site',
    );
    expect(contentOf(at('bag'))).toEqual(before);
  });

  it.each(['microfiche.json', 'withholding.json'])('does nothing to a copy that has lost %s', async (name) => {
    const { build } = createPlace();
    const withholding = { 'withholding.json': JSON.stringify({ key: '0'.repeat(64), entries: ['0'.repeat(16)] }) };
    const [site, copy] = [await build('site'), await build('copy', { ...PAGES, ...withholding })];
    rmSync(join(copy, name));
    const before = contentOf(copy);
    expect(await failureOf('sync', site, copy)).toContain(`${name} of ${copy} is missing or damaged. Repair it first`);
    expect(contentOf(copy)).toEqual(before);
  });

  it('does not bring back what was withheld from the copy', async () => {
    const { build } = createPlace();
    const [site, copy] = [await build('site'), await build('copy')];
    writeFileSync(join(copy, 'withholding.json'), JSON.stringify({ key: '0'.repeat(64), entries: ['0'.repeat(16)] }));
    expect(await failureOf('sync', site, copy)).toContain('Less would be withheld than before');
  });

  it.each(['microfiche serve', 'a plain web host'])('copies from %s', async (kind) => {
    const { at, build } = createPlace();
    const site = await build('site');
    const server =
      kind === 'a plain web host' ? await startStaticHost(site) : await startServe(['--snapshot', SAMPLE, '--dir', site]);
    try {
      expect(await sync(`${server.url}/`, at('copy'))).toMatchObject({ copied: 6 });
      expect(contentOf(at('copy'))).toEqual(contentOf(site));
      rmSync(join(site, 'objects/b.html'));
      rmSync(at('copy/objects/b.html'));
      expect(await failureOf('sync', `${server.url}/`, at('copy'))).toMatch(
        /objects\/b\.html could not be downloaded: .*HTTP 404/,
      );
    } finally {
      await server.stop();
    }
  });

  it('goes on with a copy to a USB drive that was killed as it began', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    mkdirSync(at('drive/mirror'), { recursive: true });
    writeFileSync(at(`drive/mirror/${LOCK_FILE}`), '');
    await runMicroficheJson(['usb', '--dir', site, '--to', at('drive')]);
    expect(readFileSync(at('drive/mirror/index.html'), 'utf8')).toBe('home');
  });

  it('updates a USB drive, and takes a site from one', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    mkdirSync(at('drive'));
    await runMicroficheJson(['usb', '--dir', site, '--to', at('drive')]);
    await build('site', { ...PAGES, 'index.html': 'new' });
    expect(await sync(site, at('drive'))).toMatchObject({ copied: 1, unchanged: 5 });
    expect(readFileSync(at('drive/mirror/index.html'), 'utf8')).toBe('new');
    await sync(at('drive'), at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(site));
  });
});

describe('a partial copy', () => {
  const MEDIA = { 'thumbs/a.webp': 't', 'media/a.mp3': 's'.repeat(200_000), 'media/a.mp4': 'v'.repeat(400_000) };

  it('has what fits, says what it lacks, passes verify, and is completed later', async () => {
    const { at, build } = createPlace();
    const page = '<a href="media/a.mp4">film</a>';
    const site = await build('site', { ...PAGES, ...MEDIA, 'links.html': page });
    expect(await failureOf('sync', site, at('copy'), '--fit', '30kB')).toContain(
      'The pages and the search index do not fit into',
    );
    expect(await sync(site, at('copy'), '--fit', '500kB')).toMatchObject({ lacking: 1, files: 9 });
    expect(existsSync(at('copy/media/a.mp3'))).toBe(true);
    expect(readFileSync(at('copy/left-out-sha256.txt'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}media\/a\.mp4\n$/);
    const { stdout } = await runMicrofiche(['verify', '--dir', at('copy')]);
    expect(stdout).toContain('This is a partial copy: it lacks 1 file, listed in left-out-sha256.txt.');
    expect(stdout).toContain('0 broken links, 0 network references, 0 missing or corrupted files, 0 orphan files');
    // Pages cannot be left out.
    const page404 = /^.* 404\.html$/m.exec(readFileSync(at('copy/manifest-sha256.txt'), 'utf8'))?.[0];
    cpSync(at('copy'), at('forged'), { recursive: true });
    appendFileSync(at('forged/left-out-sha256.txt'), `${page404}\n`);
    rmSync(at('forged/404.html'));
    expect((await runMicrofiche(['verify', '--dir', at('forged')])).stdout).toContain('1 missing or corrupted file');
    // A partial copy is handed on as it is, and completed from a whole one.
    expect(await sync(at('copy'), at('next'))).toMatchObject({ lacking: 1 });
    expect(await sync(site, at('next'))).toMatchObject({ copied: 1, lacking: 0 });
    expect(contentOf(at('next'))).toEqual(contentOf(site));
  });

  it('has the media of the named collections first, also from a server, which is asked for sizes', async () => {
    const { at, build } = createPlace();
    const media = {
      'media/b-1-2/a.mp4': 'v'.repeat(400_000),
      'media/a-1/a.jpg': 'i'.repeat(300_000),
      'media/b-10/a.jpg': 'i'.repeat(90_000),
    };
    const site = await build('site', { ...PAGES, ...media });
    const isThere = (copy: string) => Object.keys(media).map((path) => existsSync(join(copy, path)));
    await sync(site, at('any'), '--fit', '600kB');
    expect(isThere(at('any'))).toEqual([false, true, true]);
    const server = await startServe(['--snapshot', SAMPLE, '--dir', site]);
    try {
      await sync(`${server.url}/`, at('named'), '--fit', '600kB', '--collection', 'b-1');
    } finally {
      await server.stop();
    }
    expect(isThere(at('named'))).toEqual([true, false, true]);
    expect((await runMicrofiche(['sync', site, at('all'), '--collection', 'b-1'])).stderr).toContain('Add --fit');
  });

  it('is an update with only what changed, a chain of which ends in the bytes of the whole site', async () => {
    const { at, build } = createPlace();
    const states = [
      { ...PAGES, ...MEDIA },
      { ...PAGES, ...MEDIA, 'index.html': 'second' },
      { 'index.html': 'third', '404.html': 'none', 'objects/c.html': 'c', 'media/a.mp4': MEDIA['media/a.mp4'] },
    ];
    for (const [n, files] of states.entries()) await build(`site${n}`, files);
    await sync(at('site0'), at('copy'));
    for (const n of [1, 2]) {
      const since = at(`site${n - 1}/manifest-sha256.txt`);
      await runMicroficheJson(['export', 'site', '--dir', at(`site${n}`), '--to', at(`update${n}`), '--since', since]);
    }
    expect(existsSync(at('update2/media'))).toBe(false);
    const { code, stdout } = await runMicrofiche(['verify', '--dir', at('update2')]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^This is an update: its patches and its signature are checked when/m),
    ]);
    expect(await failureOf('sync', at('update2'), at('new'))).toContain('cannot be applied to');
    for (const target of [at('new'), SAMPLE])
      expect(await failureOf('import', at('update2'), '--snapshot', target)).toContain(
        'update2 was not imported: it is a site, or the update of one. To copy or apply it, use "microfiche sync".',
      );
    expect(existsSync(at('new'))).toBe(false);
    await sync(at('update1'), at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(at('site1')));
    await sync(at('update2'), at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(at('site2')));
  });

  it('is an update with patches for what changed, if the earlier site lies beside its manifest', async () => {
    const { at, build } = createPlace();
    const text = createHash('sha256').update('page').digest('hex');
    const page = (end: string) => `${Array.from({ length: 900 }, (_, n) => `${n} ${text.slice(n % 40)}`).join(' ')}${end}`;
    await build('first', { ...PAGES, 'objects/a.html': page('first'), 'objects/gone.html': page('gone') });
    await build('second', { ...PAGES, 'objects/a.html': page('second'), 'objects/new.html': page('new') });
    await sync(at('first'), at('copy'));
    const since = at('first/manifest-sha256.txt');
    const exported = await runMicroficheJson<{ bytes: number }>([
      'export',
      'site',
      '--dir',
      at('second'),
      '--to',
      at('update'),
      '--since',
      since,
    ]);
    expect(existsSync(at('update/objects/a.html'))).toBe(false);
    expect(exported.bytes).toBeLessThan(page('new').length + 4000);
    expect(await failureOf('sync', at('update'), at('nothing'))).toContain('with another manifest. Apply earlier updates first');
    // verify finds a lost patch, and files that no list of the update names.
    expect((await runMicrofiche(['verify', '--dir', at('update')])).code).toBe(0);
    cpSync(at('update'), at('forged-update'), { recursive: true });
    rmSync(at('forged-update/patches/objects/a.html'));
    writeFileSync(at('forged-update/patches/evil.html'), '<script>alert(1)</script>');
    writeFileSync(at('forged-update/left-out-sha256.txt'), `${'0'.repeat(64)}  evil.html\n`);
    const { stdout } = await runMicrofiche(['verify', '--json', '--dir', at('forged-update')]);
    expect(JSON.parse(stdout).site).toMatchObject({
      altered: [{ what: 'objects/a.html', problem: 'the file is missing' }],
      orphans: [{ what: 'left-out-sha256.txt' }, { what: 'patches/evil.html' }],
    });
    // A copy that is not as it was before is left alone.
    cpSync(at('copy'), at('corrupted'), { recursive: true });
    writeFileSync(at('corrupted/objects/a.html'), page('other'));
    expect(await failureOf('sync', at('update'), at('corrupted'))).toContain(
      'objects/a.html is corrupted. Repair the copy first',
    );
    cpSync(at('copy'), at('fitted'), { recursive: true });
    for (const [copy, ...more] of [[at('copy')], [at('fitted'), '--fit', '32MB']] as const) {
      await sync(at('update'), copy, ...more);
      expect(contentOf(copy)).toEqual(contentOf(at('second')));
    }
    await sync(at('update'), at('copy'));
    expect(contentOf(at('copy'))).toEqual(contentOf(at('second')));
  });

  it('is a signed update without lists of all files, which updates a copy with its signature, and a drive without it', async () => {
    const { at, build } = createPlace();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`objects/${n}.html`, `page ${n}`]));
    const page = 'a page of 1024 bytes, of which a compressed copy is made '.repeat(18);
    const withCopy = (text: string) => ({ ...many, 'index.html': text, 'index.html.gz': gzipSync(text) });
    const [first, second] = [await build('first', withCopy(page)), await build('second', withCopy(`${page}!`))];
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')]);
    writeFileSync(at('signers'), `archive@demo.example ${readFileSync(at('key.pub'), 'utf8')}`);
    await sync(first, at('copy'));
    mkdirSync(at('drive'));
    await runMicroficheJson(['usb', '--dir', first, '--to', at('drive')]);
    const made = ['--to', at('update'), '--since', join(first, 'manifest-sha256.txt'), '--sign', at('key')];
    const { bytes } = await runMicroficheJson<{ bytes: number }>(['export', 'site', '--dir', second, ...made]);
    expect(bytes).toBeLessThan(5000);
    const signers = ['--signers', at('signers')];
    expect((await runMicrofiche(['verify', '--dir', at('update'), ...signers])).stdout).toContain('checked when it is applied');
    expect((await runMicrofiche(['verify', '--dir', at('update'), '--with', at('copy')])).stderr).toContain('or updates');
    // A line that was added changes what the update makes.
    cpSync(at('update'), at('forged'), { recursive: true });
    const list = JSON.parse(readFileSync(at('forged/microfiche-update.json'), 'utf8'));
    const forged = { ...list, changed: `${list.changed}${'0'.repeat(64)}  evil.html\n` };
    writeFileSync(at('forged/microfiche-update.json'), JSON.stringify(forged));
    expect(await failureOf('sync', at('forged'), at('copy'))).toContain('cannot be applied to');
    await sync(at('update'), at('copy'), ...signers);
    const { 'manifest-sha256.txt.sig': signature, ...rest } = contentOf(at('copy'));
    expect(rest).toEqual(contentOf(second));
    expect(signature).toBeDefined();
    expect((await verify('--dir', at('copy'), ...signers)).site.altered).toEqual([]);
    await sync(at('update'), at('drive'));
    const { 'index.html.gz': compressed, 'manifest-sha256.txt': _, ...files } = contentOf(second);
    expect(compressed).toBeDefined();
    expect(contentOf(at('drive/mirror'))).toMatchObject(files);
    expect((await verify('--dir', at('drive'))).site).toMatchObject({ altered: [], orphans: [] });
    expect(existsSync(at('drive/mirror/manifest-sha256.txt.sig'))).toBe(false);
  });

  it('is refused as an update of a copy that lacks what it builds on', async () => {
    const { at, build } = createPlace();
    const [first, second] = [await build('first'), await build('second', { ...PAGES, 'objects/a.html': 'second' })];
    await build('third', { ...PAGES, 'objects/a.html': 'second', 'objects/b.html': 'third' });
    const since = join(second, 'manifest-sha256.txt');
    await runMicroficheJson(['export', 'site', '--dir', at('third'), '--to', at('update'), '--since', since]);
    const before = contentOf(first);
    expect(await failureOf('sync', at('update'), first)).toMatch(
      /is for a copy with another manifest\. Apply earlier updates first/,
    );
    expect(contentOf(first)).toEqual(before);
  });
});

async function verify(...args: string[]) {
  const { code, stdout } = await runMicrofiche(['verify', '--json', ...args]);
  return { code, ...JSON.parse(stdout) };
}

describe('verify --with', () => {
  it('names the copies that have a damaged file, and takes it from them', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    for (const name of ['one', 'two']) await sync(site, at(name));
    writeFileSync(join(site, 'objects/a.html'), 'corrupted');
    rmSync(join(site, 'media/a.jpg'));
    writeFileSync(at('one/media/a.jpg'), 'also corrupted');
    const seen = await verify('--dir', site, '--with', at('one'), at('two'));
    expect(seen.healings[0].damaged).toEqual([
      { what: 'media/a.jpg', intactIn: [at('two')] },
      { what: 'objects/a.html', intactIn: [at('one'), at('two')] },
    ]);
    expect(seen.code).toBe(1);
    const healed = await verify('--dir', site, '--with', at('one'), at('two'), '--repair', '--log', at('fixity.log'));
    expect(healed.healings[0].repaired).toEqual(['media/a.jpg', 'objects/a.html']);
    const from = [at('two'), at('one')].map((copy) => ` repaired-from=${JSON.stringify(copy)}`).join('');
    expect(readFileSync(at('fixity.log'), 'utf8')).toContain(` repaired=2${from}\n`);
    expect(healed.site.altered).toEqual([]);
    expect(contentOf(site)).toEqual(contentOf(at('two')));
  });

  it.each(['lost', 'cut off', 'corrupted in a line'])('takes the manifest from the copies if it is %s', async (damage) => {
    const { at, build } = createPlace();
    const site = await build('site');
    for (const name of ['one', 'two']) await sync(site, at(name));
    const manifest = join(site, 'manifest-sha256.txt');
    const text = readFileSync(manifest, 'utf8');
    if (damage === 'lost') rmSync(manifest);
    else
      writeFileSync(
        manifest,
        damage === 'cut off' ? text.slice(0, 100) : text.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      );
    const healed = await verify('--dir', site, '--with', at('one'), at('two'), '--repair');
    expect(healed.healings[0].repaired).toEqual(['manifest-sha256.txt']);
    expect(contentOf(site)).toEqual(contentOf(at('one')));
  });

  it('follows a signed copy, and no majority of forged ones, if it knows the signers', async () => {
    const { at, build } = createPlace();
    const site = await build('site');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')]);
    writeFileSync(at('signers'), `archive@demo.example ${readFileSync(at('key.pub'), 'utf8')}`);
    await sync(site, at('signed'));
    await signDirectory('site', at('signed'), at('key'));
    const forgeries = await Promise.all(['one', 'two', 'three'].map((n) => build(n, { ...PAGES, 'objects/a.html': 'forged' })));
    // The copy has no signature, and a forged page with a manifest to match: only the signature says which one is right.
    const copy = await build('copy', { ...PAGES, 'objects/a.html': 'forged' });
    const others = [...forgeries, at('signed')];
    const { healings, site: healed } = await verify('--dir', copy, '--with', ...others, '--signers', at('signers'), '--repair');
    expect([healed.altered, healings[0].repaired]).toEqual([[], ['objects/a.html', 'manifest-sha256.txt']]);
    expect(healings[0].donors).toEqual([at('signed')]);
    expect(contentOf(copy)).toEqual(contentOf(at('signed')));
  });

  it('takes nothing from a forged copy or from another archive', async () => {
    const { at, build, identityOf } = createPlace();
    const site = await build('site');
    const before = contentOf(site);
    const forged = await build('forged', { ...PAGES, 'objects/a.html': 'forged' });
    const other = await build('other', PAGES, identityOf('2026-01-01', 'elsewhere'));
    writeFileSync(join(site, 'objects/a.html'), 'corrupted');
    const { code, healings } = await verify('--dir', site, '--with', forged, other, at('nothing'), '--repair');
    expect(code).toBe(1);
    expect(healings[0]).toMatchObject({
      copies: [
        { state: expect.stringContaining('another version') },
        { state: 'it is not used: it has the site of https://elsewhere.example' },
        { state: 'it does not exist; name the directory of another copy' },
      ],
      damaged: [{ what: 'objects/a.html', intactIn: [] }],
      repaired: [],
    });
    writeFileSync(join(site, 'objects/a.html'), 'a');
    expect(contentOf(site)).toEqual(before);
  });
});

it('three copies, one cut off 25 times, one damaged and one forged, end as the same site', async () => {
  const { at, build } = createPlace();
  const pages = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`objects/${n}.html`, `page ${n}`]));
  const site = await build('site', { ...PAGES, ...pages });
  for (const name of ['outdated', 'damaged']) await sync(site, at(name));
  const { 'objects/0.html': withdrawn, ...rest } = pages;
  expect(withdrawn).toBe('page 0');
  const changed = Object.fromEntries(Object.keys(rest).map((path) => [path, `${path}, changed`]));
  await build('site', { ...PAGES, ...changed });
  const forged = await build('forged', { ...PAGES, ...changed, 'objects/1.html': 'forged' });
  const paths = Object.keys(changed).sort();
  for (const path of paths.slice(0, 25)) {
    // The drive is pulled: a file cannot be read to its end, and what was written of it remains.
    const content = readFileSync(join(site, path));
    writeFileSync(join(site, path), 'half');
    expect(await failureOf('sync', site, at('outdated'))).toContain(`${path} could not be copied`);
    writeFileSync(join(site, path), content);
    writeFileSync(at('outdated/microfiche-copy.part'), content.subarray(0, 3));
  }
  await sync(site, at('outdated'));
  await sync(site, at('damaged'));
  for (const path of paths.slice(0, 10)) writeFileSync(join(at('damaged'), path), 'damaged');
  await runMicrofiche(['verify', '--dir', at('damaged'), '--with', forged, at('outdated'), '--repair']);
  for (const name of ['outdated', 'damaged']) expect(contentOf(at(name))).toEqual(contentOf(site));
  expect(existsSync(at('outdated/objects/0.html'))).toBe(false);
});

describe('copies of a snapshot', () => {
  const fingerprint = async (snapshot: string) =>
    (await runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', snapshot])).fingerprint;
  const mediaFile = (snapshot: string) => [...readFiles(snapshot).keys()].find((path) => path.startsWith('media/')) as string;
  function run(snapshot: string, sql: string): void {
    using db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'));
    db.exec(sql);
  }

  it('are compared although their headers are no JSON', async () => {
    const { at } = createPlace();
    for (const name of ['first', 'copy']) cpSync(SAMPLE, at(name), { recursive: true });
    await runMicroficheJson(['purge', 'lica-ferry-1-4', '--snapshot', at('copy'), '--yes'], { cwd: at('') });
    run(at('first'), "UPDATE response SET headers = '{[' WHERE id < 5");
    expect(await failureOf('sync', at('first'), at('copy'))).toContain('does not have what was purged from it');
  });

  it('are made and updated, with what was purged', async () => {
    const { at } = createPlace();
    cpSync(SAMPLE, at('first'), { recursive: true });
    const made = await sync(at('first'), at('copy'));
    expect(made).toMatchObject({ unchanged: 0, removed: 0, damaged: [] });
    expect(await fingerprint(at('copy'))).toBe(await fingerprint(SAMPLE));
    const before = mediaFile(at('copy'));
    appendFileSync(join(at('copy'), before), 'x');
    await runMicroficheJson(['purge', 'lica-ferry-1-4', '--snapshot', at('first'), '--yes'], { cwd: at('') });
    const updated = await sync(at('first'), at('copy'));
    expect(updated['removed']).toBeGreaterThan(0);
    expect(await fingerprint(at('copy'))).toBe(await fingerprint(at('first')));
    expect([...readFiles(at('copy')).keys()].filter((path) => path.startsWith('media/'))).toEqual(
      [...readFiles(at('first')).keys()].filter((path) => path.startsWith('media/')),
    );
    expect((await runMicrofiche(['verify', '--snapshot', at('copy')])).code).toBe(0);
    // A second purge changes lists again.
    const ids = ['lica-ferry-1-1', 'lica-ferry-1-10'];
    for (const id of ids) {
      await runMicroficheJson(['purge', id, '--snapshot', at('first'), '--yes'], { cwd: at('') });
      await sync(at('first'), at('copy'));
    }
    expect(await fingerprint(at('copy'))).toBe(await fingerprint(at('first')));
    // What was purged does not come back from a copy that still has it.
    expect(await failureOf('sync', SAMPLE, at('copy'))).toMatch(
      /does not have what was purged from it, but .* still does: lica-ferry-1-1,/,
    );
    expect(await failureOf('sync', SAMPLE, at('copy'), '--force')).toContain('still does');
  });

  it('are not replaced by older ones', async () => {
    const { at } = createPlace();
    for (const name of ['first', 'copy']) cpSync(SAMPLE, at(name), { recursive: true });
    run(at('copy'), "UPDATE run SET started_at = '2099-01-01T00:00:00.000Z'");
    expect(await failureOf('sync', at('first'), at('copy'))).toMatch(/is newer than .*: harvested 2099-01-01/);
  });

  it('lose nothing that only they have, unless it is confirmed', async () => {
    const { at } = createPlace();
    for (const name of ['first', 'copy']) cpSync(SAMPLE, at(name), { recursive: true });
    run(
      at('copy'),
      "UPDATE response SET body = CAST('{}' AS BLOB), sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' WHERE id = 1",
    );
    expect(await failureOf('sync', at('first'), at('copy'))).toContain('has 1 response body that');
    await sync(at('first'), at('copy'), '--force');
    expect(await fingerprint(at('copy'))).toBe(await fingerprint(SAMPLE));
  });

  it('heal each other', async () => {
    const { at } = createPlace();
    for (const name of ['first', 'second']) cpSync(SAMPLE, at(name), { recursive: true });
    const path = mediaFile(at('first'));
    writeFileSync(join(at('first'), path), 'corrupted');
    run(at('first'), "UPDATE response SET body = CAST('corrupted' AS BLOB) WHERE id = 1");
    const { code, stdout } = await runMicrofiche(['verify', '--snapshot', at('first'), '--with', at('second'), '--repair']);
    expect(stdout).toContain('Repaired from other copies: 2 items.');
    expect(code).toBe(0);
    expect((await runMicrofiche(['verify', '--snapshot', at('first')])).code).toBe(0);
    expect(readFileSync(join(at('first'), path))).toEqual(readFileSync(join(SAMPLE, path)));
    expect(existsSync(join(at('first'), `${path}.part`))).toBe(false);
  });
});
