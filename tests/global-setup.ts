/** Makes one mirror of the sample archive for all tests that only look at it: over real HTTP, with upstream misbehaving as the sample says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { requirePrograms } from '../scripts/setup/programs.ts';
import type { HarvestReport } from '../src/harvest/report.ts';
import type { MediaReport } from '../src/media/fetch.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { canMount, microficheJson, SAMPLE, serve, upstreamAt } from './support.ts';

export interface Mirror {
  upstream: string;
  snapshot: string;
  dist: string;
  harvest: HarvestReport;
  media: MediaReport;
  build: BuildReport;
}

declare module 'vitest' {
  export interface ProvidedContext {
    mirror: Mirror;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  requirePrograms();
  if (!canMount()) console.warn('This user may not mount a disk: the tests on small disks are skipped. They run as root.');
  const folder = mkdtempSync(join(tmpdir(), 'microfiche-mirror-'));
  const snapshot = join(folder, 'snapshot');
  const dist = join(folder, 'dist');
  const upstream = await serve(['--snapshot', SAMPLE, '--fault', 'boundary-repeat', 'moving-total']);
  try {
    const harvest = await microficheJson<HarvestReport>(['harvest', ...upstreamAt(upstream.url), '--snapshot', snapshot]);
    const media = await microficheJson<MediaReport>(['media', '--snapshot', snapshot]);
    const build = await microficheJson<BuildReport>([
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
    for (const made of [folder, process.env['XDG_STATE_HOME'] as string]) rmSync(made, { recursive: true, force: true });
  };
}
