/** After random changes of a snapshot, a build renders every page that a clean build would make otherwise, and few others. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openComponents } from '../../src/build/astro/open-components.ts';
import { buildSite } from '../../src/build/build.ts';
import { RENDERED_DIRECTORY } from '../../src/build/cache/build-caches.ts';
import type { BuildOptions } from '../../src/build/steps/build-options.ts';
import type { RebuildReason } from '../../src/build/steps/build-report.ts';
import { readWithholding } from '../../src/catalogue/read/withholding.ts';
import { siteCacheDirectory } from '../../src/derivatives/cache-directories.ts';
import { readComponents } from '../../src/settings/read-components.ts';
import { readNotices } from '../../src/settings/read-notices.ts';
import { readOwnContent } from '../../src/settings/read-own-content.ts';
import { changeSnapshot } from '../support/change-snapshot.ts';
import { createSharedDirectory, LONG, readFiles, runMicroficheJson } from '../support/commands.ts';
import { arbitraryChange, type Change, SEGMENT_RESIZED } from '../support/random-changes.ts';
import { createCache } from '../support/shared-sites.ts';

/**
 * `npm test` always checks the same cases, so that it takes the same time each day. A failure prints seed and path,
 * with which MICROFICHE_SEED and MICROFICHE_PATH run the same case again.
 */
const SEED = Number(process.env['MICROFICHE_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 16));
const RUNS = LONG ? 200 : 4;
/** Runs with arbitrary settings. */
const RUNS_WITH_SETTINGS = LONG ? 60 : 2;
/** One of this number of clean builds is made by a process of its own, which cannot remember anything of builds before. */
const PER_PROCESS = 8;

/** Pages with data of the entire archive, rendered if anything changed: their number does not grow with the archive. */
const WHOLE =
  /^(?:index|404|about|accessibility|search|saved|(?:collections|people|authors|guide|browse|browse\/[a-z]+)\/index)\.html$/;
/**
 * What else may be rendered without need. A local change concerns the pages that name what changed. Other changes concern those
 * that may be related to a record, or list something of it that did not change: in this small archive, which has five facilities,
 * that is a third of the pages at most. Over many changes, fewer than two pages are rendered without need for each that differs
 * (observed: 1.3).
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

/** The settings of a build, as far as they decide what the site shows. */
interface Settings {
  site: string | undefined;
  languages: BuildOptions['languages'];
  form: 'plain' | 'compact' | 'kiosk';
  /** Which texts the archive's own pages have; none: it has no own pages. */
  own: 'none' | 'first' | 'second';
  hasComponents: boolean;
  /** How many notices there are. */
  notices: number;
  /** IDs of withheld records. */
  withheld: string[];
}

const SITE = 'https://mirror.example/archive/';
const USUAL: Settings = {
  ...{ site: SITE, languages: ['en'], form: 'plain', own: 'none', hasComponents: false, notices: 0, withheld: [] },
};
/** Everything that a site can have. */
const ALL: Settings = {
  ...{ site: SITE, languages: ['ja', 'en'], form: 'compact', own: 'first', hasComponents: true, notices: 1, withheld: [] },
};
/** Other texts, notices and withheld records. */
const OTHERS: Pick<Settings, 'own' | 'notices' | 'withheld'> = { own: 'second', notices: 2, withheld: ['lica-quay-1-1'] };
const arbitrarySettings: fc.Arbitrary<Settings> = fc.record({
  site: fc.constantFrom(undefined, SITE),
  languages: fc.constantFrom<BuildOptions['languages'][]>(['en'], ['ja', 'en']),
  form: fc.constantFrom('plain', 'compact', 'kiosk'),
  own: fc.constantFrom('none', 'first', 'second'),
  hasComponents: fc.boolean(),
  notices: fc.constantFrom(0, 1, 2),
  withheld: fc.subarray(['lica-quay-1-1', 'lica-ferry-1-1-1', 'lica-quay-2']),
});

const NOTICES = [
  { kind: 'warning', ids: ['lica-quay-1-1', 'lica-ferry-1-1'], title: 'Contains racist language' },
  { kind: 'label', collections: ['lica-quay-1'], title: 'TK Seasonal (TK S)', text: 'Heard at a time of year.' },
];
const OWN_FILES = (words: string) => ({
  'pages/visit.md': `---\ntitle: Visit\nmenu: Visit\n---\n${words}, beside [the nets](record:lica-quay-1-1).\n`,
  'exhibits/nets.md': `---\ntitle: ${words}\nimage: lica-quay-1-2\n---\n::image[Nets]{id=lica-quay-1-1}\n\n::grid{collection=lica-quay-1}\n`,
});
const COMPONENT = `---
import type { ComponentProps } from 'microfiche-archive/components';
import Default from 'microfiche-archive/components/ObjectHeading.astro';

type Props = ComponentProps['ObjectHeading'];
---

<Default {...Astro.props} />
<p class="seen">Seen from the lantern</p>
`;

/** Opens a copy of the mirror with its site, and the means to change it, to build it, and to begin again. */
async function openArchive() {
  const { path: directory, remove } = createSharedDirectory();
  const at = (name: string) => join(directory, name);
  const [snapshot, cache, clean] = [at('snapshot'), at('cache'), at('clean')];
  process.env['MICROFICHE_CACHE'] = cache; // of this test file, which has a process of its own
  createCache(cache);
  cpSync(inject('mirror').snapshot, snapshot, { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [name, words] of Object.entries({ first: 'Nets and boats', second: 'Boats only' }))
    for (const [path, text] of Object.entries(OWN_FILES(words))) write(`${name}/${path}`, text);
  write('Heading.astro', COMPONENT);
  const toOptions = async (settings: Settings): Promise<Omit<BuildOptions, 'out'>> => {
    const { site, languages, form, notices, withheld, hasComponents } = settings;
    const own = settings.own === 'none' ? undefined : await readOwnContent(at(settings.own), languages);
    const read = hasComponents
      ? readComponents({ ObjectHeading: './Heading.astro' }, directory, (problems) => expect(problems).toEqual([]))
      : undefined;
    return {
      ...{ snapshot, site, languages, own, clean: false, archiveLanguage: 'en', imageFormat: 'webp', stripMetadata: 'location' },
      ...{ search: false, collections: undefined, featured: [], compress: [] },
      ...{ compact: form === 'compact', kiosk: form === 'kiosk' ? { idleMinutes: 3 } : undefined },
      // Records that are named may have been removed.
      ...{ leavesOut: true, notices: await readNotices(NOTICES.slice(0, notices), directory, () => undefined) },
      withholding: readWithholding(withheld.map((id) => ({ id, reason: 'private', date: '2026-10-01' }))),
      withholdLess: true,
      components: read && (await openComponents(read, own)),
    };
  };
  const build = async (out: string, settings: Settings): Promise<Built> => {
    const directoryOfPages = join(siteCacheDirectory(cache, out), RENDERED_DIRECTORY);
    let rendered: string[] = [];
    const onProgress = (step: string, done: number, total: number) => {
      // They are all there, and none is moved into the site yet.
      if (step === 'Pages' && done === total) rendered = [...readFiles(directoryOfPages).keys()];
    };
    const { rebuilt } = await buildSite({ ...(await toOptions(settings)), out, onProgress });
    expect(rendered).toHaveLength(rebuilt.pages);
    return { rendered, reason: rebuilt.reason, files: readFiles(out) };
  };
  const { files } = await build(at('site'), USUAL);
  const arbitrary = changeSnapshot(snapshot, arbitraryChange);
  const parts = [join(snapshot, 'snapshot.sqlite'), at('site'), siteCacheDirectory(cache, at('site'))];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, preserveTimestamps: true });
  for (const [i, part] of parts.entries()) copy(part, at(`first-${i}`));
  return {
    ...{ arbitrary, remove },
    change: (changes: readonly Change[]) =>
      changeSnapshot(snapshot, (db) => {
        for (const { apply } of changes) apply(db);
      }),
    build: (settings: Settings) => build(at('site'), settings),
    /** Returns the files of a site that is made from nothing, but with the same derivatives. */
    async buildFromNothing(settings: Settings): Promise<Files> {
      for (const path of [clean, siteCacheDirectory(cache, clean)]) rmSync(path, { recursive: true, force: true });
      return (await build(clean, settings)).files;
    },
    /** Like `buildFromNothing` with the usual settings, in a process of its own. */
    async buildApart(): Promise<Files> {
      for (const path of [clean, siteCacheDirectory(cache, clean)]) rmSync(path, { recursive: true, force: true });
      await runMicroficheJson(['build', '--snapshot', snapshot, '--out', clean, '--no-search', '--site', SITE], {
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

/** Returns the paths of the files that two sites do not both have, with the same bytes. */
const differingPaths = (a: Files, b: Files) => [...new Set([...a.keys(), ...b.keys()])].filter((path) => isDifferent(path, a, b));

/** What every page shows of the archive: its name; and its languages, which decide how texts are marked. */
const archiveOf = (files: Files) => [
  /<title>.*?<\/title>/s.exec(String(files.get('index.html')))?.[0],
  ...[...files.keys()].filter((path) => path.startsWith('browse/language/')),
];

const several = (change: fc.Arbitrary<Change>) => fc.array(change, { minLength: 1, maxLength: 4 });
const parameters = { seed: SEED, path: process.env['MICROFICHE_PATH'] ?? '' };
let archive: Awaited<ReturnType<typeof openArchive>>;

beforeAll(async () => {
  archive = await openArchive();
});

afterAll(() => archive.remove());

it(`makes every file that differs from a clean build, and few others (${RUNS} times one or two builds after changes)`, async () => {
  const changes = fc.oneof(
    { weight: 2, arbitrary: several(archive.arbitrary) },
    { weight: 1, arbitrary: several(archive.arbitrary.filter(({ isLocal }) => isLocal)) },
  );
  const totals = { builds: 0, local: 0, differing: 0, extra: 0 };

  /** Carries out changes, and compares the next build with one from nothing. Returns the files of the site. */
  const check = async (before: Files, now: readonly Change[]): Promise<Files> => {
    archive.change(now);
    const { rendered, reason, files } = await archive.build(USUAL);
    const isApart = totals.builds++ % PER_PROCESS === PER_PROCESS - 1;
    const clean = await (isApart ? archive.buildApart() : archive.buildFromNothing(USUAL));
    expect(differingPaths(files, clean)).toEqual([]);
    const differing = differingPaths(before, files).filter((path) => path.endsWith('.html'));
    expect(differing.filter((path) => files.has(path) && !rendered.includes(path))).toEqual([]);
    if (reason !== 'changes') {
      expect(archiveOf(files)).not.toEqual(archiveOf(before)); // then all pages are rendered
      return files;
    }
    const extra = rendered.filter((path) => !WHOLE.test(path) && !differing.includes(path));
    const isLocal = now.every((change) => change.isLocal);
    expect(extra.length, extra.join(' ')).toBeLessThanOrEqual(
      isLocal ? MOST.perLocalChange * now.length : MOST.ofSite * files.size,
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
      expect((await archive.build(USUAL)).rendered).toEqual([]);
    }),
    { ...parameters, numRuns: RUNS, examples: [[[[SEGMENT_RESIZED]]]] },
  );
  console.info(`Seed ${SEED}: ${JSON.stringify(totals)}`);
  expect(totals.extra).toBeLessThan(MOST.perDifferingPage * totals.differing);
  expect(totals.local).toBeGreaterThan(0);
}, 3_600_000);

it(`makes the same site as a clean build, with any settings (${RUNS_WITH_SETTINGS} times three builds)`, async () => {
  const steps = fc.record({
    settings: arbitrarySettings,
    changes: several(archive.arbitrary),
    next: arbitrarySettings,
    later: several(archive.arbitrary),
  });
  await fc.assert(
    fc.asyncProperty(steps, async ({ settings, changes, next, later }) => {
      archive.startAgain();
      const check = async (now: Settings, what: readonly Change[]) => {
        archive.change(what);
        const { files } = await archive.build(now);
        expect(differingPaths(files, await archive.buildFromNothing(now))).toEqual([]);
      };
      await archive.build(settings);
      await check(settings, changes);
      const { own, notices, withheld } = next;
      await check({ ...settings, own, notices, withheld }, later);
    }),
    {
      ...parameters,
      numRuns: RUNS_WITH_SETTINGS,
      examples: [
        [
          {
            settings: { ...ALL, form: 'plain', own: 'none' }, // a bundle of components takes long
            changes: [SEGMENT_RESIZED],
            next: { ...USUAL, ...OTHERS, own: 'none' },
            later: [],
          },
        ],
        [
          {
            settings: { ...ALL, hasComponents: false, languages: ['en'] },
            changes: [],
            next: { ...USUAL, own: 'second', withheld: OTHERS.withheld },
            later: [SEGMENT_RESIZED],
          },
        ],
      ],
    },
  );
}, 3_600_000);
