/** After random changes of a snapshot, a build renders every page that a clean build would make otherwise, and few others. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { readWithholding } from '../src/catalogue/withholding.ts';
import { siteCacheDirectory } from '../src/derivatives/cache-directories.ts';
import { buildSite } from '../src/pipeline/build.ts';
import { RENDERED_DIRECTORY } from '../src/pipeline/build-caches.ts';
import type { BuildOptions } from '../src/pipeline/build-options.ts';
import type { RebuildReason } from '../src/pipeline/rebuilt.ts';
import { changeSnapshot } from './change-snapshot.ts';
import { arbitraryChange, type Change } from './random-changes.ts';
import { createCache } from './shared-sites.ts';
import { createTestDirectory, LONG, readFiles, runMicroficheJson } from './support.ts';

/**
 * `npm test` always checks the same cases, so that it takes the same time each day. A failure prints seed and path,
 * with which MICROFICHE_SEED and MICROFICHE_PATH run the same case again.
 */
const SEED = Number(process.env['MICROFICHE_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 16));
const RUNS = LONG ? 200 : 3;
/** One of this number of clean builds is made by a process of its own, which cannot remember anything of builds before. */
const PER_PROCESS = 8;

/** Pages that show data of the entire archive. They are rendered whenever anything changed: their number does not grow with the archive. */
const WHOLE =
  /^(?:index|404|about|accessibility|search|saved|(?:collections|people|authors|guide|browse|browse\/[a-z]+)\/index)\.html$/;
/**
 * What else may be rendered without need. A local change concerns the pages that name what changed. Other changes concern those that may be related
 * to a record, or list something of it that did not change: in this small archive, which has five facilities, that is a third of the pages at
 * most. Over many changes, fewer than two pages are rendered without need for each that differs (observed: 1.3).
 */
const MOST = { perLocalChange: 8, ofSite: 1 / 3, perDifferingPage: 2 };

/** The files of a site by path. */
type Files = ReadonlyMap<string, Buffer>;

/** What a build has done. */
interface Built {
  /** The paths of the pages that were rendered. */
  rendered: string[];
  reason: RebuildReason;
  /** The files of the site. */
  files: Files;
}

/** Opens a copy of the mirror with its site, and the means to change it, to build it, and to begin again. */
async function openArchive() {
  const directory = createTestDirectory();
  const at = (name: string) => join(directory, name);
  const [snapshot, cache, clean] = [at('snapshot'), at('cache'), at('clean')];
  process.env['MICROFICHE_CACHE'] = cache; // of this test file, which has a process of its own
  createCache(cache);
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  const options: Omit<BuildOptions, 'out'> = {
    ...{
      snapshot,
      site: undefined,
      clean: false,
      languages: ['en'],
      archiveLanguage: 'en',
      compact: false,
      imageFormat: 'webp',
      stripMetadata: 'location',
    },
    ...{ searchForms: { index: false, packs: false }, withholding: readWithholding([]), collections: undefined, featured: [] },
    ...{ kiosk: undefined, compress: [] },
  };
  const build = async (out: string): Promise<Built> => {
    const directoryOfPages = join(siteCacheDirectory(cache, out), RENDERED_DIRECTORY);
    let rendered: string[] = [];
    const onProgress = (step: string, done: number, total: number) => {
      // They are all there, and none is moved into the site yet.
      if (step === 'Pages' && done === total) rendered = [...readFiles(directoryOfPages).keys()];
    };
    const { rebuilt } = await buildSite({ ...options, out, onProgress });
    expect(rendered).toHaveLength(rebuilt.pages);
    return { rendered, reason: rebuilt.reason, files: readFiles(out) };
  };
  const { files } = await build(at('site'));
  const arbitrary = changeSnapshot(snapshot, arbitraryChange);
  const parts = [join(snapshot, 'snapshot.sqlite'), at('site'), siteCacheDirectory(cache, at('site'))];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true });
  for (const [i, part] of parts.entries()) copy(part, at(`first-${i}`));
  return {
    arbitrary,
    change: (apply: Change['apply']) => changeSnapshot(snapshot, apply),
    build: () => build(at('site')),
    /** Returns the files of a site that is made from nothing, but with the same derivatives; in a process of its own if `isApart`. */
    async buildFromNothing(isApart: boolean): Promise<Files> {
      for (const path of [clean, siteCacheDirectory(cache, clean)]) rmSync(path, { recursive: true, force: true });
      if (!isApart) return (await build(clean)).files;
      await runMicroficheJson(['build', '--snapshot', snapshot, '--out', clean, '--no-search'], {
        env: { MICROFICHE_CACHE: cache },
      });
      return readFiles(clean);
    },
    /** Returns to the first state of the snapshot and of the site, and returns the files of the site. */
    startAgain(): Files {
      for (const suffix of ['-wal', '-shm']) rmSync(`${parts[0]}${suffix}`, { force: true });
      for (const [i, part] of parts.entries()) {
        rmSync(part, { recursive: true, force: true });
        copy(at(`first-${i}`), part);
      }
      return files;
    },
  };
}

const isDifferent = (path: string, a: Files, b: Files) => !b.get(path)?.equals(a.get(path) ?? Buffer.from('none'));

/** What every page shows of the archive: its name; and its languages, which decide how texts are marked. */
const archiveOf = (files: Files) => [
  /<title>.*?<\/title>/s.exec(String(files.get('index.html')))?.[0],
  ...[...files.keys()].filter((path) => path.startsWith('browse/language/')),
];

it(`renders every page that differs from a clean build, and few others (${RUNS} times one or two builds after changes)`, async () => {
  const archive = await openArchive();
  const several = (change: fc.Arbitrary<Change>) => fc.array(change, { minLength: 1, maxLength: 4 });
  const changes = fc.oneof(
    { weight: 2, arbitrary: several(archive.arbitrary) },
    { weight: 1, arbitrary: several(archive.arbitrary.filter(({ isLocal }) => isLocal)) },
  );
  const totals = { builds: 0, local: 0, differing: 0, extra: 0 };

  /** Carries out changes, and compares the next build with one from nothing. Returns the files of the site. */
  const check = async (before: Files, now: readonly Change[]): Promise<Files> => {
    archive.change((db) => {
      for (const { apply } of now) apply(db);
    });
    const { rendered, reason, files } = await archive.build();
    const clean = await archive.buildFromNothing(totals.builds++ % PER_PROCESS === 0);
    const all = [...new Set([...files.keys(), ...clean.keys()])];
    expect(all.filter((path) => isDifferent(path, files, clean))).toEqual([]);
    const differing = all.filter((path) => path.endsWith('.html') && isDifferent(path, before, files));
    expect(differing.filter((path) => !rendered.includes(path))).toEqual([]);
    if (reason !== 'changes') {
      expect(archiveOf(files)).not.toEqual(archiveOf(before)); // then all pages are rendered
      return files;
    }
    const extra = rendered.filter((path) => !WHOLE.test(path) && !differing.includes(path));
    const isLocal = now.every((change) => change.isLocal);
    expect(extra.length, extra.join(' ')).toBeLessThanOrEqual(
      isLocal ? MOST.perLocalChange * now.length : MOST.ofSite * all.length,
    );
    totals.differing += differing.length;
    totals.extra += extra.length;
    if (isLocal) totals.local++;
    return files;
  };

  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 2 }), async (sequence) => {
      let files = archive.startAgain();
      for (const now of sequence) files = await check(files, now);
      expect((await archive.build()).rendered).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED, path: process.env['MICROFICHE_PATH'] ?? '' },
  );
  console.info(`Seed ${SEED}: ${JSON.stringify(totals)}`);
  expect(totals.extra).toBeLessThan(MOST.perDifferingPage * totals.differing);
  expect(totals.local).toBeGreaterThan(0);
}, 3_600_000);
