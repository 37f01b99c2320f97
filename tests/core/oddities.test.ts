/** What catalogers write in odd forms, from upstream to a built site: times, positions, lengths, codes, names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { addRecords, startTestUpstream } from '../support/test-upstream.ts';

const SITE = 'https://mirror.example/';
const RECORDS: Record<string, Record<string, unknown>> = {
  'demo-org-1-1': { record_lastmod: '2019-03-02T09:53:47.123456', language: ['und'] },
  'demo-org-1-2': { record_lastmod: '2019-03-03T09:53:47Z', geography: [{ term: 'Quay', geo_lat: 0, geo_lng: 0 }] },
  'demo-org-1-3': { format: 'vh', extent: '62 minutes', ia_meta: { files: { mp4: { name: 'a.mp4' } } } },
  'demo-org-1-4': { rights: 'cc', geography: [{ term: 'Hill', geo_lat: '-118,5', geo_lng: '34°23\'7"N' }] },
  'demo-org-1-5': { creators: [{ namepart: 'First Methodist Church', role: 'author' }] },
};
const folder = createSharedDirectory();
afterAll(folder.remove);
let dist: string;
let printed: string;
let report: BuildReport;
const page = (id: string) => readFileSync(join(dist, `objects/${id}.html`), 'utf8');

beforeAll(async () => {
  const upstream = await startTestUpstream({ shared: true });
  addRecords(upstream, 5, (id) => RECORDS[id] ?? {});
  const snapshot = join(folder.path, 'snapshot');
  dist = join(folder.path, 'dist');
  await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1']);
  const build = ['build', '--snapshot', snapshot, '--out', dist, '--site', SITE];
  report = await runMicroficheJson<BuildReport>(build);
  printed = (await runMicrofiche(build)).stdout;
  await upstream.close();
});

it('dates records in the sitemap and the feed, without a time zone that upstream does not state', () => {
  const sitemap = readFileSync(join(dist, 'sitemap-0.xml'), 'utf8');
  expect(sitemap).toContain(`<loc>${SITE}objects/demo-org-1-1.html</loc><lastmod>2019-03-02</lastmod>`);
  expect(sitemap).toContain(`<loc>${SITE}objects/demo-org-1-2.html</loc><lastmod>2019-03-03T09:53:47.000Z</lastmod>`);
  const feed = readFileSync(join(dist, 'feed.xml'), 'utf8');
  expect([...feed.matchAll(/<updated>(.*)<\/updated>/g)].map(([, time]) => time)).toEqual([
    '2019-03-03T09:53:47Z',
    '2019-03-03T09:53:47Z',
    '2019-03-02T09:53:47-00:00',
  ]);
});

it('reports places whose position cannot be used, and puts the others on the map', () => {
  expect(report.unusablePositions).toEqual([{ record: 'demo-org-1-2', place: 'Quay', position: '0, 0' }]);
  expect(printed).toContain(
    'Places without a usable position (1); they are not on the map:\n  1 × 0, 0\n    Quay (demo-org-1-2)\n',
  );
  expect(page('demo-org-1-4')).toContain('Hill: 34.3852778, -118.5');
  expect(page('demo-org-1-2')).not.toContain('Quay: 0, 0');
  const map = readFileSync(join(dist, 'browse/place/index.html'), 'utf8');
  expect(map.match(/class="spot"/g)).toHaveLength(1);
});

it('labels codes, reads lengths, and claims no license', () => {
  expect(page('demo-org-1-1')).toContain('>Undetermined</a>');
  expect(page('demo-org-1-3')).toContain('"duration":"PT3720S"');
  expect(page('demo-org-1-4')).not.toContain('creativecommons.org');
  expect(page('demo-org-1-4')).toContain('Creative Commons · ask which license');
  expect(page('demo-org-1-5')).toContain('{"@type":"Organization","name":"First Methodist Church"}');
});

it('describes images by what they are, never as an item', () => {
  const pages = [...readFiles(join(inject('mirror').dist, 'objects'))].filter(([path]) => path.endsWith('.html'));
  const texts = pages.flatMap(([, bytes]) =>
    [...bytes.toString().matchAll(/ alt="([^"]+)"/g)].map((match) => match[1] as string),
  );
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => /^(?:Item|File|Object|Interview segment):/.test(text))).toEqual([]);
});
