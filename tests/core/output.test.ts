/** What commands print beside their reports: `--quiet`, `--verbose`, and the words that were probably meant. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setOutput } from '../../scripts/output.ts';
import { createTestDirectory, runMicrofiche, SAMPLE } from '../support/commands.ts';
import { captureOutput } from '../support/in-process.ts';
import { startTestUpstream } from '../support/test-upstream.ts';

it('prints nothing with --quiet, but errors, and JSON if that is asked for', async () => {
  const status = (...args: string[]) => runMicrofiche(['status', '--snapshot', SAMPLE, ...args]);
  expect(await status('--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  // Why a command fails is an error.
  expect(await status('-q', '--max-age', '1h')).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('Last harvest') });
  expect((await runMicrofiche(['completion', 'bash', '-q'])).stdout).toContain('complete ');
  expect(JSON.parse((await status('--quiet', '--json')).stdout)).toHaveProperty('counts');
  expect((await status()).stdout).toContain('article');
  const missing = await runMicrofiche(['status', '--quiet', '--snapshot', join(createTestDirectory(), 'none')]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^microfiche: No snapshot found in [^\n]*\n$/)]);
});

it('prints warnings with --quiet, and the details only of what fails', async () => {
  const report = [
    'Downloaded: 1 URL.',
    'Failed: 2 files could not be downloaded:',
    '  2 × HTTP 404',
    'Skipped: 1 stream-only recording file.',
  ];
  const printed = (code: number) =>
    captureOutput(async () => {
      using _ = setOutput({ quiet: true }, () => code);
      for (const line of report) console.log(line);
      return code;
    });
  expect(await printed(0)).toEqual({ code: 0, stdout: '', stderr: 'Failed: 2 files could not be downloaded:\n' });
  expect((await printed(3)).stderr).toBe('Failed: 2 files could not be downloaded:\n');
  expect((await printed(1)).stderr.split('\n').slice(0, -1)).toEqual(report);
});

it('prints each request with --verbose, and where an error arose', async () => {
  const upstream = await startTestUpstream();
  const snapshot = join(createTestDirectory(), 'snapshot');
  const harvest = (...args: string[]) =>
    runMicrofiche(['harvest', '--snapshot', snapshot, '--authors-url', upstream.url, '--catalog-url', upstream.url, ...args]);
  const requested = `GET ${upstream.url}/robots.txt: 404\n`;
  expect((await harvest('--verbose')).stderr).toContain(requested);
  expect((await harvest()).stderr).not.toContain(requested);
  const site = join(createTestDirectory(), 'dist');
  const hook = ['update', '--snapshot', snapshot, '--out', site, '--webhook', `${upstream.url}/services/secret?token=secret`];
  const { stderr } = await runMicrofiche([...hook, '--authors-url', upstream.url, '--catalog-url', upstream.url, '--verbose']);
  expect([stderr.includes('POST '), stderr.includes('secret')]).toEqual([true, false]);
  const missing = await runMicrofiche(['status', '--verbose', '--snapshot', join(snapshot, 'none')]);
  expect(missing.stderr).toMatch(/^microfiche: No snapshot found [^\n]*\nUserError: [^\n]*\n +at /);
});

it.each([
  [['hravest'], 'harvest'],
  [['harvest', '--snapshto', 'x'], '--snapshot'],
])('%s: says what was probably meant', async (args, meant) => {
  const { code, stderr } = await runMicrofiche(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`(Did you mean ${meant}?)`)]);
});
