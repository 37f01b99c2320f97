/** `media` fetches what the records name, from nowhere else, and puts nothing into the snapshot that is not what it should be. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { BuildReport } from '../../src/build/build.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import type { MediaReport } from '../../src/media/fetch.ts';
import { microficheJson, SAMPLE, temporary } from '../support.ts';
import { type Handler, startUpstream, type Upstream } from '../upstream.ts';

const media = (snapshot: string, ...more: string[]) => microficheJson<MediaReport>(['media', '--snapshot', snapshot, ...more]);
const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#a52' } })
    .jpeg()
    .toBuffer();
const send =
  (body: Buffer | string, type = 'image/jpeg'): Handler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);

/** A snapshot with one entity for each set of links. */
async function harvested(up: Upstream, links: Array<Record<string, string>>): Promise<string> {
  const ids = links.map((own, n) => {
    const id = `demo-org-1-${n + 1}`;
    up.answers.set(`/api/0.2/${id}/`, { id, model: 'entity', title: `No. ${n + 1}`, links: own });
    return id;
  });
  return harvestedFrom(up, ids);
}

/** A snapshot of some records and what they lead to. */
async function harvestedFrom(up: Upstream, ids: string[]): Promise<string> {
  const snapshot = join(temporary(), 'snapshot');
  const addresses = ['--authors-url', up.url, '--catalog-url', up.url];
  await microficheJson<HarvestReport>(['harvest', ...addresses, '--snapshot', snapshot, '--root', ids.join(',')]);
  return snapshot;
}

it('keeps a picture under a name made from its record’s id, once, and not again', async () => {
  const up = await startUpstream();
  up.answers.set('/media/../../evil name.php', send(await picture()));
  up.answers.set('/evil%20name.php', send(await picture()));
  const snapshot = await harvested(up, [
    { img: `${up.url}/media/../evil%20name.php` },
    { img: `${up.url}/media/../evil%20name.php` },
  ]);
  expect(await media(snapshot)).toMatchObject({ wanted: 1, fetched: 1, kept: 0, failures: [] });
  expect(existsSync(join(snapshot, 'media/demo-org-1/demo-org-1-1.image.jpg'))).toBe(true);
  const asked = up.asked.length;
  expect(await media(snapshot)).toMatchObject({ fetched: 0, kept: 1 });
  expect(up.asked.length).toBe(asked);
});

it('takes no login page, no text and no broken file for a picture', async () => {
  const up = await startUpstream();
  up.answers.set('/login.jpg', send('<!doctype html><title>Log in</title>'));
  up.answers.set('/words.jpg', send('just words'));
  up.answers.set('/cut.jpg', send((await picture(400, 300)).subarray(0, 300)));
  const snapshot = await harvested(up, [
    { img: `${up.url}/login.jpg` },
    { img: `${up.url}/words.jpg` },
    { img: `${up.url}/cut.jpg` },
    { img: `${up.url}/missing.jpg` },
  ]);
  const { failures } = await media(snapshot);
  expect(failures.map(({ owner, cause }) => [owner, cause]).sort()).toEqual([
    ['demo-org-1-1', 'the answer is a web page, not a picture'],
    ['demo-org-1-2', 'the answer is text/plain, not a picture'],
    ['demo-org-1-4', 'HTTP 404'],
  ]);
  const out = join(temporary(), 'dist');
  const built = await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out]);
  expect(built.problems.map(({ owner }) => owner)).toEqual(['demo-org-1-3']);
  expect(readFileSync(join(out, 'browse/index.html'), 'utf8')).toContain('Browse');
});

it('asks no host that was not named, and says how many it left', async () => {
  const up = await startUpstream();
  const other = await startUpstream();
  other.answers.set('/a.jpg', send(await picture()));
  const snapshot = await harvested(up, [
    { img: `${other.url}/a.jpg` },
    { thumb: 'file:///etc/passwd' },
    { img: 'not an address' },
  ]);
  const { host } = new URL(other.url);
  expect(await media(snapshot)).toMatchObject({ fetched: 0, failures: [], elsewhere: [{ host, count: 1 }] });
  expect(other.asked).toEqual([]);
  expect(await media(snapshot, '--allow-host', host)).toMatchObject({ fetched: 1, elsewhere: [] });
});

it('stops at the budget, and goes on with the next one', async () => {
  const up = await startUpstream();
  for (const n of [1, 2, 3, 4]) up.answers.set(`/${n}.jpg`, send(await picture()));
  const snapshot = await harvested(
    up,
    [1, 2, 3, 4].map((n) => ({ img: `${up.url}/${n}.jpg` })),
  );
  const { length } = await picture();
  const budget = String(Math.round(length * 1.5));
  const first = await media(snapshot, '--budget', budget, '--concurrency', '1');
  expect([first.fetched, first.overBudget]).toEqual([1, 3]);
  expect(await media(snapshot)).toMatchObject({ fetched: 3, kept: 1, overBudget: 0 });
});

it('keeps recordings and texts by kind, shows a transcript’s words, and hands out nothing that a browser would run', async () => {
  const up = await startUpstream();
  const mp4 = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mp4'));
  const mpg = readFileSync(join(SAMPLE, 'media/lica-ferry-1/lica-ferry-1-1-1.mpg'));
  up.answers.set('/v.mp4', send(mp4, 'video/mp4'));
  up.answers.set('/v.mpg', send(mpg, 'video/mpeg'));
  up.answers.set('/s.mp3', send('<html>Log in</html>', 'audio/mpeg'));
  const id = 'demo-org-1-1-1';
  const html = '<html><body onload="steal()"><script>steal()</script><p>The <b>whistle</b> went.</p>';
  const file = `${id}-transcript-${createHash('sha1').update(html).digest('hex').slice(0, 10)}`;
  up.answers.set('/t.html', send(html, 'text/html'));
  const descriptor = (name: string, mimetype: string, source: string) => ({ source, mimetype, url: `${up.url}/${name}` });
  const links = { 'children-files': `${up.url}/api/0.2/${id}/files/` };
  const files = {
    mpg: descriptor('v.mpg', 'video/mpeg', 'original'),
    mp4: descriptor('v.mp4', 'video/mp4', 'derivative'),
    mp3: descriptor('s.mp3', 'audio/mpeg', 'derivative'),
  };
  up.answers.set(`/api/0.2/${id}/`, { id, model: 'segment', title: 'A segment', format: 'vh', links, ia_meta: { id, files } });
  up.answers.set(`/api/0.2/${id}/files/`, {
    total: 1,
    next_offset: null,
    objects: [{ id: file, model: 'file', title: 'Transcript' }],
  });
  up.answers.set(`/api/0.2/${file}/`, {
    id: file,
    model: 'file',
    role: 'transcript',
    title: 'Transcript',
    links: { download: `${up.url}/t.html` },
  });
  const snapshot = await harvestedFrom(up, [id]);

  const first = await media(snapshot);
  expect(first).toMatchObject({ wanted: 3, fetched: 2 });
  expect(first.failures.map(({ owner, cause }) => [owner, cause])).toEqual([[id, 'the answer is a web page, not a recording']]);
  expect(up.asked).not.toContain('/v.mpg');
  expect(await media(snapshot, '--kinds', 'original')).toMatchObject({ wanted: 1, fetched: 1 });
  expect(readFileSync(join(snapshot, `media/demo-org-1/${id}.original.mpg`))).toEqual(mpg);

  const out = join(temporary(), 'dist');
  await microficheJson<BuildReport>(['build', '--snapshot', snapshot, '--out', out]);
  expect(readFileSync(join(out, `media/demo-org-1/${id}.video.mp4`))).toEqual(mp4);
  expect(readdirSync(join(out, 'media/demo-org-1')).filter((name) => name.endsWith('.html'))).toEqual([]);
  const page = readFileSync(join(out, `objects/${id}.html`), 'utf8');
  expect(page).toContain(`<source src="../media/demo-org-1/${id}.video.mp4" type="video/mp4">`);
  expect(page).toContain('<p>The <b>whistle</b> went.</p>');
  expect(page).not.toContain('steal');
  expect(readFileSync(join(out, 'about.html'), 'utf8')).toContain('1 recording or text could not be had.');
});
