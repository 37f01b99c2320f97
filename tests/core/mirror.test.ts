/** `microfiche mirror`: from the sample archive to its site in one command. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import type { MediaReport } from '../../src/media/media-report.ts';
import { createTestDirectory, runMicrofiche } from '../support/commands.ts';

interface Report {
  harvest: HarvestReport;
  media: MediaReport;
  build: BuildReport;
}

it('prints the reports of all steps as one JSON object with --json', async () => {
  const directory = createTestDirectory();
  const site = join(directory, 'site');
  const options = ['--snapshot', join(directory, 'snapshot'), '--dir', site];
  const { code, stdout } = await runMicrofiche(['mirror', ...options, '--json']);
  expect(code).toBe(0);
  const { harvest, media, build } = JSON.parse(stdout) as Report;
  expect(harvest.complete).toBe(true);
  expect(media.distinctFiles).toBeGreaterThan(0);
  expect(build.pages).toBeGreaterThan(0);
  expect(existsSync(join(site, 'index.html'))).toBe(true);
});
