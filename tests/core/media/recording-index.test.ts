/** An index inside a recording: on its page, as files in other formats, in the IIIF manifest, in the tables and on maps. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTranscript } from '../../../src/model/transcripts/read-transcript.ts';
import { createSharedDirectory, readFiles, runMicroficheJson } from '../../support/commands.ts';
import { createFakeVideo, createSegment, fileHandler, harvestIds, runMedia } from '../../support/file-server.ts';
import { createRecord, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const SEGMENT = 'demo-org-1-1-1';
const shared = createSharedDirectory();
const [snapshot, out] = [join(shared.path, 'snapshot'), join(shared.path, 'dist')];
const ohms = (title: string) => `<?xml version="1.0"?><ROOT xmlns="https://www.weareavp.com/nunncenter/ohms"><record id="1">
<language>English</language><transcript_alt_lang>Japanese</transcript_alt_lang><sync>1:|2(1)</sync><transcript>When was that?\nIn the fog.</transcript>
<index><point><time>75</time><title>${title}</title><title_alt>霧の中の船</title_alt><synopsis>How the boats came in.</synopsis><keywords>Fog;&lt;script&gt;</keywords>
<gpspoints><gps>44.65, -63.57</gps><gps_text>The quay</gps_text></gpspoints>
<hyperlinks><hyperlink>https://example.org/a</hyperlink><hyperlink_text>A &lt;chart&gt;</hyperlink_text></hyperlinks><hyperlinks><hyperlink>javascript:alert(1)</hyperlink></hyperlinks></point>
<point><time>130</time><title>The way home from the harbor</title></point><point><time>soon</time><title>Never said</title></point><point><time>999</time><title>Beyond the end</title></point></index></record></ROOT>`;
const SHORE = { id: '7011731', term: 'The far shore', geo_lat: 45.1, geo_lng: -62.2 };
const CHAPTERS =
  'WEBVTT\nKind: chapters\nLanguage: en\n\n00:00:01.000 --> 00:00:09.000\nLeaving & arriving\n\n00:00:10.000 --> 00:00:20.000\nThe end\n';

let upstream: TestUpstream;
const pages = () => readFiles(out);
const build = () => runMicroficheJson(['build', '--snapshot', snapshot, '--out', out, '--site', 'https://mirror.example/']);

async function harvest(...texts: string[]): Promise<void> {
  const { url, routes } = upstream;
  const ids = texts.map((text) => {
    const digest = hash('sha1', text).slice(0, 10);
    const id = `${SEGMENT}-transcript-${digest}`;
    routes.set(`/${digest}`, fileHandler({ bytes: Buffer.from(text) }));
    routes.set(
      `/api/0.2/${id}/`,
      createRecord(upstream, id, { model: 'file', role: 'transcript', links: { download: `${url}/${digest}` } }),
    );
    return id;
  });
  const objects = ids.map((id) => ({ id, model: 'file' }));
  routes.set(`/api/0.2/${SEGMENT}/files/`, { total: ids.length, offset: 0, next_offset: null, objects });
  const files = { 'a.mp4': { name: 'a.mp4', mimetype: 'video/mp4', url: `${url}/a.mp4`, length: '200' } };
  const segment = {
    ...createSegment(SEGMENT, files),
    title: 'Interview',
    geography: [SHORE],
    links: { 'children-files': `${url}/api/0.2/${SEGMENT}/files/` },
  };
  routes.set(`/api/0.2/${SEGMENT}/`, segment);
  await harvestIds(upstream, [SEGMENT], snapshot);
  await runMedia(snapshot);
}

beforeAll(async () => {
  upstream = await startTestUpstream({ shared: true });
  upstream.routes.set('/a.mp4', fileHandler({ bytes: createFakeVideo(500) }));
  await harvest(ohms('Boats in the fog'), CHAPTERS);
  await build();
});
afterAll(async () => {
  await upstream.close();
  shared.remove();
});

/** Returns the files that a page offers and that are not as they were received, with their texts. */
function exported(files = pages()) {
  const page = files.get(`objects/${SEGMENT}.html`)?.toString() ?? '';
  const paths = [...page.matchAll(/href="\.\.\/(media\/[^"]+)" download[^>]*>([^<]*)/g)];
  return new Map(
    paths
      .filter(([, , label]) => /WebVTT|OHMS/.test(label ?? ''))
      .map(([, path = '']) => [path.replace(/^.*\.transcript(?:\.[0-9a-f]+)?\./, ''), files.get(path)?.toString() ?? '']),
  );
}

it('offers the transcript and the index in formats in which they were not received', () => {
  const files = exported();
  expect([...files.keys()].sort()).toEqual(['vtt.ohms.txt', 'xml.captions.vtt', 'xml.index-2.vtt', 'xml.index.vtt']);
  expect(files.get('xml.captions.vtt')).toBe('WEBVTT\n\n00:00:00.000 --> 00:01:00.000\nWhen was that? In the fog.\n');
  expect(files.get('xml.index.vtt')).toContain('00:01:15.000 --> 00:02:10.000\nBoats in the fog\n');
  expect(files.get('xml.index-2.vtt')).toContain('霧の中の船');
  const [index] = readTranscript(files.get('vtt.ohms.txt') ?? '', 'application/x-ohms+xml');
  expect(index?.index?.points.map(({ start, fields }) => [start, fields['title']])).toEqual([
    [1, 'Leaving & arriving'],
    [10, 'The end'],
  ]);
});

it('shows the points with the links that are safe, and says how many have no time', () => {
  const page = String(pages().get(`objects/${SEGMENT}.html`));
  expect(page).toContain('<a href="https://example.org/a" rel="external noreferrer">A &lt;chart&gt;</a>');
  expect(page).not.toContain('javascript:');
  expect(page).not.toContain('Never said');
  expect(page).toContain('1 entry without a valid time is not shown.');
});

it('has the points as ranges of the IIIF manifest, up to the end of the recording, and the captions', () => {
  const manifest = JSON.parse(String(pages().get(`iiif/${SEGMENT}/manifest.json`)));
  const canvas = `https://mirror.example/iiif/${SEGMENT}/canvas`;
  const points = manifest.structures[0].items as Array<{ label: unknown; summary?: unknown; items: Array<{ id: string }> }>;
  expect(points.map(({ items }) => items[0]?.id).sort()).toEqual(
    ['#t=75,130', '#t=130,200', '#t=1,9', '#t=10,20'].map((time) => `${canvas}${time}`).sort(),
  );
  const fog = points.find(({ items }) => items[0]?.id.endsWith('=75,130'));
  expect(fog).toMatchObject({
    label: { en: ['Boats in the fog'], ja: ['霧の中の船'] },
    summary: { en: ['How the boats came in.'] },
  });
  const [captions, ...others] = manifest.items[0].annotations[0].items;
  expect(captions).toMatchObject({ motivation: 'supplementing', body: { format: 'text/vtt' } });
  expect(captions.body.id).toMatch(/\.captions\.vtt$/);
  expect(pages().has(captions.body.id.replace('https://mirror.example/', ''))).toBe(true);
  expect(others).toEqual([]);
});

it('has the places of the points on the map of the archive and of the record, which lead to the moment', () => {
  for (const [page, path] of [
    ['browse/place/index.html', '../../objects'],
    [`objects/${SEGMENT}.html`, '../objects'],
  ] as const) {
    const [, , marks] = /<figure class="map"(.*?)<g class="marks">(.*?)<\/g>/s.exec(String(pages().get(page))) ?? [];
    expect(marks, page).toContain(`<a href="${path}/${SEGMENT}.html#t=75" aria-label="The quay`);
  }
});

it('has a table of the points, in each of their languages', async () => {
  const to = join(shared.path, 'tables');
  await runMicroficheJson(['export', 'tables', '--snapshot', snapshot, '--to', to]);
  const [header = '', ...rows] = readFileSync(join(to, 'index_points.csv'), 'utf8').trim().split('\r\n');
  const columns = header.split(',');
  const about = rows.map((row) => row.split(',').slice(columns.indexOf('about_id')));
  expect(about).toHaveLength(6);
  const id = `${SEGMENT}-transcript-${hash('sha1', ohms('Boats in the fog')).slice(0, 10)}`;
  expect(rows.filter((row) => row.startsWith(`${id},1,`))).toEqual([
    `${id},1,${SEGMENT},75,English,Boats in the fog,,How the boats came in.,"Fog; <script>",,44.65,-63.57,The quay,https://example.org/a`,
  ]);
  expect(rows).toContain(`${id},2,${SEGMENT},75,Japanese,霧の中の船,,,,,44.65,-63.57,,https://example.org/a`);
});

it('makes the same files from a changed index as a clean build', async () => {
  await harvest(ohms('Boats in the ice'), CHAPTERS);
  await build();
  const changed = pages();
  expect(exported(changed).get('xml.index.vtt')).toContain('Boats in the ice');
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', out, '--site', 'https://mirror.example/', '--clean']);
  const made = (files: Map<string, Buffer>) =>
    [...files]
      .filter(([path]) => /transcript|manifest\.json|objects|browse/.test(path))
      .map(([path, bytes]) => [path, bytes.toString()]);
  expect(made(changed)).toEqual(made(pages()));
});
