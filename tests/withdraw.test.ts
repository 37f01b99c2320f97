/** An archive can withdraw: what is withheld or purged is in no page, list, picture, file, index, pack, feed, stick or answer. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarvestReport } from '../src/harvest/report.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { readBytes } from '../src/snapshot/rows.ts';
import { picture } from './media/files.ts';
import { filesBelow, microfiche, microficheJson, serve, temporaryFolder, upstreamAt } from './support.ts';
import { answer, sends, startUpstream, type Upstream } from './upstream.ts';

/** Words that stand in what is withdrawn, and nowhere else. */
const SECRET = {
  photograph: 'quillwort',
  field: 'marramgrass',
  collection: 'samphire',
  interview: 'thriftflower',
  person: 'Sea Holly',
} as const;
/** The words of links to the purged interview, and a withheld name that markup parts: other records and the guide have them. */
const AROUND = ['tormentil', `Sea <b>Holly`];
const PHOTO = 'demo-org-1-1';
/** Texts and pictures with the SHA-1 that the IDs of their records must have: else a download would be quarantined. */
const SAID = `A ${SECRET.interview} was spoken of here.`;
const TOLD = `${SECRET.person} is named in this text.`;
const ORIGINAL = await picture(90, 70, '#321');
const sha1Start = (bytes: string | Buffer) => createHash('sha1').update(bytes).digest('hex').slice(0, 10);
const FILE = `${PHOTO}-master-${sha1Start(ORIGINAL)}`;
const INTERVIEW = 'demo-org-3-1';
const SPOKEN = `${INTERVIEW}-1-transcript-${sha1Start(SAID)}`;
const NOTES = `demo-org-1-3-transcript-${sha1Start(TOLD)}`;

const crumbs = (...ids: string[]) => ids.map((id) => ({ id, label: id }));

/** Fills an upstream with what is to be withdrawn, and with what stands around it. */
async function archive(up: Upstream): Promise<readonly Buffer[]> {
  const api = (id: string, rest = '') => `${up.url}/api/0.2/${id}/${rest}`;
  const put = (id: string, record: Record<string, unknown>, children: string[] = [], files: string[] = []) => {
    const links = {
      json: api(id),
      'children-objects': api(id, 'children/'),
      'children-files': api(id, 'files/'),
      ...(record['links'] as object),
    };
    up.answers.set(`/api/0.2/${id}/`, { id, ...record, links });
    for (const [list, ids] of [
      ['children', children],
      ['files', files],
    ] as const)
      up.answers.set(`/api/0.2/${id}/${list}/`, (request: never, response: never) =>
        answer(
          { total: ids.length, next_offset: null, objects: ids.map((one) => up.answers.get(`/api/0.2/${one}/`)) },
          request,
          response,
        ),
      );
  };
  const photos = [await picture(80, 60, '#123'), ORIGINAL] as const;
  up.answers.set('/photo.jpg', sends(200, { 'content-type': 'image/jpeg' }, photos[0]));
  up.answers.set('/photo-original.jpg', sends(200, { 'content-type': 'image/jpeg' }, photos[1]));
  up.answers.set('/other.jpg', sends(200, { 'content-type': 'image/jpeg' }, await picture(70, 50, '#456')));
  up.answers.set('/said.txt', sends(200, { 'content-type': 'text/plain' }, SAID));
  up.answers.set('/told.txt', sends(200, { 'content-type': 'text/plain' }, TOLD));
  put('demo-org-1', { model: 'collection', title: 'Photographs', signature_id: FILE, links: { img: `${up.url}/photo.jpg` } }, [
    PHOTO,
    'demo-org-1-2',
    'demo-org-1-3',
  ]);
  put(
    PHOTO,
    {
      model: 'entity',
      title: `A ${SECRET.photograph}`,
      description: `More ${SECRET.photograph}`,
      topics: [{ id: '1', term: `Plants -- ${SECRET.photograph}` }],
      links: { img: `${up.url}/photo.jpg` },
      breadcrumbs: crumbs('demo-org-1', PHOTO),
    },
    [],
    [FILE],
  );
  put(FILE, {
    model: 'file',
    role: 'master',
    title: `${SECRET.photograph}.jpg`,
    links: { img: `${up.url}/photo.jpg`, download: `${up.url}/photo-original.jpg` },
  });
  put('demo-org-1-2', {
    model: 'entity',
    title: 'The slipway',
    description: `About ${SECRET.field}`,
    search_hidden: `hidden ${SECRET.field}`,
    creators: [{ namepart: SECRET.person, role: 'photographer' }],
    persons: [{ namepart: 'Holly, Sea' }],
    contributor: `Lent by ${SECRET.person}`,
    links: { img: `${up.url}/other.jpg` },
    breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2'),
  });
  put(
    'demo-org-1-3',
    {
      model: 'entity',
      title: 'The pier',
      description: `See <a href="${up.url}/${PHOTO}/">the ${SECRET.photograph}</a>.`,
      breadcrumbs: crumbs('demo-org-1', 'demo-org-1-3'),
    },
    [],
    [NOTES],
  );
  put(NOTES, {
    model: 'file',
    role: 'transcript',
    title: 'Notes',
    links: { download: `${up.url}/told.txt` },
  });
  put('demo-org-2', { model: 'collection', title: `The ${SECRET.collection} papers` }, ['demo-org-2-1']);
  put('demo-org-2-1', {
    model: 'entity',
    title: `A letter on ${SECRET.collection}`,
    breadcrumbs: crumbs('demo-org-2', 'demo-org-2-1'),
  });
  put('demo-org-3', { model: 'collection', title: 'Interviews' }, [INTERVIEW, 'demo-org-3-2']);
  put('demo-org-3-2', {
    model: 'entity',
    title: 'Another interview',
    description: `Sea <b>Holly</b> also heard <a href="${up.url}/${INTERVIEW}/">the tormentil recording</a>.`,
    breadcrumbs: crumbs('demo-org-3', 'demo-org-3-2'),
  });
  put(
    INTERVIEW,
    { model: 'entity', title: `${SECRET.interview}, an interview`, format: 'vh', breadcrumbs: crumbs('demo-org-3', INTERVIEW) },
    [`${INTERVIEW}-1`],
  );
  put(
    `${INTERVIEW}-1`,
    {
      model: 'segment',
      title: `On ${SECRET.interview}`,
      format: 'vh',
      breadcrumbs: crumbs('demo-org-3', INTERVIEW, `${INTERVIEW}-1`),
    },
    [],
    [SPOKEN],
  );
  put(SPOKEN, {
    model: 'file',
    role: 'transcript',
    title: `Transcript of ${SECRET.interview}`,
    links: { download: `${up.url}/said.txt` },
  });
  const author = (id: string, more = {}) => ({
    id,
    title: id,
    articles: [{ title: 'Harbours', json: `${up.url}/api/3.0/articles/Harbours/` }],
    links: { json: `${up.url}/api/3.0/authors/${encodeURIComponent(id)}/` },
    ...more,
  });
  up.answers.set('/api/3.0/authors/', { total: 2, next_offset: null, objects: [author('Jane Doe'), author(SECRET.person)] });
  up.answers.set('/api/3.0/authors/Jane%20Doe/', author('Jane Doe'));
  up.answers.set(
    `/api/3.0/authors/${encodeURIComponent(SECRET.person)}/`,
    author(SECRET.person, { body: `<p>${SECRET.person} wrote.</p>` }),
  );
  up.answers.set('/api/3.0/articles/Harbours/', {
    title: 'Harbours',
    body: `<p>By ${SECRET.person}: <a href="${up.url}/${PHOTO}/">The ${SECRET.photograph}</a> and <a href="${up.url}/demo-org-1-3/">the pier</a>, <a href="${up.url}/${INTERVIEW}/">the tormentil recording</a>.</p>`,
    authors: [{ title: 'Jane Doe', json: `${up.url}/api/3.0/authors/Jane%20Doe/` }],
    sources: [{ id: 's-photo' }, { id: 's-interview' }],
  });
  up.answers.set('/api/3.0/sources/s-photo/', { id: 's-photo', caption: `Caption of ${SECRET.photograph}`, object: PHOTO });
  up.answers.set('/api/3.0/sources/s-interview/', {
    id: 's-interview',
    caption: `Caption of ${SECRET.interview}`,
    object: `${INTERVIEW}-1`,
  });
  return photos;
}

const CONFIG = {
  withhold: [
    { id: PHOTO, reason: 'The family asked for it.', date: '2026-10-01' },
    { id: 'demo-org-1-2', fields: 'description', reason: 'It names a neighbor.', date: '2026-10-02' },
    { collection: 'demo-org-2', reason: 'Lent for a year.', date: '2026-10-03', page: 'none' },
    { person: SECRET.person, reason: 'By request.', date: '2026-10-04' },
    { id: 'demo-org-1-99', reason: 'Mistyped.', date: '2026-10-05' },
  ],
};

/** Everything that can be read in some bytes: themselves, and what is packed in them. */
function readings(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const unpacked = [
    ...(bytes[0] === 0x1f && bytes[1] === 0x8b ? [bytes] : []),
    ...(text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []).map((one) => Buffer.from(one, 'base64')),
  ];
  return [
    text,
    bytes.toString(),
    ...unpacked.flatMap((one) => (one[0] === 0x1f && one[1] === 0x8b ? readings(gunzipSync(one)) : [])),
  ];
}

/** Which of the secret words can be read in some files, by their paths. */
function leaks(files: Iterable<[path: string, bytes: Buffer]>, words: readonly string[] = Object.values(SECRET)): string[] {
  return [...files].flatMap(([path, bytes]) =>
    readings(Buffer.concat([Buffer.from(`${path}\n`), bytes]))
      .concat(readings(bytes))
      .flatMap((text) =>
        words.filter((word) => text.toLowerCase().includes(word.toLowerCase())).map((word) => `${word} in ${path}`),
      ),
  );
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('an archive that withdraws', () => {
  const folder = temporaryFolder();
  const snapshot = join(folder.path, 'snapshot');
  const dist = join(folder.path, 'dist');
  let up: Upstream;
  let harvest: string[];
  let photos: readonly Buffer[];
  const inFolder = { cwd: folder.path };
  const build = (...more: string[]) =>
    microficheJson<BuildReport>(
      ['build', '--snapshot', snapshot, '--out', dist, '--site', 'https://mirror.example/', ...more],
      inFolder,
    );

  beforeAll(async () => {
    up = await startUpstream({ shared: true });
    photos = await archive(up);
    harvest = ['harvest', ...upstreamAt(up.url), '--snapshot', snapshot, '--root', 'demo-org-1,demo-org-2,demo-org-3'];
    await microficheJson<HarvestReport>(harvest, inFolder);
    await microficheJson(['media', '--snapshot', snapshot, '--kinds', 'thumb,image,audio,video,transcript,original'], inFolder);
    // Before, all of it is there: else the test would prove nothing.
    await build();
    const words = [...Object.values(SECRET), ...AROUND];
    const before = leaks(filesBelow(dist), words);
    expect(words.filter((word) => !before.some((leak) => leak.startsWith(word)))).toEqual([]);
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(CONFIG));
    await microficheJson(['purge', INTERVIEW, '--snapshot', snapshot, '--yes', '--reason', 'By the narrator’s wish'], inFolder);
  });
  afterAll(async () => {
    await up.close();
    folder.remove();
  });

  it('D46: leaves no word of it in any byte of the site, packed or not, and names it in no path', async () => {
    const { notes } = await build();
    expect(notes.filter((note) => note.includes('demo-org-1-99'))).toHaveLength(1);
    expect(leaks(filesBelow(dist), [...Object.values(SECRET), ...AROUND])).toEqual([]);
    expect([...filesBelow(dist).keys()].filter((path) => path.includes('sea-holly') || path.includes('demo-org-2'))).toEqual([]);
    expect((await microfiche(['verify', '--dir', dist], inFolder)).code).toBe(0);
  });

  it('makes the same site after a change of the list as a clean build', async () => {
    const clean = join(folder.path, 'dist-clean');
    await microficheJson(
      ['build', '--snapshot', snapshot, '--out', clean, '--site', 'https://mirror.example/', '--clean'],
      inFolder,
    );
    const [again, anew] = [filesBelow(dist), filesBelow(clean)];
    expect([...again.keys()]).toEqual([...anew.keys()]);
    expect([...again].filter(([path, bytes]) => !anew.get(path)?.equals(bytes)).map(([path]) => path)).toEqual([]);
  });

  it('D46: leaves neither picture nor original of it in the site', () => {
    const withdrawn = photos.map(sha256);
    const files = [...filesBelow(dist)];
    expect(files.filter(([, bytes]) => withdrawn.includes(sha256(bytes))).map(([path]) => path)).toEqual([]);
    expect(
      files.filter(([path]) => /^(?:thumbs|media)\/.*(?:demo-org-1-1|demo-org-1\.)/.test(path)).map(([path]) => path),
    ).toEqual([]);
    expect(files.some(([path]) => path.startsWith('thumbs/demo-org-1/demo-org-1-2'))).toBe(true);
  });

  it('D46: answers with the reason where the entry says so, and with nothing where it says that', () => {
    const page = readFileSync(join(dist, `objects/${PHOTO}.html`), 'utf8');
    expect(page).toContain('The family asked for it.');
    expect(page).toContain('1 October 2026');
    const paths = [...filesBelow(dist).keys()];
    expect(paths.filter((path) => path.startsWith('objects/')).sort()).toEqual([
      `objects/${FILE}.html`,
      'objects/demo-org-1-1.html',
      'objects/demo-org-1-2.html',
      `objects/${NOTES}.html`,
      'objects/demo-org-1-3.html',
      'objects/demo-org-1.html',
      'objects/demo-org-1/contents.html',
      'objects/demo-org-3-2.html',
      'objects/demo-org-3.html',
      'objects/demo-org-3/contents.html',
    ]);
    expect(readFileSync(join(dist, 'objects/demo-org-1-2.html'), 'utf8')).toContain('Lent by [withheld]');
  });

  it('D46: leaves none of it in a compact site, in three languages', async () => {
    const compact = join(folder.path, 'dist-compact');
    await microficheJson(['build', '--snapshot', snapshot, '--out', compact, '--compact', '--languages', 'en,es,ja'], inFolder);
    expect(leaks(filesBelow(compact))).toEqual([]);
  });

  it('D46: serve answers with none of it, with a site and without', async () => {
    for (const dir of [['--dir', dist], []]) {
      const server = await serve(['--snapshot', snapshot, ...dir], folder.path);
      try {
        const names = [
          'demo-org-1',
          PHOTO,
          FILE,
          'demo-org-1-2',
          'demo-org-1-3',
          'demo-org-2',
          'demo-org-2-1',
          'demo-org-3',
          INTERVIEW,
          SPOKEN,
        ];
        const paths = [
          ...names.flatMap((id) => ['', 'children/', 'files/'].map((list) => `/api/0.2/${id}/${list}`)),
          ...[
            'authors/',
            'authors/Jane%20Doe/',
            `authors/${encodeURIComponent(SECRET.person)}/`,
            'articles/Harbours/',
            'sources/s-photo/',
            'sources/s-interview/',
          ].map((path) => `/api/3.0/${path}`),
          ...['/photo.jpg', '/photo-original.jpg', '/said.txt', '/told.txt', '/other.jpg'],
        ];
        const answers = await Promise.all(
          paths.map(async (path): Promise<[string, Buffer, number]> => {
            const response = await fetch(`${server.url}${path}`);
            return [path, Buffer.from(await response.arrayBuffer()), response.status];
          }),
        );
        expect(leaks(answers.filter(([path]) => !path.includes('Sea%20Holly')).map(([path, bytes]) => [path, bytes]))).toEqual(
          [],
        );
        const status = new Map(answers.map(([path, , code]) => [path, code]));
        expect(
          ['/photo.jpg', '/photo-original.jpg', '/said.txt', '/told.txt', '/other.jpg'].map((path) => status.get(path)),
        ).toEqual([404, 404, 404, 404, 200]);
        expect([PHOTO, 'demo-org-2', INTERVIEW, 'demo-org-1-2'].map((id) => status.get(`/api/0.2/${id}/`))).toEqual([
          410, 404, 404, 200,
        ]);
        expect(status.get(`/api/3.0/authors/${encodeURIComponent(SECRET.person)}/`)).toBe(404);
      } finally {
        await server.stop();
      }
    }
  });

  it('D46: leaves no word of what was purged in the snapshot, and says that it was', () => {
    expect(leaks(filesBelow(snapshot), [SECRET.interview])).toEqual([]);
    const db = new DatabaseSync(join(snapshot, 'snapshot.sqlite'), { readOnly: true });
    const rows = db.prepare('SELECT key, reason FROM withdrawn ORDER BY key').all();
    expect(rows.map(({ key }) => key)).toEqual(
      [`object:${INTERVIEW}`, `object:${INTERVIEW}-1`, `object:${SPOKEN}`, 'source:s-interview'].sort(),
    );
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(['By the narrator’s wish']));
    const lists = db
      .prepare('SELECT p.body, p.sha256, r.received_sha256 FROM redaction r JOIN response p ON p.id = r.response')
      .all();
    db.close();
    expect(lists).toHaveLength(1);
    expect(lists[0]?.['sha256']).toBe(sha256(readBytes(lists[0], 'body')));
    expect(lists[0]?.['received_sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(lists[0]?.['received_sha256']).not.toBe(lists[0]?.['sha256']);
  });

  it('D46: a later harvest and a later download bring nothing of it back', async () => {
    // Upstream tells of the interview once more, in a source that the snapshot has not seen.
    up.answers.set('/api/3.0/sources/s-late/', { id: 's-late', caption: `Late ${SECRET.interview}`, object: `${INTERVIEW}-1` });
    const article = up.answers.get('/api/3.0/articles/Harbours/') as Record<string, unknown>;
    up.answers.set('/api/3.0/articles/Harbours/', {
      ...article,
      sources: [...(article['sources'] as object[]), { id: 's-late' }],
    });
    const asked = up.asked.length;
    const report = await microficheJson<HarvestReport>([...harvest, '--full'], inFolder);
    await microficheJson(['media', '--snapshot', snapshot], inFolder);
    expect(
      up.asked.slice(asked).filter((path) => path.includes(INTERVIEW) || path.includes('s-interview') || path.includes('said')),
    ).toEqual([]);
    expect(report.failures).toEqual([]);
    expect(leaks(filesBelow(snapshot), [SECRET.interview])).toEqual([]);
    expect((await microfiche(['verify', '--snapshot', snapshot], inFolder)).code).toBe(0);
  });

  it('D46: the next copy to a USB drive drops what was withdrawn since the last', async () => {
    const stick = join(folder.path, 'stick');
    mkdirSync(stick);
    rmSync(join(folder.path, 'microfiche.config.json'));
    await build('--no-search');
    await microficheJson(['usb', '--dir', dist, '--to', stick], inFolder);
    expect(leaks(filesBelow(stick), [SECRET.photograph])).not.toEqual([]);
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(CONFIG));
    await build('--no-search');
    await microficheJson(['usb', '--dir', dist, '--to', stick], inFolder);
    expect(leaks(filesBelow(stick))).toEqual([]);
  });

  it('purge asks: without --yes and without a terminal it does nothing', async () => {
    const { code, stderr } = await microfiche(['purge', PHOTO, '--snapshot', snapshot], inFolder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const unknown = await microfiche(['purge', 'demo-org-99', '--snapshot', snapshot, '--yes'], inFolder);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('knows no record demo-org-99')]);
  });

  it('names every mistake in the list, and exits 2', async () => {
    const list = [
      { id: '../x', reason: 'r', date: '2026-01-01' },
      { reason: 'r', date: 'soon' },
      { person: 'Jane Doe', fields: 'title', reason: 'r', date: '2026-01-01' },
    ];
    const other = temporaryFolder();
    writeFileSync(join(other.path, 'microfiche.config.json'), JSON.stringify({ withhold: list }));
    const { code, stderr } = await microfiche(['build', '--snapshot', snapshot, '--out', join(other.path, 'dist')], {
      cwd: other.path,
    });
    other.remove();
    expect(code).toBe(2);
    for (const words of ['entry 1, “id”', 'entry 2', 'entry 3']) expect(stderr).toContain(words);
  });

  it('build --collection shows only that collection, and what stands above it', async () => {
    const one = join(folder.path, 'dist-one');
    await microficheJson(['build', '--snapshot', snapshot, '--out', one, '--collection', 'demo-org-3', '--no-search'], inFolder);
    const pages = [...filesBelow(one).keys()].filter((path) => path.startsWith('objects/'));
    expect(pages).toEqual(['objects/demo-org-3-2.html', 'objects/demo-org-3.html', 'objects/demo-org-3/contents.html']);
    const { code, stderr } = await microfiche(
      ['build', '--snapshot', snapshot, '--out', one, '--collection', 'demo-org-77'],
      inFolder,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('no collection demo-org-77')]);
  });
});
