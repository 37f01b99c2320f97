/** Bags: others' tools check them, import gives the same snapshot again, and damaged ones are refused. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { ExportReport } from '../../../src/export/export-context.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import type { ImportReport } from '../../../src/export/import-staging.ts';
import { createSharedDirectory, createTestDirectory, runMicrofiche, runMicroficheJson, SAMPLE } from '../../support/commands.ts';
import { exportInProcess } from '../../support/small-packages.ts';

const shared = createSharedDirectory();
const snapshot = () => inject('mirror').snapshot;
const bag = () => join(shared.path, 'bag');
let report: ExportReport;

beforeAll(async () => {
  report = await runMicroficheJson<ExportReport>(['export', 'bagit', '--snapshot', snapshot(), '--to', bag()]);
});

const fingerprintOf = async (dir: string) =>
  (await runMicroficheJson<{ fingerprint: string }>(['status', '--snapshot', dir, '--dir', 'nowhere'])).fingerprint;

it('is complete and unchanged, says sha256sum', async () => {
  for (const name of ['manifest-sha256.txt', 'tagmanifest-sha256.txt'])
    await execa('sha256sum', ['-c', '--quiet', '--strict', name], { cwd: bag() });
  for (const name of ['manifest-sha512.txt', 'tagmanifest-sha512.txt'])
    await execa('sha512sum', ['-c', '--quiet', '--strict', name], { cwd: bag() });
  const listed = readFileSync(join(bag(), 'manifest-sha256.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
  const { stdout } = await execa('find', ['data', '-type', 'f'], { cwd: bag() });
  expect(stdout.split('\n').sort()).toEqual(listed.sort());
});

it('has a declaration, an info file and a README that say what it is', async () => {
  const text = (name: string) => readFileSync(join(bag(), name), 'utf8');
  expect(text('bagit.txt')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
  const { stdout: sizes } = await execa('find', ['data', '-type', 'f', '-printf', '%s\n'], { cwd: bag() });
  const bytes = sizes.split('\n').map(Number);
  expect(text('bag-info.txt')).toContain(`Payload-Oxum: ${bytes.reduce((a, b) => a + b)}.${bytes.length}\n`);
  expect(text('bag-info.txt').replace(/\n +/g, ' ')).toContain('may contain records that the archive does not publish');
  expect(text('bag-info.txt').replace(/\n +/g, ' ')).not.toMatch(/Harvested from (\S+) and \1\./);
  expect(text('data/tables/README.txt')).not.toMatch(/\.\.$/m);
  expect(text('README.txt')).toContain('sha256sum -c manifest-sha256.txt');
  expect(report.fingerprint).toBe(await fingerprintOf(snapshot()));
});

it('has a finding aid of each published collection, which links to the media files of the bag', () => {
  const directory = join(bag(), 'data/finding-aids');
  const aids = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  const links = aids.flatMap((xml) => [...xml.matchAll(/href="(\.\.\/media\/[^"]+)"/g)].map(([, href = '']) => href));
  expect(aids.length).toBeGreaterThan(3);
  expect(links.length).toBeGreaterThan(20);
  for (const href of links) expect([href, existsSync(join(directory, decodeURI(href)))]).toEqual([href, true]);
});

it('is an RO-Crate that describes each file', () => {
  const crate = JSON.parse(readFileSync(join(bag(), 'data/ro-crate-metadata.json'), 'utf8')) as {
    '@context': string;
    '@graph': Array<Record<string, unknown>>;
  };
  expect(crate['@context']).toBe('https://w3id.org/ro/crate/1.2/context');
  const byId = new Map(crate['@graph'].map((entity) => [entity['@id'], entity]));
  expect(byId.get('ro-crate-metadata.json')).toMatchObject({
    about: { '@id': './' },
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
  });
  const { license, isBasedOn } = byId.get('./') as Record<string, { '@id': string }>;
  expect(byId.get(license?.['@id'] ?? '')).toMatchObject({ description: 'The rights of each record are stated in the record.' });
  expect(byId.has(isBasedOn?.['@id'] ?? '')).toBe(true);
  const parts = byId.get('./')?.['hasPart'] as Array<{ '@id': string }>;
  expect(parts.every(({ '@id': id }) => existsSync(join(bag(), 'data', decodeURI(id))) && byId.has(id))).toBe(true);
  expect(parts.length).toBeGreaterThan(100);
});

describe.each(['', '.zip', '.tar'])('as bag%s', (extension) => {
  it('is imported as the same snapshot, whose bag has the same bytes', async () => {
    const directory = createTestDirectory();
    const [first, second] = [
      extension === '' ? bag() : join(directory, `a${extension}`),
      join(directory, `b${extension}`),
    ] as const;
    if (extension !== '') await runMicroficheJson(['export', 'bagit', '--snapshot', snapshot(), '--to', first]);
    const imported = join(directory, 'imported');
    const { fingerprint } = await runMicroficheJson<ImportReport>(['import', first, '--snapshot', imported]);
    expect([fingerprint, await fingerprintOf(imported)]).toEqual([report.fingerprint, report.fingerprint]);
    const { code } = await runMicrofiche(['verify', '--snapshot', imported]);
    expect(code).toBe(0);
    await runMicroficheJson(['export', 'bagit', '--snapshot', imported, '--to', second]);
    await execa('diff', ['-r', first, second]);
  });
});

it('a package of the sample archive is imported as that of the sample archive', async () => {
  const to = join(createTestDirectory(), 'bag');
  await exportInProcess('bagit', SAMPLE, to);
  const imported = join(createTestDirectory(), 'snapshot');
  await importPackage(to, imported);
  const status = await runMicrofiche(['status', '--snapshot', imported, '--dir', 'nowhere']);
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('60  segment')]);
});
