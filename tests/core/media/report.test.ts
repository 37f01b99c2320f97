/** The report of `media`: estimates within a budget, counts, shortened lists, and the full lists in report.txt. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Estimate } from '../../../src/media/estimate.ts';
import { runMicrofiche } from '../../support/commands.ts';
import {
  computeChecksums,
  createFakeVideo,
  createFileRecord,
  createHarvestedSnapshot,
  createImage,
  createRecordWithImage,
  fileHandler,
  runMedia,
} from '../../support/file-server.ts';
import { respondWith, startTestUpstream } from '../../support/test-upstream.ts';

it('spends the budget on files of known size that fit, and then on the others', async () => {
  const upstream = await startTestUpstream();
  const records: Array<Record<string, unknown>> = [];
  const original = (n: number, size: number) => {
    const bytes = createFakeVideo(size);
    upstream.routes.set(`/${n}.mp4`, fileHandler({ bytes }));
    records.push(
      createFileRecord(`demo-org-1-${n}-master-${computeChecksums(bytes).sha1.slice(0, 10)}`, `${upstream.url}/${n}.mp4`, {
        size,
      }),
    );
  };
  original(1, 90_000);
  for (let n = 2; n <= 21; n++) original(n, 1000);
  // Neither a record nor a response declares the size of these.
  const large = Buffer.concat([await createImage(), Buffer.alloc(200_000)]);
  for (let n = 1; n <= 3; n++) {
    upstream.routes.set(`/${n}.jpg`, (_: unknown, response: ServerResponse) => response.writeHead(200).end(large));
    records.push(createRecordWithImage(`demo-org-2-${n}`, `${upstream.url}/${n}.jpg`));
  }
  const other = await startTestUpstream();
  const { host } = new URL(other.url);
  records.push(
    createRecordWithImage('demo-org-3-1', `${other.url}/a.jpg`),
    createRecordWithImage('demo-org-3-2', `${other.url}/b.jpg`),
  );
  const snapshot = await createHarvestedSnapshot(upstream, records);
  const choice = ['--kinds', 'image,original', '--budget', '20KB'];

  const estimate = await runMedia<Estimate>(snapshot, ...choice, '--dry-run');
  expect(estimate).toMatchObject({ files: 20, bytes: 20_000, unknown: 0, overBudget: 4 });
  expect(estimate).toMatchObject({ elsewhere: 2, elsewhereHosts: [{ host, count: 2 }] });
  const withHead = await runMicrofiche([
    'media',
    '--snapshot',
    snapshot,
    '--kinds',
    'image,original',
    '--budget',
    '30KB',
    '--dry-run',
    '--head',
  ]);
  expect(withHead.stdout).toContain(`Skipped: 2 files on ${host}, which is not an allowed host`);
  expect(withHead.stdout).toContain('Skipped: 1 more file beyond --budget (30.0 KB).');
  expect(withHead.stdout).toContain('with the rest of the budget: 10.0 KB.');
  expect(withHead.stdout).not.toContain('add --head');

  expect(await runMedia(snapshot, ...choice)).toMatchObject({ fetched: 20, bytes: 20_000, overBudget: 4, failures: [] });
});

it('counts URLs and distinct files, shortens long lists, and writes the full lists to report.txt', async () => {
  const upstream = await startTestUpstream();
  const same = await createImage();
  const records = Array.from({ length: 16 }, (_, n) => {
    if (n < 3) upstream.routes.set(`/${n}.jpg`, fileHandler({ bytes: same }));
    else if (n === 3) upstream.routes.set('/3.jpg', respondWith(403));
    return createRecordWithImage(`demo-org-1-${n + 1}`, `${upstream.url}/${n}.jpg`);
  });
  const snapshot = await createHarvestedSnapshot(upstream, records);
  const harvest = readFileSync(join(snapshot, 'report.txt'), 'utf8');
  const { code, stdout } = await runMicrofiche(['media', '--snapshot', snapshot]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Downloaded: 3 URLs, 1 distinct file, [\d.]+ \w+\. Already stored: 0 URLs\.\nDeduplicated: 2 URLs with the same bytes/,
  );
  expect(stdout).toContain('Failed: 13 files could not be downloaded:\n  12 × HTTP 404\n    demo-org-1-11 (');
  expect(stdout).toContain('    … and 2 more, in report.txt\n  1 × HTTP 403\n');
  const report = readFileSync(join(snapshot, 'report.txt'), 'utf8');
  expect(report.startsWith(`${harvest}\n== Media ==\nDownloaded: 3 URLs`)).toBe(true);
  for (let n = 4; n <= 16; n++) expect(report).toContain(`    demo-org-1-${n} (${upstream.url}/${n - 1}.jpg)\n`);
  expect(report).not.toContain('… and');

  upstream.routes.set('/3.jpg', fileHandler({ bytes: await createImage(90) }));
  const again = await runMicrofiche(['media', '--snapshot', snapshot]);
  expect(again.stdout).toMatch(
    /^Downloaded: 1 URL, 1 distinct file, [\d.]+ \w+\. Already stored: 3 URLs\.\nFailed: 12 files could not/,
  );
  expect(again.stdout).not.toMatch(/\b1 (?:files|URLs|downloads)\b/);
  writeFileSync(join(snapshot, 'report.txt'), harvest);
  const { distinctFiles, distinctBytes, bytes, fetched } = await runMedia(snapshot);
  expect({ distinctFiles, distinctBytes, bytes, fetched }).toEqual({ distinctFiles: 0, distinctBytes: 0, bytes: 0, fetched: 0 });
  expect(readFileSync(join(snapshot, 'report.txt'), 'utf8')).toContain('Downloaded: 0 URLs');
});
