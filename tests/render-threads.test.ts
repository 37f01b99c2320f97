/** Pages that are rendered in several threads have the same bytes as those of one thread. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDirectory, runMicroficheJson, SAMPLE } from './support.ts';

it('gives the same site with 1, 2 and 4 threads', async () => {
  const directory = createTestDirectory();
  const manifests: string[] = [];
  for (const threads of ['1', '2', '4']) {
    const out = join(directory, threads);
    const env = { ...process.env, MICROFICHE_CACHE: join(directory, 'cache'), MICROFICHE_THREADS: threads };
    const args = ['build', '--snapshot', SAMPLE, '--out', out, '--no-search', '--json'];
    const report = await runMicroficheJson<{ pageProblems: unknown[] }>(args, { env });
    manifests.push(`${readFileSync(join(out, 'manifest-sha256.txt'), 'utf8')}${JSON.stringify(report.pageProblems)}`);
  }
  expect(manifests[1]).toBe(manifests[0]);
  expect(manifests[2]).toBe(manifests[0]);
});
