/** Shards of a site, built apart and merged, are the site of one build. Shards that do not belong together are rejected. */
import { hash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import {
  createSharedDirectory,
  createTestDirectory,
  killWhileMoving,
  LONG,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';

/** So that each shard has parts of the search index. */
const PART_DOCUMENTS = '60';

/** Compressed copies are made when the shards are merged. */
const HOSTED = ['--site', 'https://mirror.example/archive/', '--compress', 'gz,zst'];

/** Builds each shard with a cache of its own, as machines without a common disk do, and merges them. Returns both sites. */
async function buildBoth(directory: string, options: string[], of: number) {
  const env = (name: string) => {
    const cache = join(directory, `cache-${name}`);
    if (!options.includes('--pictures')) createCache(cache);
    return { env: { MICROFICHE_CACHE: cache, MICROFICHE_PART_DOCUMENTS: PART_DOCUMENTS } };
  };
  const numbers = Array.from({ length: of }, (_, number) => number);
  const shards = numbers.map((number) => join(directory, `shard-${number}`));
  for (const [number, out] of shards.entries())
    await runMicroficheJson(
      ['build', '--snapshot', SAMPLE, '--out', out, '--shard', `${number}/${of}`, ...options],
      env(`${number}`),
    );
  const merged = join(directory, 'merged');
  await runMicroficheJson(['merge', '--out', merged, ...shards.toReversed(), '--snapshot', SAMPLE], env('merge'));
  const whole = join(directory, 'whole');
  await runMicroficheJson(['build', '--clean', '--snapshot', SAMPLE, '--out', whole, ...options], env('whole'));
  return { shards, merged, whole };
}

function expectSame(merged: string, whole: string): void {
  const [a, b] = [readFiles(merged), readFiles(whole)];
  expect([...a.keys()].sort()).toEqual([...b.keys()].sort());
  for (const [path, bytes] of b) expect(bytes.equals(a.get(path) as Buffer), path).toBe(true);
}

it.runIf(LONG).each([
  { name: 'a compact site', options: ['--compact'] },
  { name: 'a kiosk with images in another format', options: ['--kiosk', '--pictures', 'avif'] },
  { name: 'two languages without search', options: ['--languages', 'ja,en', '--no-search'] },
])('gives the same bytes as one build: $name', async ({ options }) => {
  const { merged, whole } = await buildBoth(createTestDirectory(), options, 4);
  expectSame(merged, whole);
});

describe('three shards of a hosted site', () => {
  let built: Awaited<ReturnType<typeof buildBoth>>;
  const shared = createSharedDirectory();
  beforeAll(async () => {
    built = await buildBoth(shared.path, HOSTED, 3);
    return shared.remove;
  });

  const merge = (...shards: string[]) => runMicrofiche(['merge', '--out', join(createTestDirectory(), 'dist'), ...shards]);
  /** Returns a copy of the first shard. */
  const copyOfFirst = () => {
    const copy = join(createTestDirectory(), 'copy');
    cpSync(built.shards[0] as string, copy, { recursive: true });
    return copy;
  };
  const others = () => built.shards.slice(1);

  it('gives the same bytes as one build, with the shards in any order', () => {
    expectSame(built.merged, built.whole);
    const files = readFiles(built.merged);
    for (const path of ['index.html', 'objects/lica-quay-1-1.html'])
      expect(gunzipSync(files.get(`${path}.gz`) as Buffer), path).toEqual(files.get(path));
  });

  it('divides the pages, the media files, and the parts of the search index', () => {
    const paths = built.shards.map((shard) => new Set(readFiles(shard).keys()));
    const everywhere = [...(paths[0] as Set<string>)].filter((path) => paths.every((others) => others.has(path)));
    expect(everywhere.sort()).toEqual(['manifest-sha256.txt', 'microfiche.json', 'shard.json']);
    const countIn = (own: ReadonlySet<string>, kind: RegExp) => [...own].filter((path) => kind.test(path)).length;
    for (const own of paths) {
      for (const kind of [/^objects\/.*\.html$/, /^media\//, /^thumbs\//]) expect(countIn(own, kind)).toBeGreaterThan(5);
      for (const kind of [/^search-parts\/p\d+\/documents\.json$/, /^search-parts\/p\d+\/index\/[^/]+\.pf_index$/])
        expect(countIn(own, kind)).toBeGreaterThan(1);
      expect(countIn(own, /^assets\/index\//)).toBe(0);
    }
  });

  it('changes nothing if shards are merged again', async () => {
    const report = await runMicroficheJson(['merge', '--out', built.merged, ...built.shards]);
    expect(report).toMatchObject({ shards: 3, written: 0, removed: 0 });
  });

  it('accepts a shard that was killed and built again', async () => {
    const directory = createTestDirectory();
    const out = join(directory, 'again');
    const env = { ...process.env, MICROFICHE_CACHE: join(directory, 'cache'), MICROFICHE_PART_DOCUMENTS: PART_DOCUMENTS };
    createCache(env.MICROFICHE_CACHE);
    const args = ['build', '--snapshot', SAMPLE, '--out', out, '--shard', '0/3', ...HOSTED];
    expect(await killWhileMoving(args, out, 20, env)).toBe('SIGKILL');
    expect((await merge(out, ...others())).stderr).toMatch(/does not contain a shard|was interrupted/);
    await runMicroficheJson(args, { env });
    const merged = join(directory, 'dist');
    await runMicroficheJson(['merge', '--out', merged, out, ...others()]);
    expect(readFileSync(join(merged, 'manifest-sha256.txt'), 'utf8')).toBe(
      readFileSync(join(built.merged, 'manifest-sha256.txt'), 'utf8'),
    );
  });

  it.each([
    ['a changed page', (shard: string) => appendFileSync(join(shard, 'index.html'), ' '), /index\.html was changed/],
    ['a missing page', (shard: string) => rmSync(join(shard, 'index.html')), /index\.html is missing/],
    [
      'a link instead of a page',
      (shard: string) => {
        rmSync(join(shard, 'index.html'));
        symlinkSync('/etc/hostname', join(shard, 'index.html'));
      },
      /index\.html is not a path inside it, or a symbolic link/,
    ],
    [
      'an incomplete manifest',
      (shard: string) => truncateSync(join(shard, 'manifest-sha256.txt'), 2000),
      /is not in the manifest/,
    ],
    ['no description', (shard: string) => rmSync(join(shard, 'shard.json')), /does not contain a shard/],
    ['an unreadable description', (shard: string) => writeFileSync(join(shard, 'shard.json'), '{'), /does not contain a shard/],
    [
      'another snapshot',
      (shard: string) => edit(shard, { snapshot: '0'.repeat(64) }),
      /do not belong together: one was built from another snapshot/,
    ],
    ['another version', (shard: string) => edit(shard, { program: '1' }), /another version of Microfiche or Node/],
    ['other media files', (shard: string) => edit(shard, { media: '1' }), /built from other media files/],
    [
      'missing data of a part of the search index',
      (shard: string) => {
        rmSync(join(shard, 'search-parts/p0/documents.json'));
        const manifest = join(shard, 'manifest-sha256.txt');
        writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^.*search-parts\/p0\/documents\.json\n/m, ''));
      },
      /the data of p0 of the search index is missing or damaged/,
    ],
    [
      'missing words of a part of the search index',
      (shard: string) => {
        for (const file of ['index', ...readdirSync(join(shard, 'search-parts/p0')).filter((name) => name.endsWith('.pf_meta'))])
          rmSync(join(shard, 'search-parts/p0', file), { recursive: true });
        const manifest = join(shard, 'manifest-sha256.txt');
        writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^.*search-parts\/p0\/.*\.pf_\w+\n/gm, ''));
      },
      /the data of p0 of the search index is missing or damaged/,
    ],
    [
      'other data of a part of the search index',
      (shard: string) => {
        const document = { number: 1, page: 'x', keys: [], shown: '{}', bytes: 9, filters: {}, sort: {} };
        writePartData(shard, { count: 1, documents: [document], words: [] });
      },
      /the data of p0 of the search index is missing or damaged/,
    ],
    [
      'fewer than no documents in a part of the search index',
      (shard: string) => writePartData(shard, { count: -1, documents: [], words: [] }),
      /the data of p0 of the search index is missing or damaged/,
    ],
    ['too many shards', (shard: string) => edit(shard, { shard: { number: 0, of: 2 ** 50 } }), /does not contain a shard/],
    ['a file of others', (shard: string) => writeFileSync(join(shard, 'notes.txt'), ''), /notes\.txt is not in the manifest/],
    [
      'a reserved name in its manifest',
      (shard: string) => appendFileSync(join(shard, 'manifest-sha256.txt'), `${'0'.repeat(64)}  .microfiche-new/x.txt\n`),
      /its manifest names \.microfiche-new/,
    ],
    ['other options', (shard: string) => edit(shard, { options: '1' }), /built with other options/],
    ['another number of shards', (shard: string) => edit(shard, { shard: { number: 0, of: 4 } }), /one of 4 shards/],
  ])('rejects a shard with %s in one sentence, and writes nothing', async (_, damage, message) => {
    const copy = copyOfFirst();
    damage(copy);
    const out = join(createTestDirectory(), 'dist');
    const { code, stderr } = await runMicrofiche(['merge', '--out', out, copy, ...others()]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(existsSync(out)).toBe(false);
  });

  it('names shards that are missing, and those given twice', async () => {
    expect((await merge(...others())).stderr).toContain('Missing of 3 shards: 0/3.');
    expect((await merge(...built.shards, copyOfFirst())).stderr).toMatch(/are both shard 0\/3/);
    expect((await merge(createTestDirectory())).stderr).toContain('does not contain a shard');
    expect((await merge('/nowhere/at/all')).stderr).toContain('/nowhere/at/all');
  });

  it('reads nothing outside a shard', async () => {
    const copy = copyOfFirst();
    appendFileSync(join(copy, 'manifest-sha256.txt'), `${'0'.repeat(64)}  ../../etc/hostname\n`);
    const out = join(createTestDirectory(), 'dist');
    await runMicroficheJson(['merge', '--out', out, copy, ...others()]);
    expectSame(out, built.whole);
  });

  it('rejects shards of another snapshot than the one named', async () => {
    const { stderr } = await merge(...built.shards, '--snapshot', inject('mirror').snapshot);
    expect(stderr).toContain('was not built from the present content of');
    expect((await merge(...built.shards, '--snapshot', '/nowhere')).stderr).toContain('No snapshot found in /nowhere');
  });

  it('rejects shards of another version of the program', async () => {
    const copies = built.shards.map((shard) => {
      const copy = join(createTestDirectory(), 'copy');
      cpSync(shard, copy, { recursive: true });
      edit(copy, { program: '1' });
      return copy;
    });
    expect((await merge(...copies)).stderr).toContain('Merge with the version that built the shards.');
  });

  it('does not build a shard into the directory of the site', async () => {
    const { code, stderr } = await runMicrofiche(['build', '--snapshot', SAMPLE, '--shard', '0/2'], {
      cwd: createTestDirectory(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--shard requires --out');
  });

  it.each(['3/3', '-1/3', '1', '0/0', 'a/b'])('rejects --shard %s', async (typed) => {
    const { code, stderr } = await runMicrofiche([
      'build',
      '--snapshot',
      SAMPLE,
      '--out',
      createTestDirectory(),
      `--shard=${typed}`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('Expected K/N with K from 0 to N-1');
  });
});

/** Replaces the data of the first part of the search index, in the manifest too. */
function writePartData(shard: string, data: object): void {
  const [file, manifest] = [join(shard, 'search-parts/p0/documents.json'), join(shard, 'manifest-sha256.txt')];
  writeFileSync(file, JSON.stringify(data));
  const line = `${hash('sha256', readFileSync(file))}  search-parts/p0/documents.json\n`;
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/^.*search-parts\/p0\/documents\.json\n/m, line));
}

/** Changes fields of a shard's description. */
function edit(shard: string, changes: object): void {
  const file = join(shard, 'shard.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...changes }));
}
