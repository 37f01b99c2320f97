/** Creates a mirror of the sample archive over real HTTP, with faults in its lists, for all tests that only read it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { requirePrograms } from '../scripts/setup/programs.ts';
import type { HarvestReport } from '../src/harvest/report.ts';
import type { MediaReport } from '../src/media/media-report.ts';
import type { BuildReport } from '../src/pipeline/build-report.ts';
import { canMount, runMicroficheJson, SAMPLE, startServe, upstreamOptions } from './support.ts';

/** The mirror that `inject('mirror')` returns. */
export interface Mirror {
  /** URL at which the sample archive was harvested; it no longer responds. */
  upstream: string;
  /** Directory of the snapshot. */
  snapshot: string;
  /** Directory of the site. */
  dist: string;
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

/** Creates the mirror before the tests, and returns a function that deletes it after them. */
export default async function setup(project: TestProject): Promise<() => void> {
  requirePrograms();
  if (!canMount()) console.warn('This user may not mount a disk, so the tests on small disks are skipped. They run as root.');
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-mirror-'));
  const snapshot = join(directory, 'snapshot');
  const dist = join(directory, 'dist');
  const upstream = await startServe(['--snapshot', SAMPLE, '--fault', 'boundary-repeat', 'moving-total']);
  try {
    const harvest = await runMicroficheJson<HarvestReport>(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot]);
    const media = await runMicroficheJson<MediaReport>(['media', '--snapshot', snapshot]);
    const build = await runMicroficheJson<BuildReport>([
      'build',
      '--snapshot',
      snapshot,
      '--out',
      dist,
      '--site',
      'https://mirror.example/archive/',
    ]);
    project.provide('mirror', { upstream: upstream.url, snapshot, dist, harvest, media, build });
  } finally {
    await upstream.stop();
  }
  return () => {
    for (const path of [directory, process.env['XDG_STATE_HOME'] as string]) rmSync(path, { recursive: true, force: true });
  };
}
