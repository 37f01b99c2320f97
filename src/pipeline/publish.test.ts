import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MANIFEST_FILE, readManifest } from '../publish/manifest.ts';
import { publish } from './publish.ts';

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

it('S13: writes and deletes nothing through a symbolic link to a directory', async () => {
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

it('S13: replaces a symbolic link to a file, and does not touch its target', async () => {
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

it('S3, S13: leaves out and reports files whose paths are not portable, and publishes the others', async () => {
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

/** Publishes `sources` in another process, which is killed if `killWhen` resolves before it ends. Returns its duration in milliseconds. */
async function publishKilled(sources: Map<string, string>, out: string, killWhen: () => Promise<unknown>): Promise<number> {
  const script = `import { publish } from ${JSON.stringify(join(import.meta.dirname, 'publish.ts'))};
    process.stdout.write('begun');
    await publish(new Map(${JSON.stringify([...sources])}), ${JSON.stringify(out)});`;
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

it('D16: gives the same result after a publish is killed, including the first one', async () => {
  const { out: base, sources } = createDirectories();
  const site = (version: number) =>
    sources(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`${(n + version) % 20}/${n + 100 * version}.html`, `page ${n} ${version}`]),
      ),
    );
  const [first, second, last] = [0, 1, 2].map(site) as [Map<string, string>, Map<string, string>, Map<string, string>];
  const fullDuration = await publishKilled(first, `${base}-whole`, after(60_000));
  let halfway = 0;
  for (let attempt = 0; attempt < 6; attempt++) {
    const out = `${base}-${attempt}`;
    await publishKilled(first, out, attempt % 2 === 0 ? after((fullDuration * attempt) / 6) : afterFirstMove(out, attempt % 3));
    if (attempt % 3 === 1) await publishKilled(second, out, after(fullDuration * Math.random()));
    if (existsSync(join(out, '0')) && !existsSync(join(out, MANIFEST_FILE))) halfway++;
    await publish(last, out);
    expect(publishedFiles(out)).toEqual([...last.keys()].sort());
    expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
    for (const [path, source] of last) expect(readFileSync(join(out, path), 'utf8')).toBe(readFileSync(source, 'utf8'));
  }
  expect(halfway).toBeGreaterThan(0);
});

it('D16: deletes files that an interrupted publish moved into place, if the next build does not have them', async () => {
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
