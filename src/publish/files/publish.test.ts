import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { publishSite } from '../../../tests/support/publish-site.ts';
import { toSafeDirectory } from '../../platform/safe-directory.ts';
import { MANIFEST_FILE, readManifest } from '../manifest.ts';
import { EditedLinkError, type SiteFile } from './compare-files.ts';
import { openPublishJournal, publish as publishFiles } from './publish.ts';
import { findCurrent, type KnownFile, openSiteState } from './site-state.ts';

function createDirectories() {
  const base = mkdtempSync(join(tmpdir(), 'microfiche-publish-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const sourceDirectory = join(base, 'from');
  mkdirSync(sourceDirectory);
  let number = 0;
  const sources = (files: Record<string, string>) =>
    new Map(
      Object.entries(files).map(([path, content]) => {
        const file = join(sourceDirectory, `${number++}`);
        writeFileSync(file, content);
        return [path, file];
      }),
    );
  return { out: join(base, 'dist'), sources };
}

/** Publishes files. What is known of the site is beside it. */
const publish = (files: ReadonlyMap<string, string>, out: string) => publishSite(files, out, `${out}.sqlite`);

it('writes new files, leaves equal ones, and deletes obsolete ones with their empty directories', async () => {
  const { out, sources } = createDirectories();
  expect(await publish(sources({ 'a.html': 'A', 'b/c/d.html': 'D' }), out)).toMatchObject({
    files: 2,
    written: 2,
    removed: 0,
    bytes: 2,
  });
  expect(await publish(sources({ 'a.html': 'A', 'e.html': 'E' }), out)).toMatchObject({ files: 2, written: 1, removed: 1 });
  expect(existsSync(join(out, 'b'))).toBe(false);
  expect(readManifest(out).map(({ path }) => path)).toEqual(['a.html', 'e.html']);
});

it('replaces a page that was changed by hand, and keeps files that the operator added', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a.html': 'A' }), out);
  writeFileSync(join(out, 'a.html'), 'X');
  writeFileSync(join(out, 'CNAME'), 'mirror.example');
  await publish(sources({ 'a.html': 'A' }), out);
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, 'CNAME'), 'utf8')).toBe('mirror.example');
});

/** The site's files, without its manifest. */
function publishedFiles(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(out, path)).isFile() && path !== MANIFEST_FILE)
    .sort();
}

it('writes and deletes nothing through a symbolic link to a directory', async () => {
  const { out, sources } = createDirectories();
  const outside = join(out, '../outside');
  mkdirSync(outside);
  for (const name of ['a.html', 'old.html']) writeFileSync(join(outside, name), 'canary');
  await publish(sources({ 'x/a.html': 'A', 'x/old.html': 'A', 'b.html': 'B' }), out);
  rmSync(join(out, 'x'), { recursive: true });
  symlinkSync(outside, join(out, 'x'));
  await expect(publish(sources({ 'x/a.html': 'A2', 'b.html': 'B2' }), out)).rejects.toThrow(/is a symbolic link|a symbolic link/);
  expect(readFileSync(join(out, 'b.html'), 'utf8')).toBe('B');
  await publish(sources({ 'b.html': 'B2' }), out);
  for (const name of ['a.html', 'old.html']) expect(readFileSync(join(outside, name), 'utf8')).toBe('canary');
});

it('replaces a symbolic link to a file, and does not touch its target', async () => {
  const { out, sources } = createDirectories();
  const canary = join(out, '../canary');
  writeFileSync(canary, 'canary');
  await publish(sources({ 'a.html': 'A', 'b.html': 'canary' }), out);
  for (const name of ['a.html', 'b.html', '.microfiche-journal.txt', '.microfiche-new']) {
    rmSync(join(out, name), { force: true });
    symlinkSync(canary, join(out, name));
  }
  await publish(sources({ 'a.html': 'A', 'b.html': 'canary' }), out);
  expect(publishedFiles(out)).toEqual(['a.html', 'b.html']);
  for (const name of ['a.html', 'b.html']) rmSync(join(out, name));
  expect(readFileSync(canary, 'utf8')).toBe('canary');
});

it('leaves out and reports files whose paths are not portable, and publishes the others', async () => {
  const { out, sources } = createDirectories();
  const hostile = ['../escaped.txt', 'a/../../escaped.txt', '..\\escaped.txt', 'con', 'a:b', '/tmp/microfiche-escaped'];
  const report = await publish(sources({ 'a.html': 'A', ...Object.fromEntries(hostile.map((path) => [path, 'X'])) }), out);
  expect(publishedFiles(out)).toEqual(['a.html']);
  expect(report.refused.map(({ path }) => path)).toEqual(hostile);
  expect(existsSync(join(out, '../escaped.txt'))).toBe(false);
  expect(existsSync('/tmp/microfiche-escaped')).toBe(false);
});

it('replaces its own directory with a file and vice versa, and rejects a path that a file of the operator blocks', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a/x.html': 'X', b: 'B' }), out);
  await publish(sources({ a: 'A', 'b/y.html': 'Y' }), out);
  expect(publishedFiles(out)).toEqual(['a', 'b/y.html']);
  writeFileSync(join(out, 'c'), 'mine');
  await expect(publish(sources({ 'c/z.html': 'Z' }), out)).rejects.toThrow(/c is in the way/);
  rmSync(join(out, 'c'));
  mkdirSync(join(out, 'c'));
  writeFileSync(join(out, 'c/mine'), 'mine');
  await expect(publish(sources({ c: 'C' }), out)).rejects.toThrow(/The directory .*c is in the way/);
  expect(publishedFiles(out)).toEqual(['a', 'b/y.html', 'c/mine']);
});

/** Publishes files in another process, killed if `killWhen` resolves before it ends. Returns its duration in milliseconds. */
async function publishKilled(files: readonly SiteFile[], out: string, killWhen: () => Promise<unknown>): Promise<number> {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const list = `${out}.files.json`; // too long for an argument
  writeFileSync(list, JSON.stringify(files));
  const script = `import { readFileSync } from 'node:fs';
    import { publish } from ${module('publish.ts')};
    import { openSiteState } from ${module('site-state.ts')};
    process.stdout.write('begun');
    await publish(JSON.parse(readFileSync(${JSON.stringify(list)}, 'utf8')), ${JSON.stringify(out)}, openSiteState(${JSON.stringify(`${out}.sqlite`)}, ''));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const startedAt = performance.now();
  await Promise.race([ended, killWhen().then(() => child.kill('SIGKILL'))]);
  await ended;
  return performance.now() - startedAt;
}

const after = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms).unref());
/** Resolves `delay` milliseconds after the first file was moved into place. */
const afterFirstMove = (out: string, delay: number) => async () => {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    if (existsSync(out) && readdirSync(out).includes('0')) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await after(delay)();
};

it('gives the same result after a publish is killed, including the first one', async () => {
  const { out: base, sources } = createDirectories();
  const site = (version: number) =>
    sources(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`${(n + version) % 20}/${n + 100 * version}.html`, `page ${n} ${version}`]),
      ),
    );
  const [first, second, last] = [0, 1, 2].map(site) as [Map<string, string>, Map<string, string>, Map<string, string>];
  const filesOf = (files: Map<string, string>) => Array.from(files, ([path, file]) => ({ path, file }));
  const fullDuration = await publishKilled(filesOf(first), `${base}-whole`, after(60_000));
  let halfway = 0;
  // On a busy machine, most of them may have ended before they are killed.
  for (let attempt = 0; attempt < 6 || (halfway === 0 && attempt < 60); attempt++) {
    const out = `${base}-${attempt}`;
    await publishKilled(
      filesOf(first),
      out,
      attempt % 2 === 0 ? after((fullDuration * (attempt % 6)) / 6) : afterFirstMove(out, attempt % 3),
    );
    if (attempt % 3 === 1) await publishKilled(filesOf(second), out, after(fullDuration * Math.random()));
    if (existsSync(join(out, '0')) && !existsSync(join(out, MANIFEST_FILE))) halfway++;
    await publish(last, out);
    expect(publishedFiles(out)).toEqual([...last.keys()].sort());
    expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
    for (const [path, source] of last) expect(readFileSync(join(out, path), 'utf8')).toBe(readFileSync(source, 'utf8'));
  }
  expect(halfway).toBeGreaterThan(0);
});

it('deletes files that an interrupted publish moved into place, if the next build does not have them', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a.html': 'A' }), out);
  writeFileSync(join(out, 'half.html'), 'H');
  writeFileSync(join(out, '.microfiche-journal.txt'), `${'0'.repeat(64)}  half.html\n`);
  rmSync(join(out, MANIFEST_FILE));
  await publish(sources({ 'a.html': 'A' }), out);
  expect(publishedFiles(out)).toEqual(['a.html']);
});

it('rejects a directory that is not empty and has no site in it', async () => {
  const { out, sources } = createDirectories();
  mkdirSync(out);
  writeFileSync(join(out, 'thesis.doc'), 'years of work');
  await expect(publish(sources({ 'a.html': 'A' }), out)).rejects.toThrow('is not empty and does not contain a site');
  expect(readFileSync(join(out, 'thesis.doc'), 'utf8')).toBe('years of work');
});

it('does not touch the existing site when a source cannot be read', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a.html': 'A' }), out);
  const manifest = readFileSync(join(out, MANIFEST_FILE), 'utf8');
  const next = sources({ 'a.html': 'A2', 'b.html': 'B' });
  next.set('c.html', '/nowhere/at/all');
  await expect(publish(next, out)).rejects.toThrow('ENOENT');
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, MANIFEST_FILE), 'utf8')).toBe(manifest);
  expect(existsSync(join(out, '.microfiche-new'))).toBe(false);
});

/** Replaces the bytes of a file, and keeps its size, its inode and the time of its last modification. */
function replaceUnnoticed(file: string, content: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, content);
  utimesSync(file, atime, mtime);
}

it('does not read files of the site that did not change, and notices a source that did, even at the same time', async () => {
  const { out, sources } = createDirectories();
  const files = sources({ 'a.html': 'A', 'b.html': 'B' });
  await publish(files, out);
  for (const file of [...files.values(), join(out, 'b.html')]) utimesSync(file, 1_000_000, 1_000_000);
  await publish(files, out); // knows the new times
  replaceUnnoticed(join(out, 'b.html'), 'Y');
  expect(await publish(files, out)).toMatchObject({ written: 0, files: 2 });
  expect(readFileSync(join(out, 'b.html'), 'utf8')).toBe('Y');
  replaceUnnoticed(files.get('a.html') as string, 'X');
  expect(await publish(files, out)).toMatchObject({ written: 1, files: 2 });
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('X');
});

it('replaces only what differs, by the bytes, if nothing is known of the site', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a.html': 'A', 'b.html': 'B' }), out);
  rmSync(`${out}.sqlite`);
  writeFileSync(join(out, 'b.html'), 'X');
  expect(await publish(sources({ 'a.html': 'A', 'b.html': 'B' }), out)).toMatchObject({ written: 1 });
  expect(readFileSync(join(out, 'b.html'), 'utf8')).toBe('B');
  writeFileSync(`${out}.sqlite`, 'not a database');
  expect(await publish(sources({ 'a.html': 'A', 'b.html': 'B' }), out)).toMatchObject({ written: 0 });
});

it('moves pages into the site, keeps them, and renders again those that changed there', async () => {
  const { out, sources } = createDirectories();
  const files = sources({ 'a.html': 'A', 'b.html': 'B', 'c.html': 'C' });
  const state = openSiteState(`${out}.sqlite`, 'one');
  onTestFinished(() => state[Symbol.dispose]());
  const page = (path: string) => ({ path, file: files.get(path) as string, isMoved: true, pageKey: path });
  const inode = statSync(files.get('a.html') as string).ino;
  await publishFiles([page('a.html'), page('b.html'), page('c.html')], out, state);
  expect(statSync(join(out, 'a.html')).ino).toBe(inode);
  expect([...files.values()].filter((file) => existsSync(file))).toEqual([]);
  const safeDir = toSafeDirectory(out);
  const staleOf = () => ['a.html', 'b.html'].filter((path) => findCurrent(state, safeDir, { path, key: path }) === undefined);
  expect(staleOf()).toEqual([]);
  expect(findCurrent(state, safeDir, { path: 'a.html', key: 'other' })).toBeUndefined();
  expect(findCurrent(state, safeDir, { path: 'a.html', key: undefined })).toBeUndefined();
  cpSync(join(out, 'a.html'), join(out, 'copy'));
  renameSync(join(out, 'copy'), join(out, 'a.html')); // the same bytes in another file
  expect(staleOf()).toEqual([]);
  writeFileSync(join(out, 'a.html'), 'Z');
  rmSync(join(out, 'b.html'));
  expect(staleOf()).toEqual(['a.html', 'b.html']);
  const again = sources({ 'a.html': 'A', 'b.html': 'B' });
  const rendered = ['a.html', 'b.html'].map((path) => ({ ...page(path), file: again.get(path) as string }));
  const kept = { path: 'c.html', file: undefined };
  expect(await publishFiles([...rendered, kept], out, state)).toMatchObject({ files: 3, written: 2, removed: 0, bytes: 3 });
  expect(publishedFiles(out).map((path) => readFileSync(join(out, path), 'utf8'))).toEqual(['A', 'B', 'C']);
  expect(staleOf()).toEqual([]);
  const other = openSiteState(`${out}.sqlite`, 'two');
  onTestFinished(() => other[Symbol.dispose]());
  expect(findCurrent(other, safeDir, { path: 'a.html', key: 'a.html' })).toBeUndefined();
});

it('renders a page again whose directory became a link or a file', async () => {
  const { out, sources } = createDirectories();
  await publish(sources({ 'a/x.html': 'X', 'b/y.html': 'Y' }), out);
  const state = openSiteState(`${out}.sqlite`, '');
  onTestFinished(() => state[Symbol.dispose]());
  state.update({
    known: ['a/x.html', 'b/y.html'].map((path) => ({ ...(state.get(path) as KnownFile), pageKey: 'key' })),
    forgotten: [],
  });
  const staleOf = () =>
    ['a/x.html', 'b/y.html'].filter((path) => findCurrent(state, toSafeDirectory(out), { path, key: 'key' }) === undefined);
  expect(staleOf()).toEqual([]);
  renameSync(join(out, 'a'), `${out}-moved`);
  symlinkSync(`${out}-moved`, join(out, 'a'));
  rmSync(join(out, 'b'), { recursive: true });
  writeFileSync(join(out, 'b'), 'a file');
  expect(staleOf()).toEqual(['a/x.html', 'b/y.html']);
});

it('copies pages that cannot be moved, because they are on another file system', async () => {
  const { out, sources } = createDirectories();
  const here = statSync(join(out, '..')).dev;
  const place = ['/dev/shm', '/var/tmp'].find((path) => statSync(path).dev !== here) as string;
  const elsewhere = mkdtempSync(join(place, 'microfiche-publish-'));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  await publish(sources({ 'a.html': 'A' }), out);
  const state = openSiteState(`${out}.sqlite`, '');
  onTestFinished(() => state[Symbol.dispose]());
  const files = ['a.html', 'b.html'].map((path) => {
    writeFileSync(join(elsewhere, path), `${path} moved`);
    return { path, file: join(elsewhere, path), isMoved: true };
  });
  expect(await publishFiles(files, out, state)).toMatchObject({ files: 2, written: 2 });
  expect(readFileSync(join(out, 'b.html'), 'utf8')).toBe('b.html moved');
  expect(readdirSync(elsewhere).sort()).toEqual(['a.html', 'b.html']);
});

/** A site with one file, which is a link to that in the cache. */
async function publishLink() {
  const { out, sources } = createDirectories();
  const source = sources({ 'a.txt': 'A' }).get('a.txt') as string;
  const file = { path: 'a.txt', file: source, canLink: true };
  const link = join(out, 'a.txt');
  const publishIt = async () => {
    const state = openSiteState(`${out}.sqlite`, '');
    try {
      // no file is written by this build
      return await publishFiles([file], out, state, { writtenSince: Number.POSITIVE_INFINITY });
    } finally {
      state[Symbol.dispose]();
    }
  };
  await publishIt();
  expect(statSync(link).ino).toBe(statSync(source).ino);
  return { out, source, link, publishIt };
}

it('links to files of the cache, and only looks at them as long as they do not change', async () => {
  const { link, source, publishIt } = await publishLink();
  chmodSync(source, 0o222); // it cannot be read, except by root
  expect(await publishIt()).toMatchObject({ files: 1, written: 0 });
  chmodSync(source, 0o666 & ~process.umask());
  utimesSync(link, 1, 1);
  expect(await publishIt()).toMatchObject({ files: 1, written: 0 });
  rmSync(link);
  expect(await publishIt()).toMatchObject({ files: 1, written: 1 });
  expect(statSync(link).ino).toBe(statSync(source).ino);
});

it('does not publish again what was written to a link, even if the link was deleted', async () => {
  const { link, publishIt } = await publishLink();
  writeFileSync(link, 'edited');
  await expect(publishIt()).rejects.toThrow(EditedLinkError);
  rmSync(link);
  await expect(publishIt()).rejects.toThrow(EditedLinkError);
});

it('accepts links of a build that was killed before it noted them', async () => {
  const { out, link, source, publishIt } = await publishLink();
  rmSync(`${out}.sqlite`);
  expect(await publishIt()).toMatchObject({ files: 1, written: 0 });
  rmSync(source);
  writeFileSync(source, 'B'); // by that build
  rmSync(link);
  linkSync(source, link);
  const journal = openPublishJournal(toSafeDirectory(out));
  journal.append([{ path: 'a.txt', sha256: hash('sha256', 'B') }]);
  expect(await publishIt()).toMatchObject({ files: 1 });
  expect(readFileSync(link, 'utf8')).toBe('B');
});

it('gives copies the mode of new files', async () => {
  const { out, sources } = createDirectories();
  const files = sources({ 'a.html': 'A' });
  for (const file of files.values()) chmodSync(file, 0o600);
  await publish(files, out);
  expect(statSync(join(out, 'a.html')).mode & 0o777).toBe(0o666 & ~process.umask());
});

it('replaces a damaged state, and finds the files that are there', async () => {
  const { out, sources } = createDirectories();
  const site = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}.html`, `page ${n}`]));
  await publish(sources(site), out);
  const file = `${out}.sqlite`;
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 8_192, bytes.length - 4_096));
  expect(await publish(sources(site), out)).toMatchObject({ files: 500, written: 0 });
  expect(await publish(sources(site), out)).toMatchObject({ files: 500, written: 0 });
});

it('puts a notice at the path of each new page before it moves the pages', async () => {
  const { out, sources } = createDirectories();
  const PAGES = 3_000;
  const nameOf = (n: number) => `${String(n).padStart(4, '0')}.html`;
  const site = Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [nameOf(n), `page ${n}`]));
  const readPage = (n: number) => readFileSync(join(out, nameOf(n)), 'utf8');
  const isNotice = (n: number) => readPage(n).includes('This page is not here yet');
  let notices = 0;
  for (let attempt = 0; attempt < 5 && notices === 0; attempt++) {
    rmSync(out, { recursive: true, force: true });
    const files = Array.from(sources(site), ([path, file]) => ({ path, file, isMoved: true }));
    await publishKilled(files, out, async () => {
      while (!existsSync(join(out, nameOf(PAGES - 1)))) await new Promise((resolve) => setImmediate(resolve));
    });
    for (let n = 0; n < PAGES; n++) {
      if (isNotice(n)) notices++;
      else expect(readPage(n)).toBe(`page ${n}`);
    }
  }
  expect(notices).toBeGreaterThan(0);
  await publish(sources(site), out);
  for (let n = 0; n < PAGES; n++) expect(readPage(n)).toBe(`page ${n}`);
});

it('leaves whole pages whose links lead somewhere whenever it is killed', async () => {
  const { out, sources } = createDirectories();
  const PAGES = 300;
  // Version `v` has pages in common with the one before. Each page links to a file, to the pages beside it, new ones too, and to
  // the first.
  const nameOf = (v: number, n: number) => `${n % 7}/page-${n < 250 ? n : `${v}-${n}`}.html`;
  const linkTo = (v: number, n: number) => (n < 0 || n >= PAGES ? '' : `<a href="${nameOf(v, n)}">`);
  // A host sends the copy beside a page instead of the page.
  const site = (v: number) =>
    Object.fromEntries(
      Array.from({ length: PAGES }, (_, n) => {
        const links = [n - 1, n + 1, 0].map((to) => linkTo(v, to)).join('');
        const html = `<a href="data/${v}-${n}.txt">${links}${'.'.repeat(n)}</html>`;
        return [
          [nameOf(v, n), html],
          [`${nameOf(v, n)}.gz`, html],
          [`data/${v}-${n}.txt`, `${v} ${n}`],
        ];
      }).flat() as Array<[string, string]>,
    );
  let interrupted = 0;
  let whole = 200;
  for (let kill = 1; kill <= 25; kill++) {
    if (kill % 5 === 1) rmSync(out, { recursive: true, force: true }); // a first build
    const files = Array.from(sources(site(kill)), ([path, file]) => ({ path, file, isMoved: /\.html(?:\.gz)?$/.test(path) }));
    const took = await publishKilled(files, out, after(Math.random() * whole));
    if (existsSync(join(out, '.microfiche-journal.txt'))) interrupted++;
    else whole = Math.max(whole, took);
    const published = existsSync(out) ? publishedFiles(out) : [];
    for (const path of published.filter((name) => /\.html(?:\.gz)?$/.test(name))) {
      const html = readFileSync(join(out, path), 'utf8');
      expect(html.trimEnd().endsWith('</html>'), path).toBe(true);
      for (const [, link = ''] of html.matchAll(/href="([^"]+)"/g)) expect(existsSync(join(out, link)), link).toBe(true);
    }
  }
  expect(interrupted).toBeGreaterThan(3);
  const last = sources(site(99));
  await publish(last, out);
  expect(publishedFiles(out)).toEqual([...last.keys()].sort());
  for (const [path, source] of last) expect(readFileSync(join(out, path), 'utf8')).toBe(readFileSync(source, 'utf8'));
  expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
});
