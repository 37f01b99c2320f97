/** Damaged, altered and hostile packages are refused with one sentence; nothing is written, contacted or touched outside. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack as createTar, type Header as TarHeader } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPackage } from '../../../src/export/import-package.ts';
import { describeError, isExpected, UsageError } from '../../../src/model/errors.ts';
import { type CanaryServer, startCanaryServer } from '../../support/canaries.ts';
import { createSharedDirectory, createTestDirectory, LONG, readFiles, runMicrofiche } from '../../support/commands.ts';
import {
  changeDatabase,
  changeWarc,
  createSmallSnapshot,
  createZip,
  exportInProcess,
  type Files,
  sealBag,
  sealWacz,
  writeFiles,
  type ZipEntry,
} from '../../support/small-packages.ts';

/** The header of a TAR entry, without what the library fills in. */
type Header = Partial<TarHeader> & { name: string };

const { path: shared, remove } = createSharedDirectory();
const snapshot = join(shared, 'snapshot');
const fingerprints = new Map<string, string>();
let bag: Files;
let wacz: Files;
let canary: CanaryServer;

beforeAll(async () => {
  canary = await startCanaryServer();
  await createSmallSnapshot(snapshot);
  for (const name of ['bag', 'bag.zip', 'bag.tar'])
    fingerprints.set(name, (await exportInProcess('bagit', snapshot, join(shared, name))).fingerprint);
  fingerprints.set('a.wacz', (await exportInProcess('wacz', snapshot, join(shared, 'a.wacz'))).fingerprint);
  bag = readFiles(join(shared, 'bag'));
  execFileSync('unzip', ['-q', join(shared, 'a.wacz'), '-d', join(shared, 'wacz')]);
  wacz = readFiles(join(shared, 'wacz'));
});
afterAll(async () => {
  await canary.close();
  remove();
});

/** Milliseconds of the processor in which any small package is refused: other programs run at the same time. */
const MAX_MS = 10_000;
/** The same with the time in which it waits, also for other programs. */
const MAX_WALL_MS = 100_000;

/** Imports a package in the time that is allowed. Returns the report, or the error with which it is refused. */
async function importInTime(path: string, target: string): Promise<unknown> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  const result = await importPackage(path, target).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(MAX_MS);
  expect(performance.now() - startedAt).toBeLessThan(MAX_WALL_MS);
  return result;
}

/** Imports a package, and returns the sentence with which it is refused. */
async function refusalOf(create: (directory: string) => string | Promise<string>): Promise<string> {
  const top = createTestDirectory();
  const directory = join(top, 'in', 'here');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(top, 'canary.txt'), 'canary');
  const path = join(directory, await create(directory));
  const before = list(top);
  const connections = canary.connections();
  const result = await importInTime(path, join(directory, 'new', 'snapshot'));
  expect(result).toBeInstanceOf(Error);
  expect(isExpected(result), (result as Error).stack).toBe(true);
  expect(result).not.toBeInstanceOf(UsageError);
  expect(list(top)).toEqual(before);
  expect(readFileSync(join(top, 'canary.txt'), 'utf8')).toBe('canary');
  expect(canary.connections()).toBe(connections);
  const sentence = describeError(result);
  expect(sentence).toMatch(/^[^\n]+\.$/);
  expect(sentence).not.toContain('importing-'); // the operator knows no such directory
  return sentence;
}

const list = (directory: string) => readdirSync(directory, { recursive: true }).sort();

/** Flips one bit of a file. */
function flip(files: Files, path: string, at: number): void {
  const bytes = Buffer.from(files.get(path) as Buffer);
  bytes[at] = (bytes[at] as number) ^ 1;
  files.set(path, bytes);
}

const mediaOf = (files: Files) => [...files.keys()].find((path) => path.startsWith('data/media/')) as string;
const text = (files: Files, path: string) => String(files.get(path));

/** Writes files as a package of a form, and returns its name. */
function writePackage(directory: string, files: Files, form: 'directory' | 'zip'): string {
  if (form === 'directory') writeFiles(join(directory, 'x'), files);
  else writeFileSync(join(directory, 'x.zip'), createZip([...files].map(([name, content]) => ({ name, content }))));
  return form === 'directory' ? 'x' : 'x.zip';
}

type Change = (files: Files, directory: string) => void;

describe('a bag is refused', () => {
  it.each<[what: string, change: Change, message: RegExp]>([
    ['a bit of its database', (files) => flip(files, 'data/snapshot.sqlite', 5000), /data\/snapshot\.sqlite was changed/],
    ['a bit of a media file', (files) => flip(files, mediaOf(files), 10), /data\/media\/\S+ was changed/],
    ['a bit of a manifest', (files) => flip(files, 'manifest-sha512.txt', 3), /was changed|is damaged/],
    ['a bit of a tag manifest', (files) => flip(files, 'tagmanifest-sha256.txt', 3), /was changed|is damaged/],
    ['a bit of a tag file', (files) => flip(files, 'bag-info.txt', 3), /bag-info\.txt was changed/],
    ['the end of a media file', (files) => files.set(mediaOf(files), Buffer.from('x')), /was changed/],
    ['a media file', (files) => files.delete(mediaOf(files)), /is missing/],
    ['its snapshot', (files) => files.delete('data/snapshot.sqlite'), /data\/snapshot\.sqlite is missing/],
    ['its declaration', (files) => files.delete('bagit.txt'), /not a BagIt bag/],
    ['its version', (files) => files.set('bagit.txt', Buffer.from('BagIt-Version: 2.0\n')), /is a bag of BagIt 2\.0/],
    ['a file that is not listed', (files) => files.set('data/extra.txt', Buffer.from('x')), /data\/extra\.txt is not listed/],
    [
      'manifests of another algorithm only',
      (files) => {
        for (const name of [...files.keys()].filter((path) => /manifest-sha/.test(path))) files.delete(name);
        files.set('manifest-md5.txt', Buffer.from(''));
      },
      /no manifest with SHA-256 or SHA-512/,
    ],
    [
      'the checksums of two files, exchanged',
      (files) => {
        const lines = text(files, 'manifest-sha256.txt').split('\n');
        const [a = '', b = ''] = lines;
        [lines[0], lines[1]] = [b.slice(0, 64) + a.slice(64), a.slice(0, 64) + b.slice(64)];
        files.set('manifest-sha256.txt', Buffer.from(lines.join('\n')));
      },
      /was changed/,
    ],
    [
      'a manifest with a line twice',
      (files) => files.set('manifest-sha256.txt', Buffer.from(text(files, 'manifest-sha256.txt').repeat(2))),
      /manifest-sha256\.txt is damaged/,
    ],
    [
      'a manifest that names a file outside',
      (files) => files.set('manifest-sha256.txt', Buffer.from(`${'0'.repeat(64)}  ../../../canary.txt\n`)),
      /canary\.txt is missing/,
    ],
    [
      'fetch.txt, which names a URL for a file',
      (files) => {
        files.set('fetch.txt', Buffer.from(`${canary.urls[0]}/a.jpg - ${mediaOf(files)}\n`));
        files.delete(mediaOf(files));
      },
      /is missing/,
    ],
  ])('after a change of %s', async (_, change, message) => {
    expect(
      await refusalOf((directory) => {
        const files = new Map(bag);
        change(files, directory);
        return writePackage(directory, files, 'directory');
      }),
    ).toMatch(message);
  });

  const sql =
    (statements: string): Change =>
    (files, directory) =>
      changeDatabase(files, directory, statements);
  it.each<[what: string, change: Change, message: RegExp]>([
    ['a trigger', sql('CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END'), /contains a trigger/],
    ['a view', sql('CREATE VIEW v AS SELECT 1'), /contains a view/],
    ['a computed table', sql('DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5(key, value)'), /not a valid snapshot/],
    ['a missing table', sql('DROP TABLE media'), /table media is missing/],
    ['a future format', sql('PRAGMA user_version = 99'), /written by a newer Microfiche .* Update Microfiche\.$/],
    ['no format', sql('PRAGMA user_version = 0'), /not a snapshot/],
    [
      'an older format than it has',
      sql('PRAGMA user_version = 1'),
      /format version 1, from before the first release, which this Microfiche cannot read\.$/,
    ],
    ['no database', (files) => files.set('data/snapshot.sqlite', Buffer.alloc(9000, 7)), /not a snapshot/],
    [
      'a truncated database',
      (files) => files.set('data/snapshot.sqlite', (files.get('data/snapshot.sqlite') as Buffer).subarray(0, 20_000)),
      /database|snapshot\.sqlite/,
    ],
    ['a media row that names a file outside', sql(`UPDATE media SET path = '../../x'`), /media\/ or quarantine|not used/],
    ['a file row that names a file outside', sql(`UPDATE blob SET path = '../../' || path`), /no URL|not used|orphan/],
    ['a media row with another URL', sql(`UPDATE media SET url = 'file:///etc/passwd' || url`), /not used/],
    ['headers that are not JSON', sql(`UPDATE exchange SET headers = 'x'`), /exchange is not used: its headers/],
    [
      'very many headers',
      sql(`UPDATE exchange SET headers = '[' || replace(hex(zeroblob(100000)), '00', '["a","b"],') || '["a","b"]]'`),
      /exchange is not used: its headers/,
    ],
    ['an exchange with a path', sql(`UPDATE exchange SET url = '../../x'`), /exchange is not used: its URL/],
    ['a changed body', sql(`UPDATE response SET body = x'7b7d' WHERE key LIKE 'object:%'`), /not \w+ as received/],
    ['a removed record', sql(`DELETE FROM resource WHERE key = 'object:demo-org-1-1'`), /not that of its fingerprint/],
    [
      'another fingerprint',
      (files) => files.set('microfiche-export.json', Buffer.from(`{"format":"bagit","fingerprint":"${'0'.repeat(64)}"}`)),
      /not that of its fingerprint/,
    ],
    ['a file that no row names', (files) => files.set('data/media/a/b.jpg', Buffer.from('x')), /orphan file/],
    ['a device of Windows', (files) => files.set('data/media/demo-org-1/CON.jpg', Buffer.from('x')), /device of Windows/],
    ['deep directories', (files) => files.set('data/media/a/b/c/d.jpg', Buffer.from('x')), /does not have the form/],
    [
      'a huge tag file',
      (files) => files.set('bagit.txt', Buffer.alloc(1_100_000, text(files, 'bagit.txt'))),
      /bagit\.txt is too large/,
    ],
  ])('with right checksums, but %s', async (_, change, message) => {
    expect(
      await refusalOf((directory) => {
        const files = new Map(bag);
        change(files, join(directory, '..'));
        rmSync(join(directory, '../changed.sqlite'), { force: true });
        sealBag(files);
        return writePackage(directory, files, 'zip');
      }),
    ).toMatch(message);
  });

  it.each<[what: string, change: (directory: string) => void, message: RegExp]>([
    ['a link to a file', (copy) => replaceMedia(copy, (file) => symlinkSync('/etc/passwd', file)), /is a link/],
    ['a link to a directory', (copy) => replaceDirectory(copy, createTestDirectory()), /is a link/],
    ['a named pipe', (copy) => replaceMedia(copy, (file) => void execFileSync('mkfifo', [file])), /special file/],
    ['a link to itself', (copy) => replaceDirectory(copy, '.'), /is a link/],
  ])('if its directory has %s', async (_, change, message) => {
    expect(
      await refusalOf((directory) => {
        cpSync(join(shared, 'bag'), join(directory, 'x'), { recursive: true });
        change(join(directory, 'x'));
        return 'x';
      }),
    ).toMatch(message);
  });

  function replaceMedia(copy: string, create: (file: string) => void): void {
    const file = join(copy, mediaOf(bag));
    rmSync(file);
    create(file);
  }

  function replaceDirectory(copy: string, target: string): void {
    rmSync(join(copy, 'data/media'), { recursive: true });
    symlinkSync(target, join(copy, 'data/media'));
  }

  it('but not if a file of its directory has another name too, and then neither changes', async () => {
    const directory = createTestDirectory();
    linkSync(join(shared, 'bag/bag-info.txt'), join(shared, 'other-name.txt'));
    const { fingerprint } = await importPackage(join(shared, 'bag'), join(directory, 'snapshot'));
    expect(fingerprint).toBe(fingerprints.get('bag'));
    expect(readFileSync(join(shared, 'other-name.txt')).equals(bag.get('bag-info.txt') as Buffer)).toBe(true);
  });
});

/** Names that no package may have, and what the sentence says of them. */
const NAMES: ReadonlyArray<readonly [names: string[], message: RegExp]> = [
  [['../escaped.txt'], /points outside its directory|invalid relative path/],
  [['bag/data/../../../escaped.txt'], /points outside its directory|invalid relative path/],
  [['/tmp/escaped.txt'], /not a relative path|absolute path/],
  [['bag/./bagit.txt'], /points outside its directory/],
  [['bag/data//x'], /points outside its directory/],
  [['C:/escaped.txt'], /not a relative path|absolute path/],
  [['bag/data/media/a/CON.jpg'], /device of Windows/],
  [['bag/data/x\u0001y'], /control character/],
  [['bag/a.txt', 'bag/a.txt'], /a\.txt twice/],
  [['bag/a.txt', 'bag/A.TXT'], /A\.TXT twice/],
  [['bag/\u00e9.txt', 'bag/e\u0301.txt'], /twice/],
  [['bag/bagit.txt', 'other/bagit.txt'], /more than one directory/],
];

describe('a ZIP file is refused', () => {
  const refusal = (entries: readonly ZipEntry[]) =>
    refusalOf((directory) => {
      writeFileSync(join(directory, 'x.zip'), createZip(entries));
      return 'x.zip';
    });
  const zeros = Buffer.alloc(2_000_000);

  it.each(NAMES)('with the names %j', async (names, message) =>
    expect(await refusal(names.map((name) => ({ name })))).toMatch(message),
  );

  it.each<[what: string, entries: ZipEntry[], message: RegExp]>([
    ['a backslash', [{ name: 'bag\\..\\..\\x' }], /invalid characters|backslash/],
    ['a NUL in a name', [{ name: 'bag/a\0.txt' }], /control character/],
    ['a directory outside', [{ name: '../../x/', content: Buffer.alloc(0) }], /outside|invalid relative path/],
    ['a symbolic link', [{ name: 'bag/x', mode: 0o120777, content: Buffer.from('/etc/passwd') }], /is a symbolic link/],
    ['a device', [{ name: 'bag/x', mode: 0o020666 }], /is a special file/],
    ['an encrypted file', [{ name: 'bag/x', flags: 0x801, compressed: true }], /is encrypted/],
    ['an unknown compression', [{ name: 'bag/bagit.txt', method: 12 }], /unsupported compression method/],
    ['another name before the content', [{ name: 'bag/bagit.txt', localName: 'bag/../../x' }], /in another way/],
    ['a file that expands 1,000 times', [{ name: 'bag/x', content: zeros, compressed: true }], /200 times its size/],
    [
      'a file that is larger than it says',
      [{ name: 'bag/x', content: zeros, compressed: true, size: 100 }],
      /more bytes|too many/,
    ],
    ['a file that is smaller than it says', [{ name: 'bag/x', compressed: true, size: 100 }], /not enough|does not have/],
    [
      'entries that share their content',
      [{ name: 'bag/x' }, ...[1, 2, 3].map((n) => ({ name: `bag/x`.replace('x', String(n)), localName: 'bag/x', sameAs: 0 }))],
      /in another way|overlaps/,
    ],
    ['the same entry twice', [{ name: 'bag/x' }, { name: 'bag/x', sameAs: 0 }], /overlaps|twice/],
    [
      'very many entries',
      Array.from({ length: 5_000 }, (_, n) => ({ name: `bag/${n}`, content: Buffer.alloc(0) })),
      /not a BagIt bag/,
    ],
  ])('with %s', async (_, entries, message) => expect(await refusal(entries)).toMatch(message));
});

describe('a TAR file is refused', () => {
  const refusal = (entries: Header[], form: (tar: Buffer) => Buffer = (tar) => tar) =>
    refusalOf(async (directory) => {
      const tar = createTar();
      for (const header of entries) tar.entry(header as TarHeader, header.type === undefined ? 'x' : '');
      tar.finalize();
      writeFileSync(join(directory, 'x.tar'), form(await buffer(tar)));
      return 'x.tar';
    });

  it.each(NAMES)('with the names %j', async (names, message) =>
    expect(await refusal(names.map((name) => ({ name })))).toMatch(message),
  );

  it.each<[what: string, entries: Header[], message: RegExp]>([
    ['a backslash', [{ name: 'bag\\..\\..\\x' }], /backslash/],
    ['a symbolic link', [{ name: 'bag/x', type: 'symlink', linkname: '/etc/passwd' }], /is a link/],
    ['a hard link', [{ name: 'bag/x', type: 'link', linkname: '../../canary.txt' }], /is a link/],
    ['a device', [{ name: 'bag/x', type: 'character-device', devmajor: 1, devminor: 3 }], /is a special file/],
    ['a named pipe', [{ name: 'bag/x', type: 'fifo' }], /is a special file/],
    ['an unsafe name in an extended header', [{ name: 'bag/x', pax: { path: '../../escaped.txt' } }], /points outside/],
  ])('with %s', async (_, entries, message) => expect(await refusal(entries)).toMatch(message));

  it('with a wrong header', async () => {
    expect(await refusal([{ name: 'bag/x' }], (tar) => tar.fill(0x39, 124, 135))).toMatch(/damaged/);
  });
});

describe('a file is refused', () => {
  const cut = (name: string, part: number) =>
    refusalOf((directory) => {
      const bytes = readFileSync(join(shared, name));
      writeFileSync(join(directory, name), bytes.subarray(0, Math.floor(bytes.length * part)));
      return name;
    });
  it.each(['bag.zip', 'bag.tar', 'a.wacz'].flatMap((name) => [0.01, 0.5, 0.9].map((part) => [name, part] as const)))(
    '%s, cut to %d of its length',
    async (name, part) => {
      const refusal = await cut(name, part);
      expect(refusal).toMatch(new RegExp(`${name} (?:is damaged|was not imported|is not a package)`));
      expect(refusal).not.toMatch(/\.\.\s*$/);
    },
  );

  it.each<[what: string, create: (directory: string) => string, message: RegExp]>([
    ['a text', (directory) => write(directory, 'x.txt', 'nets'), /not a package that Microfiche can read/],
    ['an empty file', (directory) => write(directory, 'x.zip', ''), /not a package that Microfiche can read/],
    ['a ZIP file without entries', (directory) => write(directory, 'x.zip', createZip([])), /not a package/],
    ['a compressed TAR file', (directory) => write(directory, 'x.tar.gz', gzipSync('x')), /not a package/],
    ['nothing', () => 'nothing', /does not exist/],
    ['an empty directory', emptyDirectory, /not a BagIt bag/],
    ['tables', (directory) => copyExport(directory, 'tables.zip'), /tables\.zip was not imported: it was exported as tables/],
    ['a finding aid', (directory) => copyExport(directory, 'ead'), /it was exported as ead/],
  ])('that is %s', async (_, create, message) => expect(await refusalOf(create)).toMatch(message));

  function write(directory: string, name: string, content: string | Buffer): string {
    writeFileSync(join(directory, name), content);
    return name;
  }

  function emptyDirectory(directory: string): string {
    mkdirSync(join(directory, 'x'));
    return 'x';
  }

  function copyExport(directory: string, name: string): string {
    cpSync(join(shared, name), join(directory, name), { recursive: true });
    return name;
  }

  beforeAll(async () => {
    await exportInProcess('tables', snapshot, join(shared, 'tables.zip'));
    await exportInProcess('ead', snapshot, join(shared, 'ead'));
  });
});

const API = 'archive/api.warc.gz';
const MEDIA = 'archive/media.warc.gz';

describe('a WACZ is refused', () => {
  const refusal = (change: Change, sealed: boolean) =>
    refusalOf((directory) => {
      const files = new Map(wacz);
      change(files, directory);
      if (sealed) sealWacz(files);
      writeFileSync(join(directory, 'x.wacz'), createZip([...files].map(([name, content]) => ({ name, content }))));
      return 'x.wacz';
    });

  it.each<[what: string, change: Change, message: RegExp]>([
    ['a WARC file', (files) => flip(files, API, 100), /api\.warc\.gz was changed/],
    ['the media', (files) => flip(files, MEDIA, 100), /media\.warc\.gz was changed/],
    ['the index', (files) => flip(files, 'indexes/index.cdxj', 9), /index\.cdxj was changed/],
    ['the description', (files) => flip(files, 'datapackage.json', 60), /datapackage\.json was changed|not a WACZ/],
    ['the digest of the description', (files) => flip(files, 'datapackage-digest.json', 50), /datapackage\.json was changed/],
    ['a file that is not listed', (files) => files.set('archive/x.warc', Buffer.from('x')), /x\.warc is not listed/],
    ['a missing file', (files) => files.delete('pages/pages.jsonl'), /pages\.jsonl is missing/],
    ['its identity', (files) => files.delete('about/microfiche-export.json'), /microfiche-export\.json is missing/],
  ])('after a change of %s', async (_, change, message) => expect(await refusal(change, false)).toMatch(message));

  const warc =
    (path: string, from: string | RegExp, to: string): Change =>
    (files) =>
      changeWarc(files, path, (all) => all.replace(from, to));
  it.each<[what: string, change: Change, message: RegExp]>([
    ['no record of the API', (files) => files.delete(API), /api\.warc\.gz is missing/],
    [
      'a truncated WARC file',
      (files) => files.set(API, (files.get(API) as Buffer).subarray(0, -200)),
      /api\.warc\.gz is damaged/,
    ],
    [
      'a WARC file with other bytes after its end',
      (files) => files.set(API, Buffer.concat([files.get(API) as Buffer, Buffer.alloc(10), Buffer.alloc(3_000_000, 1)])),
      /api\.warc\.gz is damaged/,
    ],
    ['a WARC file that is none', (files) => files.set(API, Buffer.from('nets')), /api\.warc\.gz is damaged/],
    [
      'a WARC file that expands 1,000 times',
      (files) => files.set(API, gzipSync(Buffer.alloc(20_000_000, 'WARC/1.1\r\n'), { level: 9 })),
      /more than 200 times|incomplete/,
    ],
    ['another version of WARC', warc(API, 'WARC/1.1', 'WARC/0.9'), /not a file of WARC 1\.1/],
    ['a huge length', warc(API, /Content-Length: \d+/, 'Content-Length: 9007199254740991'), /api\.warc\.gz is damaged/],
    ['a huge record', warc(API, /(Type: response[\s\S]*?Content-Length: )\d+/, '$1600000000'), /too large|damaged/],
    ['a negative length', warc(API, /Content-Length: \d+/, 'Content-Length: -1'), /has no length/],
    ['no length', warc(MEDIA, /Content-Length: \d+/, 'X: y'), /has no length/],
    ['an endless header', warc(API, /\r\n\r\n/, `\r\nX: ${'y'.repeat(200_000)}`), /incomplete|damaged/],
    ['no description of the snapshot', warc(API, 'Type: metadata', 'Type: metadatum'), /does not describe its snapshot/],
    ['a damaged description', warc(API, '{"meta"', '["meta"'), /description of its snapshot is damaged/],
    ['another archive', warc(API, /"catalog_url":"http/, '"catalog_url":"file'), /does not name the archive/],
    ['an unknown key', warc(API, 'Microfiche-Key: object:', 'Microfiche-Key: secret:'), /unknown key/],
    ['a record without a time', warc(API, /(Type: response[\s\S]*?WARC-Date: )\S+/, '$1soon'), /no URL or no time/],
    ['a record of a file', warc(API, /(Type: response[\s\S]*?Target-URI: )\S+/, '$1file:///etc/passwd'), /no URL or no time/],
    ['a response without status', warc(API, 'HTTP/1.1 200 OK', 'HTTP/1.1 ALL GOOD'), /length|damaged|status/],
    ['a header with control characters', warc(API, /(user-agent: )\w\w/i, '$1\u0001\u0002'), /exchange is not used/],
    ['a path outside', warc(MEDIA, /Microfiche-Path: \S+/, 'Microfiche-Path: ../../x'), /its path/],
    ['an absolute path', warc(MEDIA, /Microfiche-Path: \S+/, 'Microfiche-Path: /etc/passwd'), /its path/],
    ['a device of Windows', warc(MEDIA, /Microfiche-Path: \S+/, 'Microfiche-Path: media/a/CON'), /device of Windows/],
    [
      'two spellings of a path',
      warc(MEDIA, /(Microfiche-Path: )\S+([\s\S]*?Microfiche-Path: )\S+/, '$1media/a/x.jpg$2media/a/X.jpg'),
      /media\/a\/X\.jpg and media\/a\/x\.jpg are the same file on some systems/,
    ],
    ['an unknown kind of media', warc(MEDIA, /Microfiche-Kind: \w+/, 'Microfiche-Kind: secret'), /not used/],
    ['media without a time', warc(MEDIA, /(Type: resource[\s\S]*?WARC-Date: )\S+/, '$1soon'), /no time/],
    ['a damaged download', warc(MEDIA, '[{"method":"GET"', '[{"method":"get it"'), /description of a download is damaged/],
    ['changed media', warc(MEDIA, /\xff\xd9/, '\xff\xd8'), /fingerprint/],
    ['a changed record', warc(API, /"title":"Nets"/, '"title":"Pets"'), /fingerprint/],
    ['one record less', warc(API, /Microfiche-Key: object:demo-org-1-1\r\n/, ''), /fingerprint/],
    [
      'another fingerprint',
      (files) => files.set('about/microfiche-export.json', Buffer.from(`{"format":"wacz","fingerprint":"${'0'.repeat(64)}"}`)),
      /fingerprint/,
    ],
  ])('with a right description, but %s', async (_, change, message) => expect(await refusal(change, true)).toMatch(message));
});

it('the command line prints one line, and exits with 1', async () => {
  const directory = createTestDirectory();
  const files = new Map(bag);
  flip(files, mediaOf(files), 10);
  writePackage(directory, files, 'directory');
  const { code, stdout, stderr } = await runMicrofiche(['import', join(directory, 'x'), '--snapshot', join(directory, 'new')]);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^microfiche: \S+ was not imported: [^\n]+\n$/)]);
  expect(readdirSync(directory)).toEqual(['x']);
});

const SEED = Number(process.env['MICROFICHE_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 15));
const RUNS = LONG ? 3000 : 25;

it.each(['bag.zip', 'bag.tar', 'a.wacz'])(
  `%s with any bytes changed or missing is refused, or gives the same snapshot (${RUNS} packages)`,
  async (name) => {
    const original = readFileSync(join(shared, name));
    const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    const damage = fc.record({
      changes: fc.array(fc.record({ at: position, byte: fc.nat(255), fromEnd: fc.boolean() }), { minLength: 1, maxLength: 4 }),
      length: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: position }),
    });
    const directory = createTestDirectory();
    let imported = 0;
    await fc.assert(
      fc.asyncProperty(damage, async ({ changes, length }) => {
        const bytes = Buffer.from(original);
        // Lists and headers are short: half of the changes are within the last bytes.
        for (const { at, byte, fromEnd } of changes)
          bytes[Math.floor(fromEnd ? bytes.length - 1 - at * Math.min(2000, bytes.length) : at * bytes.length)] = byte;
        const path = join(directory, name);
        writeFileSync(path, bytes.subarray(0, Math.max(1, Math.floor(bytes.length * length))));
        const target = join(directory, 'snapshot');
        const result = await importInTime(path, target);
        if (result instanceof Error) {
          expect(isExpected(result), result.stack).toBe(true);
          expect(describeError(result)).toMatch(/^[^\n]+$/);
          expect(existsSync(target)).toBe(false);
        } else {
          expect((result as { fingerprint: string }).fingerprint).toBe(fingerprints.get(name));
          imported++;
          rmSync(target, { recursive: true });
        }
        expect(readdirSync(dirname(path))).toEqual([name]);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    expect(imported).toBeLessThan(RUNS / 2);
  },
  LONG ? RUNS * 1000 : undefined,
);

it('a TAR file of a bag, made in its directory with "tar cf", is imported', async () => {
  const directory = createTestDirectory();
  const tar = join(directory, 'r.tar');
  execFileSync('tar', ['-cf', tar, '-C', join(shared, 'bag'), '.']);
  const { fingerprint } = await importPackage(tar, join(directory, 'imported'));
  expect(fingerprint).toBe(fingerprints.get('bag'));
});
