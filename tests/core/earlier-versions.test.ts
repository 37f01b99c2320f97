/** Earlier versions of a record: its page says when they were harvested, and what was changed afterwards. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeSampleSnapshot } from '../../scripts/sample/load-sample.ts';
import { toPlainText } from '../../src/model/text/text.ts';
import { createTestDirectory, runMicroficheJson, SAMPLE, startServe, upstreamOptions } from '../support/commands.ts';

it('are listed in the full record, without the texts that the archive has withdrawn', async () => {
  const directory = createTestDirectory();
  const [sample, snapshot, dist] = ['sample', 'snapshot', 'dist'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  cpSync(SAMPLE, sample, { recursive: true });
  const file = join(sample, 'objects/lica-quay-1-1.json');
  const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  let port = '0';
  for (const change of [
    { title: 'Nets on the zeppelin quay' },
    { title: 'Nets', search_hidden: 'x' },
    { title: 'Nets', credit: 'A new credit' },
  ]) {
    writeFileSync(file, JSON.stringify({ ...record, ...change }));
    writeSampleSnapshot(sample);
    const upstream = await startServe(['--snapshot', sample, '--port', port]);
    port = new URL(upstream.url).port;
    try {
      await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'lica-quay-1-1']);
    } finally {
      await upstream.stop();
    }
  }
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  const html = readFileSync(join(dist, 'objects/lica-quay-1-1.html'), 'utf8');
  const [, list = ''] = /Earlier versions<\/h3>(.*?)<\/ul>/s.exec(html) ?? [];
  expect([...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line]) => toPlainText(line))).toEqual([
    expect.stringMatching(/^Harvested on \w+ \d+, \d{4}\. Changed afterwards: Credit line\.$/),
    expect.stringMatching(/^Harvested on \w+ \d+, \d{4}\. Changed afterwards: Title\.$/),
  ]);
  expect(html).not.toContain('zeppelin');
});
