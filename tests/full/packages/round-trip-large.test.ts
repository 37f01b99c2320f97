/** A generated archive of 5,000 records with media is unchanged by import of each package, and harvest of its static copy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addThumbnails } from '../../../scripts/bench/generate-media.ts';
import { generateSnapshot } from '../../../scripts/bench/generate-snapshot.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import type { ImportReport } from '../../../src/export/import-staging.ts';
import { readResourceNames } from '../../../src/snapshot/read.ts';
import { openSnapshot } from '../../../src/snapshot/store.ts';
import { createSharedDirectory, LONG, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';
import { startStaticHost } from '../../support/static-host.ts';

const RECORDS = Number(process.env['MICROFICHE_RECORDS'] ?? 5_000);

describe.runIf(LONG)(`an archive of ${RECORDS} records with media files`, () => {
  const { path: shared, remove } = createSharedDirectory();
  const at = (name: string) => join(shared, name);
  const fingerprintOf = async (dir: string) =>
    (await runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', dir, '--dir', at('none')])).fingerprint;
  const exportTo = (format: string, name: string, ...more: string[]) =>
    runMicroficheJson<ExportReport>([
      'export',
      format,
      '--snapshot',
      at('snapshot'),
      '--to',
      at(name),
      '--dir',
      at('none'),
      ...more,
    ]);

  beforeAll(async () => {
    generateSnapshot(at('snapshot'), RECORDS, true);
    await addThumbnails(at('snapshot'));
  });
  afterAll(remove);

  it.each([
    ['bagit', 'bag'],
    ['bagit', 'bag.zip'],
    ['bagit', 'bag.tar'],
    ['wacz', 'archive.wacz'],
  ])(
    '%s: %s is imported as the same snapshot',
    async (format, name) => {
      const exported = await exportTo(format, name);
      const target = at(`imported-${name}`);
      const imported = await runMicroficheJson<ImportReport>(['import', at(name), '--snapshot', target]);
      const expected = await fingerprintOf(at('snapshot'));
      expect([exported.fingerprint, imported.fingerprint, await fingerprintOf(target)]).toEqual([expected, expected, expected]);
      const { code, stdout } = await runMicrofiche(['verify', '--snapshot', target]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('0 findings')]);
    },
    900_000,
  );

  it('api: a harvest of the static copy has the same records', async () => {
    const host = await startStaticHost(at('api'), { plain: true });
    try {
      const exported = await exportTo('api', 'api', '--site', host.url);
      writeFileSync(at('api/404.html'), ''); // what the host sends for robots.txt
      // The generated archive has no lists of children, so a harvest needs all IDs.
      const store = openSnapshot(at('snapshot'));
      const roots = ['--root', readResourceNames(store, 'object').join(',')];
      store.close();
      await runMicroficheJson(['harvest', ...upstreamOptions(host.url), '--snapshot', at('harvested'), ...roots]);
      expect(await fingerprintOf(at('harvested'))).toBe(exported.fingerprint);
    } finally {
      await host.stop();
    }
  }, 900_000);
});
