/** Dates of records, from API to pages: one reading for browsing, metadata and citations, beside the archive's own words. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { createSharedDirectory, runMicrofiche, runMicroficheJson, upstreamOptions } from '../support/commands.ts';
import { addRecords, startTestUpstream } from '../support/test-upstream.ts';

/** Dates, the facet values of their records, and the date in JSON-LD; of a span, the period in Dublin Core. */
const DATES: Array<{ words: string; time: string[]; date?: string | string[]; span?: string }> = [
  { words: 'Winter 1943-1944', time: ['1940s', '1943', '1944'], span: 'start=1943-12; end=1944-02;' },
  { words: 'March 1942 - 1943', time: ['1940s', '1942', '1943'], span: 'start=1942-03; end=1943;' },
  { words: '1942 to March 1943', time: ['1940s', '1942', '1943'], span: 'start=1942; end=1943-03;' },
  { words: '1942 March 4', time: ['1940s', '1942'], date: '1942-03-04' },
  { words: '1942-21', time: ['1940s', '1942'], date: '1942' },
  { words: '1942 and 1945', time: ['1940s', '1942', '1945'], date: ['1942', '1945'] },
  { words: 'before 1942', time: ['1940s'], span: 'end=1942;' },
  { words: '1942-', time: ['1940s', '1942'], span: 'start=1942;' },
  { words: 'late 1930s', time: ['1930s', '1935', '1936', '1937', '1938', '1939'], span: 'start=1935; end=1939;' },
  { words: '昭和17年3月', time: ['1940s', '1942'], date: '1942-03' },
  { words: 'junio de 1947', time: ['1940s', '1947'], date: '1947-06' },
  { words: '2010 (digital); 1942 (original)', time: ['1940s', '1942'], date: '1942' },
  { words: 'turn of the century', time: ['undated'] },
  { words: 'n.d.', time: ['undated'] },
];
const CHRONOLOGY = { creation: 'undated', chronology: [{ term: 'War', startdate: '1941', enddate: '1943' }] };

const shared = createSharedDirectory();
afterAll(shared.remove);
let dist: string;
let report: BuildReport;
let snapshot: string;
let timePages: string[];
const page = (path: string) => readFileSync(join(dist, path), 'utf8');
const idOf = (n: number) => `demo-org-1-${n + 1}`;

beforeAll(async () => {
  const upstream = await startTestUpstream({ shared: true });
  addRecords(upstream, DATES.length + 1, (id) => {
    const date = DATES[Number(id.split('-').at(-1)) - 1];
    return date ? { creation: date.words } : CHRONOLOGY;
  });
  const directory = shared.path;
  snapshot = join(directory, 'snapshot');
  dist = join(directory, 'dist');
  await runMicroficheJson(['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1']);
  await upstream.close();
  report = await runMicroficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  const names = readdirSync(join(dist, 'browse/time')).filter((name) => name !== 'index.html');
  timePages = names.map((name) => `browse/time/${name}`).sort();
});

it('builds every page', () => {
  expect(report.pageProblems).toEqual([]);
});

it.each(DATES.map((date, n) => ({ ...date, id: idOf(n) })))(
  'reads “$words” once, for all uses',
  ({ id, words, time, date, span }) => {
    const html = page(`objects/${id}.html`);
    expect(html).toContain(words);
    const listed = timePages.filter((path) => page(path).includes(`objects/${id}.html`));
    expect(listed.map((path) => /([^/]+)\.html$/.exec(path)?.[1])).toEqual([...time].sort());
    const jsonLd = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as Record<
      string,
      unknown
    >;
    const created = /<meta name="DCTERMS.created" content="(.*?) ?scheme=W3C-DTF;" scheme="DCTERMS.Period">/.exec(html)?.[1];
    expect([jsonLd['dateCreated'], jsonLd['temporalCoverage'], created]).toEqual([date, undefined, span]);
  },
);

it('uses the chronology of an undated record, but not as its date', () => {
  const id = idOf(DATES.length);
  expect(page(`objects/${id}.html`)).toContain('"temporalCoverage":"1941/1943"');
  expect(page(`objects/${id}.html`)).not.toContain('dateCreated');
  for (const slug of ['1940s', '1941', '1942', '1943']) expect(page(`browse/time/${slug}.html`)).toContain(`objects/${id}.html`);
});

it('names the period of an undated record after its date, and links the period to the years in which the record is listed', () => {
  const html = page(`objects/${idOf(DATES.length)}.html`);
  expect(html).toContain('<dd><bdi>Undated</bdi> <span class="fine">(period: War, 1941–1943)</span></dd>');
  expect(html).toContain('<dd><a href="../browse/time/1940s.html">War (1941–1943)</a></dd>');
  // Without a period, it is listed as undated.
  expect(page(`objects/${idOf(13)}.html`)).toContain('<a href="../browse/time/undated.html">Undated</a>');
});

it('shows no date that is not stated', () => {
  for (const year of ['1930', '1931', '2010', '1946']) expect(existsSync(join(dist, `browse/time/${year}.html`))).toBe(false);
});

it('cites the words of the archive, unless a style can write the date', () => {
  const citations = (n: number) => /<div class="citations".*?<\/dl>/s.exec(page(`objects/${idOf(n)}.html`))?.[0] ?? '';
  expect(citations(0)).toContain('Winter 1943-1944');
  expect(citations(6)).toContain('before 1942');
  expect(citations(3)).toContain('March 4, 1942');
});

it('reports the dates that no rule can read, with their number', async () => {
  expect(report.unreadDates).toEqual([{ text: 'turn of the century', records: [idOf(12)] }]);
  const { stdout } = await runMicrofiche(['build', '--snapshot', snapshot, '--out', dist, '--no-search']);
  expect(stdout).toMatch(/Dates that could not be read \(1\); .*\n +1 × turn of the century\n +demo-org-1-13/);
});
