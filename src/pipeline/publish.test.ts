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
import { MANIFEST, readManifest } from '../publish/manifest.ts';
import { publish } from './publish.ts';

function folders() {
  const base = mkdtempSync(join(tmpdir(), 'microfiche-publish-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const from = join(base, 'from');
  mkdirSync(from);
  let number = 0;
  const sources = (files: Record<string, string>) =>
    new Map(
      Object.entries(files).map(([path, content]) => {
        const file = join(from, `${number++}`);
        writeFileSync(file, content);
        return [path, file];
      }),
    );
  return { out: join(base, 'dist'), sources };
}

it('writes what is new, leaves what is equal, removes what went away with its empty folders', async () => {
  const { out, sources } = folders();
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

it('mends a page that was changed by hand, and keeps files that its owner added', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a.html': 'A' }), out);
  writeFileSync(join(out, 'a.html'), 'X');
  writeFileSync(join(out, 'CNAME'), 'mirror.example');
  await publish(sources({ 'a.html': 'A' }), out);
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, 'CNAME'), 'utf8')).toBe('mirror.example');
});

/** The site's files, without its manifest. */
function filesOf(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(out, path)).isFile() && path !== MANIFEST)
    .sort();
}

it('S13: writes and deletes nothing through a folder in the site that is a symbolic link', async () => {
  const { out, sources } = folders();
  const outside = join(out, '../outside');
  mkdirSync(outside);
  for (const name of ['a.html', 'gone.html']) writeFileSync(join(outside, name), 'canary');
  await publish(sources({ 'x/a.html': 'A', 'x/gone.html': 'A', 'b.html': 'B' }), out);
  rmSync(join(out, 'x'), { recursive: true });
  symlinkSync(outside, join(out, 'x'));
  await expect(publish(sources({ 'x/a.html': 'A2', 'b.html': 'B2' }), out)).rejects.toThrow(/is a symbolic link|a symbolic link/);
  expect(readFileSync(join(out, 'b.html'), 'utf8')).toBe('B');
  await publish(sources({ 'b.html': 'B2' }), out);
  for (const name of ['a.html', 'gone.html']) expect(readFileSync(join(outside, name), 'utf8')).toBe('canary');
});

it('S13: puts a file in the place of a symbolic link, and leaves alone what the link points to', async () => {
  const { out, sources } = folders();
  const canary = join(out, '../canary');
  writeFileSync(canary, 'canary');
  await publish(sources({ 'a.html': 'A', 'b.html': 'canary' }), out);
  for (const name of ['a.html', 'b.html', '.microfiche-journal.txt', '.microfiche-new']) {
    rmSync(join(out, name), { force: true });
    symlinkSync(canary, join(out, name));
  }
  await publish(sources({ 'a.html': 'A', 'b.html': 'canary' }), out);
  expect(filesOf(out)).toEqual(['a.html', 'b.html']);
  for (const name of ['a.html', 'b.html']) rmSync(join(out, name));
  expect(readFileSync(canary, 'utf8')).toBe('canary');
});

it('S3, S13: leaves out what has no portable path, says so, and publishes the rest', async () => {
  const { out, sources } = folders();
  const hostile = ['../escaped.txt', 'a/../../escaped.txt', '..\\escaped.txt', 'con', 'a:b', '/tmp/microfiche-escaped'];
  const report = await publish(sources({ 'a.html': 'A', ...Object.fromEntries(hostile.map((path) => [path, 'X'])) }), out);
  expect(filesOf(out)).toEqual(['a.html']);
  expect(report.refused.map(({ path }) => path)).toEqual(hostile);
  expect(existsSync(join(out, '../escaped.txt'))).toBe(false);
  expect(existsSync('/tmp/microfiche-escaped')).toBe(false);
});

it('takes a folder for a file and a file for a folder where both are its own, and says what is in the way otherwise', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a/x.html': 'X', b: 'B' }), out);
  await publish(sources({ a: 'A', 'b/y.html': 'Y' }), out);
  expect(filesOf(out)).toEqual(['a', 'b/y.html']);
  writeFileSync(join(out, 'c'), 'mine');
  await expect(publish(sources({ 'c/z.html': 'Z' }), out)).rejects.toThrow(/c is in the way/);
  rmSync(join(out, 'c'));
  mkdirSync(join(out, 'c'));
  writeFileSync(join(out, 'c/mine'), 'mine');
  await expect(publish(sources({ c: 'C' }), out)).rejects.toThrow(/The folder .*c is in the way/);
  expect(filesOf(out)).toEqual(['a', 'b/y.html', 'c/mine']);
});

/** Publishes `sources` in a process of its own, which is killed when `when` resolves, or lives to its end. Returns how long it took in milliseconds. */
async function publishKilled(sources: Map<string, string>, out: string, when: () => Promise<unknown>): Promise<number> {
  const script = `import { publish } from ${JSON.stringify(join(import.meta.dirname, 'publish.ts'))};
    process.stdout.write('begun');
    await publish(new Map(${JSON.stringify([...sources])}), ${JSON.stringify(out)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const begun = performance.now();
  await Promise.race([ended, when().then(() => child.kill('SIGKILL'))]);
  await ended;
  return performance.now() - begun;
}

const milliseconds = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms).unref());
/** Resolves a little after the first file was moved in. */
const moving = (out: string, more: number) => async () => {
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    if (existsSync(out) && readdirSync(out).includes('0')) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await milliseconds(more)();
};

it('D16: a publish that was killed can be run again, the first time too, and ends as if it had not been', async () => {
  const { out: base, sources } = folders();
  const site = (version: number) =>
    sources(
      Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`${(n + version) % 20}/${n + 100 * version}.html`, `page ${n} ${version}`]),
      ),
    );
  const [first, second, last] = [0, 1, 2].map(site) as [Map<string, string>, Map<string, string>, Map<string, string>];
  const whole = await publishKilled(first, `${base}-whole`, milliseconds(60_000));
  let halfway = 0;
  for (let round = 0; round < 6; round++) {
    const out = `${base}-${round}`;
    await publishKilled(first, out, round % 2 === 0 ? milliseconds((whole * round) / 6) : moving(out, round % 3));
    if (round % 3 === 1) await publishKilled(second, out, milliseconds(whole * Math.random()));
    if (existsSync(join(out, '0')) && !existsSync(join(out, MANIFEST))) halfway++;
    await publish(last, out);
    expect(filesOf(out)).toEqual([...last.keys()].sort());
    expect(readdirSync(out).filter((name) => name.startsWith('.microfiche'))).toEqual([]);
    for (const [path, source] of last) expect(readFileSync(join(out, path), 'utf8')).toBe(readFileSync(source, 'utf8'));
  }
  expect(halfway).toBeGreaterThan(0);
});

it('D16: what an interrupted publish had put in place, and the next build does not have, goes', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a.html': 'A' }), out);
  writeFileSync(join(out, 'half.html'), 'H');
  writeFileSync(join(out, '.microfiche-journal.txt'), `${'0'.repeat(64)}  half.html\n`);
  rmSync(join(out, MANIFEST));
  await publish(sources({ 'a.html': 'A' }), out);
  expect(filesOf(out)).toEqual(['a.html']);
});

it('refuses a folder that holds something else', async () => {
  const { out, sources } = folders();
  mkdirSync(out);
  writeFileSync(join(out, 'thesis.doc'), 'years of work');
  await expect(publish(sources({ 'a.html': 'A' }), out)).rejects.toThrow('is not empty and holds no site');
  expect(readFileSync(join(out, 'thesis.doc'), 'utf8')).toBe('years of work');
});

it('leaves the site of before untouched when a source cannot be read', async () => {
  const { out, sources } = folders();
  await publish(sources({ 'a.html': 'A' }), out);
  const manifest = readFileSync(join(out, MANIFEST), 'utf8');
  const next = sources({ 'a.html': 'A2', 'b.html': 'B' });
  next.set('c.html', '/nowhere/at/all');
  await expect(publish(next, out)).rejects.toThrow('ENOENT');
  expect(readFileSync(join(out, 'a.html'), 'utf8')).toBe('A');
  expect(readFileSync(join(out, MANIFEST), 'utf8')).toBe(manifest);
  expect(existsSync(join(out, '.microfiche-new'))).toBe(false);
});
