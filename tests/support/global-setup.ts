/** Creates a mirror of the sample archive over real HTTP, with faults in its lists, which all tests share and only read. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { cacheRootDirectory, derivativesDirectory } from '../../src/derivatives/cache-directories.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import type { MediaReport } from '../../src/media/media-report.ts';
import { canMount, SAMPLE, spawnMicroficheJson, spawnServe, upstreamOptions } from './commands.ts';

/** The mirror that `inject('mirror')` returns. */
export interface Mirror {
  /** URL at which the sample archive was harvested; it no longer responds. */
  upstream: string;
  /** Directory of the snapshot. */
  snapshot: string;
  /** Directory of a snapshot of one collection, without guide pages and recordings, for tests that build several times. */
  small: string;
  /** Directory of the site. */
  dist: string;
  /** Directory of a copy of the derivatives, which no build changes. */
  derivatives: string;
  harvest: HarvestReport;
  media: MediaReport;
  build: BuildReport;
}

declare module 'vitest' {
  /** The type of what `inject` returns. */
  export interface ProvidedContext {
    mirror: Mirror;
  }
}

const shared = globalThis as { mirrorOfTests?: Promise<Mirror & { directory: string }> };

/** Creates the mirror before the tests of the first project, and returns a function that deletes it after them. */
export default async function setup(project: TestProject): Promise<() => void> {
  const isFirst = shared.mirrorOfTests === undefined;
  shared.mirrorOfTests ??= createMirror();
  const { directory, ...mirror } = await shared.mirrorOfTests;
  project.provide('mirror', mirror);
  return () => {
    if (isFirst) rmSync(directory, { recursive: true, force: true });
  };
}

async function createMirror(): Promise<Mirror & { directory: string }> {
  if (!canMount()) console.warn('This user may not mount a disk, so the tests on small disks are skipped. They run as root.');
  writeSampleSnapshot(SAMPLE); // a pull may have changed its files
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-mirror-'));
  const snapshot = join(directory, 'snapshot');
  const small = join(directory, 'small');
  const dist = join(directory, 'dist');
  const derivatives = join(directory, 'derivatives');
  const upstream = await spawnServe(['--snapshot', SAMPLE, '--fault', 'boundary-repeat', 'moving-total']);
  try {
    const harvest = await spawnMicroficheJson<HarvestReport>([
      'harvest',
      ...upstreamOptions(upstream.url),
      '--snapshot',
      snapshot,
    ]);
    const media = await spawnMicroficheJson<MediaReport>(['media', '--snapshot', snapshot]);
    await spawnMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', small, '--collection', 'lica-quay-1']);
    await spawnMicroficheJson(['media', '--snapshot', small]);
    const build = await spawnMicroficheJson<BuildReport>([
      'build',
      '--snapshot',
      snapshot,
      '--out',
      dist,
      '--site',
      'https://mirror.example/archive/',
    ]);
    cpSync(derivativesDirectory(cacheRootDirectory()), derivatives, { recursive: true });
    return { directory, upstream: upstream.url, snapshot, small, dist, derivatives, harvest, media, build };
  } finally {
    await upstream.stop();
  }
}
