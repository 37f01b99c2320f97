/**
 * The whole way, from harvest to verify, over a service that behaves as the real one: three harvests, media and a site; then some
 * records are taken out, and two more harvests and the next site follow.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultMediaOptions, mediaLines } from '../../scripts/commands/media.ts';
import { runVerify } from '../../scripts/commands/verify.ts';
import { buildSite } from '../../src/build/build.ts';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import { readWithholding } from '../../src/catalogue/read/withholding.ts';
import { type HarvestReport, harvestExitCode, harvestLines } from '../../src/harvest/report.ts';
import { downloadMedia } from '../../src/media/download-media.ts';
import type { MediaReport } from '../../src/media/media-report.ts';
import { EXIT_CODES } from '../../src/model/exit-codes.ts';
import { toPlainText } from '../../src/model/text/text.ts';
import { createSharedDirectory, readFiles } from '../support/commands.ts';
import { createSnapshotPath, harvestInProcess, readStoredBody } from '../support/harvest-in-process.ts';
import { FILES } from '../support/real-service/archive.ts';
import { LINKED_ONLY, UNSERVED_ARTICLES } from '../support/real-service/guide.ts';
import { INTERNAL_HOST } from '../support/real-service/records.ts';
import { type RealService, startRealService } from '../support/real-service.ts';
import { respondWith } from '../support/test-upstream.ts';

/** A photograph, a segment, and the child of an item. */
const REMOVED = ['kelp-cove-1-9', 'kelp-cove-2-1-4', 'kelp-isle-1-5-2'];
/** Its record fails from the fourth run on, while its lists respond and its collection lists it. */
const FAILING = 'kelp-cove-1-10';
const GUIDE_PAGE = /^guide\/lantern-cove[^/]*\.html$/;
const PHOTOGRAPH = 'objects/kelp-cove-1-1.html';

interface Run {
  report: HarvestReport;
  requests: string[];
  lines: string;
}
interface BuiltSite {
  report: BuildReport;
  files: Map<string, Buffer>;
  isVerified: boolean;
}

const directory = createSharedDirectory();
const at = (name: string) => join(directory.path, name);
vi.stubEnv('MICROFICHE_CACHE', at('cache'));
let service: RealService;
const runs: Run[] = [];
let media: MediaReport;
let mediaRequests: string[];
let before: BuiltSite;
let after: BuiltSite;

const harvestKelp = (upstream: RealService, snapshot: string, signal?: AbortSignal) =>
  harvestInProcess(upstream, snapshot, {
    ...{ seeds: ['kelp'], discover: true, limits: { maxAttempts: 2 } },
    ...(signal ? { signal } : {}),
  });

async function harvestAgain(): Promise<void> {
  service.requests.length = 0;
  const report = await harvestKelp(service, at('snapshot'));
  runs.push({ report, requests: [...service.requests], lines: harvestLines(report).join('\n') });
}

async function build(): Promise<BuiltSite> {
  const report = await buildSite({
    ...{ snapshot: at('snapshot'), out: at('dist'), site: undefined, clean: false, languages: ['en'], archiveLanguage: 'en' },
    ...{ compact: false, imageFormat: 'webp', stripMetadata: 'location', search: false },
    ...{ withholding: readWithholding([]), collections: undefined, featured: [], kiosk: undefined, compress: [] },
  });
  const targets = { snapshot: at('snapshot'), dir: at('dist'), repair: undefined, quiet: true, signers: undefined };
  return { report, files: readFiles(at('dist')), isVerified: (await runVerify(targets)).result.ok };
}

beforeAll(async () => {
  service = await startRealService({ shared: true });
  for (let run = 1; run <= 3; run++) await harvestAgain();
  service.requests.length = 0;
  media = await downloadMedia(defaultMediaOptions(at('snapshot')));
  mediaRequests = [...service.requests];
  before = await build();
  for (const id of REMOVED) service.archive.records.delete(id);
  service.routes.set(`/api/0.2/${FAILING}/`, respondWith(500, { 'content-type': 'text/html' }, '<h1>Server Error (500)</h1>'));
  for (let run = 4; run <= 5; run++) await harvestAgain();
  after = await build();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.close();
  directory.remove();
});

const isStored = (id: string) => readStoredBody(at('snapshot'), id) !== undefined;
const runNumber = (n: number) => runs[n - 1] as Run;
const allRequests = () => runs.flatMap(({ requests }) => requests);
/** Returns what a reader of a page sees, as HTML: without its head, frame and “Full record”. */
function contentOf({ files }: BuiltSite, path: string): string {
  const html = String(files.get(path));
  return html.slice(html.indexOf('<main'), html.indexOf('</main>')).replace(/<details class="full-record">.*/s, '');
}
const wordsOf = (html: string) => toPlainText(html).replace(/\s+/g, ' ');
const pathsOf = (pattern: RegExp) => [...before.files.keys()].filter((path) => pattern.test(path));
const guidePage = () => contentOf(before, pathsOf(GUIDE_PAGE)[0] ?? '');
/** Returns the paths of the pages in a folder whose main heading has these words. */
const pagesAbout = (folder: string, words: string) =>
  pathsOf(new RegExp(`^${folder}/[^/]+\\.html$`)).filter((path) =>
    wordsOf(/<h1.*?<\/h1>/s.exec(String(before.files.get(path)))?.[0] ?? '').includes(words),
  );
const fieldOf = (html: string, name: string) =>
  wordsOf(new RegExp(`<div data-field="${name}">.*?</div>`, 's').exec(html)?.[0] ?? '');

it.each([
  ['kelp-cove-9/', 500],
  ['kelp-cove-9/children/', 500],
  ['kelp-cove-9/files/', 404],
  ['Kelp%20cove/files/', 500],
  ['kelp-cove-1-1-mezzanine/', 500],
  [`${FILES.master}/children/`, 500],
  ['narrator/99/', 500],
  ['facet/nothing/children/', 500],
  ['facet/topics/99/objects/', 500],
])('the test service responds to a request for %s with %i', async (path, status) => {
  expect((await fetch(`${service.url}/api/0.2/${path}`)).status).toBe(status);
});

describe('a harvest', () => {
  it('finds every record below the repository, and every part of the guide', () => {
    const others = /^kelp-(?:pier|quay|rock)/;
    expect([...service.archive.records.keys(), ...REMOVED].filter((id) => !others.test(id) && !isStored(id))).toEqual([]);
    expect(runNumber(1).report.counts).toMatchObject({ author: 2, article: 3, source: 8, repository: 1, organization: 2 });
  });

  it('follows the links in every text of a guide page', () => {
    expect(isStored(LINKED_ONLY.fromOtherText)).toBe(true);
  });

  it('reads record addresses of the old form in sources', () => {
    expect(isStored(LINKED_ONLY.fromOldAddress)).toBe(true);
  });

  it('follows a link to a collection, and finds its items', () => {
    expect([LINKED_ONLY.fromCollectionLink, `${LINKED_ONLY.fromCollectionLink}-1`].map(isStored)).toEqual([true, true]);
  });

  it('requests nothing as a record whose ID does not begin with that of the repository', () => {
    expect(allRequests().filter((url) => /^\/api\/0\.2\/(?!$|narrator|facet|sitemap|kelp(?:-|\/))/.test(url))).toEqual([]);
  });

  it('requests neither file roles nor the children of files', () => {
    expect(allRequests().filter((url) => /-(?:master|mezzanine|transcript)(?:\/|-\w+\/children\/)/.test(url))).toEqual([]);
  });

  it('reads all terms of a facet, though its envelope names no next page', () => {
    const topics = runNumber(1).requests.flatMap((url) => /\/facet\/topics\/(\d+)\/objects\//.exec(url)?.[1] ?? []);
    expect([...new Set(topics)].map(Number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('reports no list as incomplete because of a wrong total', () => {
    expect(runNumber(1).report.incompleteLists).toEqual([]);
  });

  it('makes at most one request for each dead resource in the third run', () => {
    const { requests } = runNumber(3);
    expect(requests.filter((url, n) => requests.indexOf(url) !== n)).toEqual([]);
  });

  it('reports the guide pages that are not in the guide in one line', () => {
    const { lines } = runNumber(3);
    expect(lines).toContain(`${UNSERVED_ARTICLES.length} articles that authors name are not in the guide`);
    expect(UNSERVED_ARTICLES.filter((title) => lines.includes(title))).toEqual([]);
  });

  it('marks as removed, after two runs, what fails with 500, has no list of files and is not listed any more', () => {
    expect(runNumber(4).report.removed).toEqual([]);
    expect([...runNumber(5).report.removed].sort()).toEqual(REMOVED.map((id) => `object:${id}`));
  });

  it('keeps a record that only fails', () => {
    expect(runNumber(5).report.removed).not.toContain(`object:${FAILING}`);
    expect(isStored(FAILING)).toBe(true);
  });

  it('reports since when a record fails', () => {
    expect(runNumber(5).lines).toMatch(new RegExp(`${FAILING}.*since|since.*${FAILING}`, 's'));
  });

  it('stops when the requests of a day are used up, says when to continue, and continues there', async () => {
    const limited = await startRealService({ requestsPerDay: 40 });
    const snapshot = createSnapshotPath();
    const first = await harvestKelp(limited, snapshot, AbortSignal.timeout(100_000));
    expect(first).toMatchObject({ complete: false, stopped: expect.stringMatching(/\d:\d\d/) });
    expect([limited.requests.length < 60, first.duration < 100]).toEqual([true, true]);
    limited.quota.used = 0;
    limited.quota.perDay = 10_000;
    expect((await harvestKelp(limited, snapshot)).complete).toBe(true);
  });

  it('exits with the code for an incomplete harvest if a record is malformed for a while, and gets it in the next run', async () => {
    const unstable = await startRealService();
    const snapshot = createSnapshotPath();
    const path = '/api/0.2/kelp-cove-1-2/';
    unstable.routes.set(path, respondWith(200, { 'content-type': 'application/json' }, '{"id": "kelp-cove-1-2", "title'));
    const harvestCollection = () => harvestInProcess(unstable, snapshot, { seeds: ['kelp-cove-1'], limits: { maxAttempts: 2 } });
    expect(harvestExitCode(await harvestCollection())).toBe(EXIT_CODES.incomplete);
    unstable.routes.delete(path);
    await harvestCollection();
    expect(readStoredBody(snapshot, 'kelp-cove-1-2')).toContain('Harbor view 2');
  });
});

describe('a download of media', () => {
  it('takes no directory for a file', () => {
    expect(mediaRequests.filter((url) => url.endsWith('/'))).toEqual([]);
    expect([media.failures, media.quarantined]).toEqual([[], []]);
  });

  it('reports the internal host in one line, without advice that cannot help', () => {
    const lines = mediaLines(media).filter((line) => line.includes(INTERNAL_HOST));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('--allow-host');
  });
});

describe('a site', () => {
  it('has no problems, and verify accepts it with its snapshot, before and after records were removed', () => {
    for (const { report, isVerified } of [before, after])
      expect([report.problems, report.pageProblems, isVerified]).toEqual([[], [], true]);
  });

  it('has no page of a removed record, or one that says that it was removed', () => {
    const pages = REMOVED.map((id) => after.files.get(`objects/${id}.html`)).filter((page) => page !== undefined);
    for (const page of pages) expect(String(page)).toMatch(/removed from the live archive/);
    expect(before.files.has(`objects/${REMOVED[0]}.html`)).toBe(true);
    expect(String(after.files.get(`objects/${FAILING}.html`))).not.toContain('removed from the live archive');
  });

  it('summarizes on the about page what the guide does not have', () => {
    const about = wordsOf(contentOf(before, 'about.html'));
    expect(about).toContain(`${UNSERVED_ARTICLES.length} articles`);
    expect(UNSERVED_ARTICLES.filter((title) => about.includes(title))).toEqual([]);
  });

  it('keeps technical fields out of what readers see, and has labels for them', () => {
    const pages = pathsOf(/^objects\/[^/]+\.html$/);
    expect(pages).toContain(`objects/${FILES.plainText}.html`);
    expect(pages.filter((path) => /links_(?:children|thumb|download)/.test(contentOf(before, path)))).toEqual([]);
    expect(pages.filter((path) => String(before.files.get(path)).includes('<dt>links_'))).toEqual([]);
  });

  it('shows no words that say that a value is missing', () => {
    const pages = pathsOf(/\.html$/);
    const empty = /DESCRIPTION TEXT HERE|Extent Unknown|<dd>Unknown<\/dd>/;
    expect(pages.filter((path) => empty.test(contentOf(before, path)))).toEqual([]);
  });

  it('gives a period as years', () => {
    const chronology = fieldOf(contentOf(before, PHOTOGRAPH), 'chronology');
    expect(chronology).toMatch(/1930\s?[–-]\s?1939/);
    expect(chronology).not.toContain('January');
  });

  it.each([
    ['digitized after 1995', 'kelp-cove-1-1', 'February 19, 2021'],
    ['with a day over 12', 'kelp-isle-1-2', 'October 30, 1934'],
    ['in the order of the other dates', 'kelp-isle-1-3', 'March 4, 1934'],
  ])('reads a date of several meanings: %s', (_, id, date) => {
    const page = String(before.files.get(`objects/${id}.html`));
    expect(wordsOf(page.slice(page.indexOf('<main')))).toContain(date);
  });

  it('reports no date as unread', () => {
    expect(before.report.unreadDates).toEqual([]);
  });

  it('distinguishes where something was made from what it is about', () => {
    const labels = [...contentOf(before, PHOTOGRAPH).matchAll(/<div data-field="(?:location|geography)">\s*<dt>(.*?)<\/dt>/gs)];
    expect(labels).toHaveLength(2);
    expect(labels[0]?.[1]).not.toBe(labels[1]?.[1]);
  });

  it('has one page for a place, in all forms of its ID', () => {
    expect(pagesAbout('browse/place', 'Lantern Cove')).toHaveLength(1);
  });
});

describe('people', () => {
  it('are several if a text lists them', () => {
    const pages = ['Heron', 'Tern'].map((name) => pagesAbout('people', name).length);
    expect(pages).toEqual([2, 1]);
  });

  it('are two if a text joins two names', () => {
    expect([pagesAbout('people', 'Otto Plover').length, pagesAbout('people', 'Auk and').length]).toEqual([1, 0]);
  });

  it('are not roles', () => {
    expect(['photographer', 'Photographer'].flatMap((role) => pagesAbout('people', role))).toEqual([]);
  });

  it('have the biography, dates and portrait that the archive gives narrators', () => {
    const [path = ''] = pagesAbout('people', 'Ada Rook');
    const page = contentOf(before, path);
    expect(wordsOf(page)).toContain('Kept the lamp for thirty years.');
    expect(wordsOf(page)).toMatch(/1915.*2009/);
    expect(mediaRequests).toContain('/media/narrators/arook.jpg');
  });

  it('include narrators whose interviews are not in the copy', () => {
    expect(wordsOf(contentOf(before, 'people/index.html'))).toMatch(/Petrel, Nora|Nora Petrel/);
  });
});

describe('a guide page', () => {
  it.each(['Read the almanac', 'Almanac of 1911, 61.', 'The best page on lamps.', 'the watch', 'Borrow the almanac.'])(
    'has “%s”',
    (words) => {
      expect(wordsOf(guidePage())).toContain(words);
    },
  );

  it('has a paragraph once that is its description, too', () => {
    expect(wordsOf(guidePage()).split('near Salt Bay.')).toHaveLength(2);
  });

  it('has no spaces before punctuation, though its HTML has line breaks there', () => {
    expect(wordsOf(guidePage())).not.toMatch(/ [,.;](?: |$)/);
  });

  it('links notes both ways', () => {
    const ids = new Set([...guidePage().matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...guidePage().matchAll(/ href="[^"#]*#([^"]*(?:note|ref)[^"]*)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThanOrEqual(2);
    expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('never shows hidden markup', () => {
    expect(wordsOf(guidePage())).not.toMatch(/Quill-Hidden|Editors only|DraftUID|PlaceUID:/);
  });

  it('shows databoxes and facts of the guide under labels', () => {
    const facts = new Map(
      [
        ...guidePage()
          .replace(/<div class="citations".*?<\/dl>/s, '')
          .matchAll(/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs),
      ].map(([, label = '', value = '']) => [wordsOf(value), wordsOf(label)]),
    );
    for (const value of ['Lighthouse', 'May 3, 1911', '17', 'Grades 7-8']) expect([...facts.keys()]).toContain(value);
    expect([...facts.values()].filter((label) => /^rg_|[a-z][A-Z]|_/.test(label))).toEqual([]);
  });

  it('shows its place on a map', () => {
    expect(guidePage()).toMatch(/class="[^"]*map/);
  });

  it('shows its sources with image, collection and institution', () => {
    const figures = [...guidePage().matchAll(/<(figure|li)\b.*?<\/\1>/gs)].map(([html]) => html);
    expect(figures.filter((html) => html.includes('<img') && wordsOf(html).includes('Caption 4 of the cove'))).toHaveLength(1);
    expect(wordsOf(guidePage())).toMatch(/Cove Museum of Lamps/);
    expect(wordsOf(guidePage())).toMatch(/The Chandler Collection/);
    expect(mediaRequests).toContain('/media/guide/en-kelppd-i37-00239-1.jpg');
  });

  it('has the image of a source on its card, if no record that it mentions has one', () => {
    const [card] = contentOf(before, 'guide/index.html').match(/<li[^>]*class="[^"]*card.*?<\/li>/gs) ?? [];
    expect(card).toMatch(/<img src="[^"]*thumbs\/en-en-kelp/);
  });

  it('is cited with its author and the date of its last change', () => {
    const [citations = ''] = /<div class="citations".*?<\/dl>/s.exec(guidePage()) ?? [];
    expect(citations).toMatch(/Quill, M(?:ara|\.)/);
    expect(citations).toContain('2019');
    expect(citations).not.toContain('n.d.');
  });

  it('links to pages of the guide’s own site within the copy', () => {
    const [bells] = pathsOf(/^guide\/signals-bells[^/]*\.html$/);
    const [watch] = pathsOf(/^guide\/the-long-watch[^/]*\.html$/);
    for (const path of [bells, watch]) expect(guidePage()).toContain(`href="../${path}"`);
  });

  it('has facts that are only a field', () => {
    expect(wordsOf(contentOf(before, pathsOf(/^guide\/the-long-watch[^/]*\.html$/)[0] ?? ''))).toContain('Gull Press');
  });
});
