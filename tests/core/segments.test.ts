/** Pages of an interview without recordings: the names of its segments, and which ones a page lists. Records without an image. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSharedDirectory, readFiles, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { createRecord, startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';

const directory = createSharedDirectory();
let upstream: TestUpstream;
let pages: Map<string, Buffer>;

const INTERVIEW = 'demo-org-1-1';
/** What each segment has beside its number. */
const SEGMENTS: ReadonlyArray<Record<string, unknown>> = [
  { topics: [{ id: '1', term: 'Work -- Fishing' }] },
  { description: 'The whistle of the cannery. It went at five.<p>This interview was made at the quay.</p>' },
  { description: '<p>Repairing nets<p>This interview was made at the quay.' },
  {
    topics: [
      { id: '2', term: 'Home' },
      { id: '3', term: 'School -- Games' },
      { id: '4', term: 'Church' },
    ],
  },
  { title: 'Ada Quay Interview Segment 5: The flood' },
  {},
  ...Array.from({ length: 6 }, () => ({})),
];

beforeAll(async () => {
  upstream = await startTestUpstream({ shared: true });
  const { url, routes } = upstream;
  const set = (id: string, more: Record<string, unknown>) => routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, more));
  const list = (of: string, objects: unknown[]) =>
    routes.set(`/api/0.2/${of}/children/`, { total: objects.length, offset: 0, next_offset: null, objects });
  const children = (id: string) => ({ links: { children: `${url}/api/0.2/${id}/children/` } });
  set('demo-org-1', { model: 'collection', ...children('demo-org-1') });
  set(INTERVIEW, { model: 'entity', title: 'Ada Quay Interview', format: 'vh', ...children(INTERVIEW) });
  set('demo-org-1-2', { model: 'entity', title: 'Photograph', description: 'Boats at the quay.', format: 'img' });
  list('demo-org-1', [
    { id: INTERVIEW, model: 'entity' },
    { id: 'demo-org-1-2', model: 'entity' },
  ]);
  const idOf = (n: number) => `${INTERVIEW}-${n + 1}`;
  for (const [n, more] of SEGMENTS.entries()) {
    const title = `Ada Quay Interview Segment ${n + 1}`;
    set(idOf(n), { model: 'segment', format: 'vh', parent_id: INTERVIEW, title, description: '', extent: '00:01:00', ...more });
  }
  list(
    INTERVIEW,
    SEGMENTS.map((_, n) => ({ id: idOf(n), model: 'segment', sort: n + 1 })),
  );
  const snapshot = join(directory.path, 'snapshot');
  await runMicroficheJson(['harvest', '--snapshot', snapshot, ...upstreamOptions(upstream.url), '--root', 'demo-org-1']);
  await runMicroficheJson(['build', '--snapshot', snapshot, '--out', join(directory.path, 'dist')]);
  pages = readFiles(join(directory.path, 'dist'));
});
afterAll(async () => {
  await upstream.close();
  directory.remove();
});

const page = (id: string) => String(pages.get(`objects/${id}.html`));
/** Returns the numbers and texts of the list of segments. */
const listed = (html: string) => {
  const [, start, items = ''] = /<ol class="playlist" start="(\d+)">(.*?)<\/ol>/s.exec(html) ?? [];
  const texts = [...items.matchAll(/<li>.*?<(?:a|span)[^>]*>([^<]*)</gs)].map(([, text = '']) => text);
  return texts.map((text, n) => `${Number(start) + n}. ${text}`);
};

it('names segments whose title is a number by the first sentence of their description, or by their topics', () => {
  expect(listed(page(INTERVIEW)).slice(0, 6)).toEqual([
    '1. Fishing',
    '2. The whistle of the cannery',
    '3. Repairing nets',
    '4. Home · Games',
    '5. Segment 5: The flood',
    '6. Segment 6',
  ]);
});

it('lists all segments on the page of the interview, and on that of a segment those next to it', () => {
  expect(listed(page(INTERVIEW))).toHaveLength(SEGMENTS.length);
  expect(page(INTERVIEW)).not.toContain('All 12 segments');
  expect(listed(page(`${INTERVIEW}-1`)).map((line) => Number.parseInt(line, 10))).toEqual([1, 2, 3, 4]);
  expect(listed(page(`${INTERVIEW}-7`)).map((line) => Number.parseInt(line, 10))).toEqual([4, 5, 6, 7, 8, 9, 10]);
  expect(page(`${INTERVIEW}-7`)).toMatch(new RegExp(`<a href="../objects/${INTERVIEW}.html">\\s*All 12 segments`));
});

it('draws the interview as blocks as wide as its segments are long', () => {
  const ribbon = /<svg class="ribbon".*?<\/svg>/s.exec(page(`${INTERVIEW}-2`))?.[0] ?? '';
  expect(ribbon).toContain('viewBox="0 0 720 1"');
  expect([...ribbon.matchAll(/<rect x="(\d+)"/g)].map(([, x]) => Number(x))).toEqual(SEGMENTS.map((_, n) => n * 60));
  expect(ribbon).toMatch(/<a href="[^"]*demo-org-1-1-2\.html" tabindex="-1" class="current">/);
  expect(ribbon).toContain('<title>2. The whistle of the cannery</title>');
});

it('says once what is missing, without a box, and begins with the text of a record', () => {
  for (const id of [`${INTERVIEW}-1`, 'demo-org-1-2', INTERVIEW]) expect(page(id)).not.toContain('no-image');
  expect(page(`${INTERVIEW}-1`).match(/The recording is not in this copy/g)).toHaveLength(1);
  expect(page(`${INTERVIEW}-1`)).toMatch(
    /class="object-media text-first">.*The recording is not in this copy.*class="segments".*class="object-facts"/s,
  );
  expect(page(INTERVIEW)).not.toContain('No image available');
  const photograph = page('demo-org-1-2');
  expect(photograph).toMatch(/class="object-media text-first short-text">.*Boats at the quay\..*No image available/s);
  expect(photograph).not.toContain('class="notice"');
});
