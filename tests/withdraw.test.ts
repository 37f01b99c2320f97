/** Withdrawal: withheld and purged records are in no page, list, image, file, index, pack, feed, response or copy on a USB drive. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HarvestReport } from '../src/harvest/report.ts';
import type { BuildReport } from '../src/pipeline/build.ts';
import { readBytes } from '../src/snapshot/rows.ts';
import { createImage } from './media/file-server.ts';
import { createSharedDirectory, readFiles, runMicrofiche, runMicroficheJson, startServe, upstreamOptions } from './support.ts';
import { respond, respondWith, startTestUpstream, type TestUpstream } from './test-upstream.ts';

/** Words that occur only in withdrawn records, fields and names. */
const SECRET_WORDS = {
  photograph: 'quillwort',
  field: 'marramgrass',
  collection: 'samphire',
  interview: 'thriftflower',
  person: 'Sea Holly',
} as const;
/** Texts of links to the purged interview, and a withheld name with markup in it. They occur in other records and in the guide. */
const AROUND = ['tormentil', `Sea <b>Holly`];
const PHOTO = 'demo-org-1-1';
/** Files. The IDs of their records contain their SHA-1, or they would be quarantined. */
const TRANSCRIPT_TEXT = `A ${SECRET_WORDS.interview} was spoken of here.`;
const NOTES_TEXT = `${SECRET_WORDS.person} is named in this text.`;
const ORIGINAL = await createImage(90, 70, '#321');
const sha1Start = (bytes: string | Buffer) => createHash('sha1').update(bytes).digest('hex').slice(0, 10);
const FILE = `${PHOTO}-master-${sha1Start(ORIGINAL)}`;
const INTERVIEW = 'demo-org-3-1';
const SPOKEN = `${INTERVIEW}-1-transcript-${sha1Start(TRANSCRIPT_TEXT)}`;
const NOTES = `demo-org-1-3-transcript-${sha1Start(NOTES_TEXT)}`;

const crumbs = (...ids: string[]) => ids.map((id) => ({ id, label: id }));

/** Fills the test upstream with records that will be withdrawn, and with other records and guide pages that mention them. */
async function fillUpstream(upstream: TestUpstream): Promise<readonly Buffer[]> {
  const api = (id: string, rest = '') => `${upstream.url}/api/0.2/${id}/${rest}`;
  const addRecord = (id: string, record: Record<string, unknown>, children: string[] = [], files: string[] = []) => {
    const links = {
      json: api(id),
      'children-objects': api(id, 'children/'),
      'children-files': api(id, 'files/'),
      ...(record['links'] as object),
    };
    upstream.routes.set(`/api/0.2/${id}/`, { id, ...record, links });
    for (const [list, ids] of [
      ['children', children],
      ['files', files],
    ] as const)
      upstream.routes.set(`/api/0.2/${id}/${list}/`, (request: never, response: never) =>
        respond(
          { total: ids.length, next_offset: null, objects: ids.map((child) => upstream.routes.get(`/api/0.2/${child}/`)) },
          request,
          response,
        ),
      );
  };
  const photos = [await createImage(80, 60, '#123'), ORIGINAL] as const;
  upstream.routes.set('/photo.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, photos[0]));
  upstream.routes.set('/photo-original.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, photos[1]));
  upstream.routes.set('/other.jpg', respondWith(200, { 'content-type': 'image/jpeg' }, await createImage(70, 50, '#456')));
  upstream.routes.set('/transcript.txt', respondWith(200, { 'content-type': 'text/plain' }, TRANSCRIPT_TEXT));
  upstream.routes.set('/notes.txt', respondWith(200, { 'content-type': 'text/plain' }, NOTES_TEXT));
  addRecord(
    'demo-org-1',
    { model: 'collection', title: 'Photographs', signature_id: FILE, links: { img: `${upstream.url}/photo.jpg` } },
    [PHOTO, 'demo-org-1-2', 'demo-org-1-3'],
  );
  addRecord(
    PHOTO,
    {
      model: 'entity',
      title: `A ${SECRET_WORDS.photograph}`,
      description: `More ${SECRET_WORDS.photograph}`,
      topics: [{ id: '1', term: `Plants -- ${SECRET_WORDS.photograph}` }],
      links: { img: `${upstream.url}/photo.jpg` },
      breadcrumbs: crumbs('demo-org-1', PHOTO),
    },
    [],
    [FILE],
  );
  addRecord(FILE, {
    model: 'file',
    role: 'master',
    title: `${SECRET_WORDS.photograph}.jpg`,
    links: { img: `${upstream.url}/photo.jpg`, download: `${upstream.url}/photo-original.jpg` },
  });
  addRecord('demo-org-1-2', {
    model: 'entity',
    title: 'The slipway',
    description: `About ${SECRET_WORDS.field}`,
    search_hidden: `hidden ${SECRET_WORDS.field}`,
    creators: [{ namepart: SECRET_WORDS.person, role: 'photographer' }],
    persons: [{ namepart: 'Holly, Sea' }],
    contributor: `Lent by ${SECRET_WORDS.person}`,
    links: { img: `${upstream.url}/other.jpg` },
    breadcrumbs: crumbs('demo-org-1', 'demo-org-1-2'),
  });
  addRecord(
    'demo-org-1-3',
    {
      model: 'entity',
      title: 'The pier',
      description: `See <a href="${upstream.url}/${PHOTO}/">the ${SECRET_WORDS.photograph}</a>.`,
      breadcrumbs: crumbs('demo-org-1', 'demo-org-1-3'),
    },
    [],
    [NOTES],
  );
  addRecord(NOTES, {
    model: 'file',
    role: 'transcript',
    title: 'Notes',
    links: { download: `${upstream.url}/notes.txt` },
  });
  addRecord('demo-org-2', { model: 'collection', title: `The ${SECRET_WORDS.collection} papers` }, ['demo-org-2-1']);
  addRecord('demo-org-2-1', {
    model: 'entity',
    title: `A letter on ${SECRET_WORDS.collection}`,
    breadcrumbs: crumbs('demo-org-2', 'demo-org-2-1'),
  });
  addRecord('demo-org-3', { model: 'collection', title: 'Interviews' }, [INTERVIEW, 'demo-org-3-2']);
  addRecord('demo-org-3-2', {
    model: 'entity',
    title: 'Another interview',
    description: `Sea <b>Holly</b> also heard <a href="${upstream.url}/${INTERVIEW}/">the tormentil recording</a>.`,
    breadcrumbs: crumbs('demo-org-3', 'demo-org-3-2'),
  });
  addRecord(
    INTERVIEW,
    {
      model: 'entity',
      title: `${SECRET_WORDS.interview}, an interview`,
      format: 'vh',
      breadcrumbs: crumbs('demo-org-3', INTERVIEW),
    },
    [`${INTERVIEW}-1`],
  );
  addRecord(
    `${INTERVIEW}-1`,
    {
      model: 'segment',
      title: `On ${SECRET_WORDS.interview}`,
      format: 'vh',
      breadcrumbs: crumbs('demo-org-3', INTERVIEW, `${INTERVIEW}-1`),
    },
    [],
    [SPOKEN],
  );
  addRecord(SPOKEN, {
    model: 'file',
    role: 'transcript',
    title: `Transcript of ${SECRET_WORDS.interview}`,
    links: { download: `${upstream.url}/transcript.txt` },
  });
  const author = (id: string, more = {}) => ({
    id,
    title: id,
    articles: [{ title: 'Harbours', json: `${upstream.url}/api/3.0/articles/Harbours/` }],
    links: { json: `${upstream.url}/api/3.0/authors/${encodeURIComponent(id)}/` },
    ...more,
  });
  upstream.routes.set('/api/3.0/authors/', {
    total: 2,
    next_offset: null,
    objects: [author('Jane Doe'), author(SECRET_WORDS.person)],
  });
  upstream.routes.set('/api/3.0/authors/Jane%20Doe/', author('Jane Doe'));
  upstream.routes.set(
    `/api/3.0/authors/${encodeURIComponent(SECRET_WORDS.person)}/`,
    author(SECRET_WORDS.person, { body: `<p>${SECRET_WORDS.person} wrote.</p>` }),
  );
  upstream.routes.set('/api/3.0/articles/Harbours/', {
    title: 'Harbours',
    body: `<p>By ${SECRET_WORDS.person}: <a href="${upstream.url}/${PHOTO}/">The ${SECRET_WORDS.photograph}</a> and <a href="${upstream.url}/demo-org-1-3/">the pier</a>, <a href="${upstream.url}/${INTERVIEW}/">the tormentil recording</a>.</p>`,
    authors: [{ title: 'Jane Doe', json: `${upstream.url}/api/3.0/authors/Jane%20Doe/` }],
    sources: [{ id: 's-photo' }, { id: 's-interview' }],
  });
  upstream.routes.set('/api/3.0/sources/s-photo/', {
    id: 's-photo',
    caption: `Caption of ${SECRET_WORDS.photograph}`,
    object: PHOTO,
  });
  upstream.routes.set('/api/3.0/sources/s-interview/', {
    id: 's-interview',
    caption: `Caption of ${SECRET_WORDS.interview}`,
    object: `${INTERVIEW}-1`,
  });
  return photos;
}

const CONFIG = {
  withhold: [
    { id: PHOTO, reason: 'At the family’s request.', date: '2026-10-01' },
    { id: 'demo-org-1-2', fields: 'description', reason: 'It names a neighbor.', date: '2026-10-02' },
    { collection: 'demo-org-2', reason: 'Lent for a year.', date: '2026-10-03', page: 'none' },
    { person: SECRET_WORDS.person, reason: 'By request.', date: '2026-10-04' },
    { id: 'demo-org-1-99', reason: 'Mistyped.', date: '2026-10-05' },
  ],
};

/** Returns all texts in some bytes: the bytes themselves, and the decompressed data in them. */
function readableTexts(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const unpacked = [
    ...(bytes[0] === 0x1f && bytes[1] === 0x8b ? [bytes] : []),
    ...(text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? []).map((match) => Buffer.from(match, 'base64')),
  ];
  return [
    text,
    bytes.toString(),
    ...unpacked.flatMap((data) => (data[0] === 0x1f && data[1] === 0x8b ? readableTexts(gunzipSync(data)) : [])),
  ];
}

/** Returns which of the secret words can be read in which files, paths included. */
function findLeaks(
  files: Iterable<[path: string, bytes: Buffer]>,
  words: readonly string[] = Object.values(SECRET_WORDS),
): string[] {
  return [...files].flatMap(([path, bytes]) =>
    readableTexts(Buffer.concat([Buffer.from(`${path}\n`), bytes]))
      .concat(readableTexts(bytes))
      .flatMap((text) =>
        words.filter((word) => text.toLowerCase().includes(word.toLowerCase())).map((word) => `${word} in ${path}`),
      ),
  );
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('withdrawal', () => {
  const folder = createSharedDirectory();
  const snapshot = join(folder.path, 'snapshot');
  const dist = join(folder.path, 'dist');
  let upstream: TestUpstream;
  let harvest: string[];
  let photos: readonly Buffer[];
  const inFolder = { cwd: folder.path };
  const build = (...more: string[]) =>
    runMicroficheJson<BuildReport>(
      ['build', '--snapshot', snapshot, '--out', dist, '--site', 'https://mirror.example/', ...more],
      inFolder,
    );

  beforeAll(async () => {
    upstream = await startTestUpstream({ shared: true });
    photos = await fillUpstream(upstream);
    harvest = ['harvest', ...upstreamOptions(upstream.url), '--snapshot', snapshot, '--root', 'demo-org-1,demo-org-2,demo-org-3'];
    await runMicroficheJson<HarvestReport>(harvest, inFolder);
    await runMicroficheJson(
      ['media', '--snapshot', snapshot, '--kinds', 'thumb,image,audio,video,transcript,original'],
      inFolder,
    );
    // All words are there before the withdrawal. Otherwise, the test could not fail.
    await build();
    const words = [...Object.values(SECRET_WORDS), ...AROUND];
    const before = findLeaks(readFiles(dist), words);
    expect(words.filter((word) => !before.some((leak) => leak.startsWith(word)))).toEqual([]);
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(CONFIG));
    await runMicroficheJson(
      ['purge', INTERVIEW, '--snapshot', snapshot, '--yes', '--reason', 'By the narrator’s wish'],
      inFolder,
    );
  });
  afterAll(async () => {
    await upstream.close();
    folder.remove();
  });

  it('D46: leaves no word in any byte or path of the site, compressed or not', async () => {
    const { notes } = await build();
    expect(notes.filter((note) => note.includes('demo-org-1-99'))).toHaveLength(1);
    expect(findLeaks(readFiles(dist), [...Object.values(SECRET_WORDS), ...AROUND])).toEqual([]);
    expect([...readFiles(dist).keys()].filter((path) => path.includes('sea-holly') || path.includes('demo-org-2'))).toEqual([]);
    expect((await runMicrofiche(['verify', '--dir', dist], inFolder)).code).toBe(0);
  });

  it('builds, after a change of "withhold", the same site as a clean build', async () => {
    const clean = join(folder.path, 'dist-clean');
    await runMicroficheJson(
      ['build', '--snapshot', snapshot, '--out', clean, '--site', 'https://mirror.example/', '--clean'],
      inFolder,
    );
    const [incremental, full] = [readFiles(dist), readFiles(clean)];
    expect([...incremental.keys()]).toEqual([...full.keys()]);
    expect([...incremental].filter(([path, bytes]) => !full.get(path)?.equals(bytes)).map(([path]) => path)).toEqual([]);
  });

  it('D46: leaves neither images nor originals in the site', () => {
    const withdrawn = photos.map(sha256);
    const files = [...readFiles(dist)];
    expect(files.filter(([, bytes]) => withdrawn.includes(sha256(bytes))).map(([path]) => path)).toEqual([]);
    expect(
      files.filter(([path]) => /^(?:thumbs|media)\/.*(?:demo-org-1-1|demo-org-1\.)/.test(path)).map(([path]) => path),
    ).toEqual([]);
    expect(files.some(([path]) => path.startsWith('thumbs/demo-org-1/demo-org-1-2'))).toBe(true);
  });

  it('D46: shows a notice with the reason, or no page, as the entry sets', () => {
    const page = readFileSync(join(dist, `objects/${PHOTO}.html`), 'utf8');
    expect(page).toContain('At the family’s request.');
    expect(page).toContain('1 October 2026');
    const paths = [...readFiles(dist).keys()];
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

  it('D46: leaves nothing in a compact build in three languages', async () => {
    const compact = join(folder.path, 'dist-compact');
    await runMicroficheJson(
      ['build', '--snapshot', snapshot, '--out', compact, '--compact', '--languages', 'en,es,ja'],
      inFolder,
    );
    expect(findLeaks(readFiles(compact))).toEqual([]);
  });

  it('D46: is respected by serve, with a site and without', async () => {
    for (const dir of [['--dir', dist], []]) {
      const server = await startServe(['--snapshot', snapshot, ...dir], folder.path);
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
            `authors/${encodeURIComponent(SECRET_WORDS.person)}/`,
            'articles/Harbours/',
            'sources/s-photo/',
            'sources/s-interview/',
          ].map((path) => `/api/3.0/${path}`),
          ...['/photo.jpg', '/photo-original.jpg', '/transcript.txt', '/notes.txt', '/other.jpg'],
        ];
        const responses = await Promise.all(
          paths.map(async (path): Promise<[string, Buffer, number]> => {
            const response = await fetch(`${server.url}${path}`);
            return [path, Buffer.from(await response.arrayBuffer()), response.status];
          }),
        );
        expect(
          findLeaks(responses.filter(([path]) => !path.includes('Sea%20Holly')).map(([path, bytes]) => [path, bytes])),
        ).toEqual([]);
        const status = new Map(responses.map(([path, , code]) => [path, code]));
        expect(
          ['/photo.jpg', '/photo-original.jpg', '/transcript.txt', '/notes.txt', '/other.jpg'].map((path) => status.get(path)),
        ).toEqual([404, 404, 404, 404, 200]);
        expect([PHOTO, 'demo-org-2', INTERVIEW, 'demo-org-1-2'].map((id) => status.get(`/api/0.2/${id}/`))).toEqual([
          410, 404, 404, 200,
        ]);
        expect(status.get(`/api/3.0/authors/${encodeURIComponent(SECRET_WORDS.person)}/`)).toBe(404);
      } finally {
        await server.stop();
      }
    }
  });

  it('D46: leaves no word of purged records in the snapshot, and lists them there', () => {
    expect(findLeaks(readFiles(snapshot), [SECRET_WORDS.interview])).toEqual([]);
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

  it('D46: is permanent: later harvests and downloads do not fetch purged records again', async () => {
    // Upstream mentions the interview again, in a source that the snapshot does not contain.
    upstream.routes.set('/api/3.0/sources/s-late/', {
      id: 's-late',
      caption: `Late ${SECRET_WORDS.interview}`,
      object: `${INTERVIEW}-1`,
    });
    const article = upstream.routes.get('/api/3.0/articles/Harbours/') as Record<string, unknown>;
    upstream.routes.set('/api/3.0/articles/Harbours/', {
      ...article,
      sources: [...(article['sources'] as object[]), { id: 's-late' }],
    });
    const requestsBefore = upstream.requests.length;
    const report = await runMicroficheJson<HarvestReport>([...harvest, '--full'], inFolder);
    await runMicroficheJson(['media', '--snapshot', snapshot], inFolder);
    expect(
      upstream.requests
        .slice(requestsBefore)
        .filter((path) => path.includes(INTERVIEW) || path.includes('s-interview') || path.includes('/transcript.txt')),
    ).toEqual([]);
    expect(report.failures).toEqual([]);
    expect(findLeaks(readFiles(snapshot), [SECRET_WORDS.interview])).toEqual([]);
    expect((await runMicrofiche(['verify', '--snapshot', snapshot], inFolder)).code).toBe(0);
  });

  it('D46: reaches a USB drive with the next copy', async () => {
    const drive = join(folder.path, 'drive');
    mkdirSync(drive);
    rmSync(join(folder.path, 'microfiche.config.json'));
    await build('--no-search');
    await runMicroficheJson(['usb', '--dir', dist, '--to', drive], inFolder);
    expect(findLeaks(readFiles(drive), [SECRET_WORDS.photograph])).not.toEqual([]);
    writeFileSync(join(folder.path, 'microfiche.config.json'), JSON.stringify(CONFIG));
    await build('--no-search');
    await runMicroficheJson(['usb', '--dir', dist, '--to', drive], inFolder);
    expect(findLeaks(readFiles(drive))).toEqual([]);
  });

  it('rejects a purge without --yes and without a terminal', async () => {
    const { code, stderr } = await runMicrofiche(['purge', PHOTO, '--snapshot', snapshot], inFolder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const unknown = await runMicrofiche(['purge', 'demo-org-99', '--snapshot', snapshot, '--yes'], inFolder);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('has no record demo-org-99')]);
  });

  it('reports every mistake in "withhold", and exits with 2', async () => {
    const list = [
      { id: '../x', reason: 'r', date: '2026-01-01' },
      { reason: 'r', date: 'soon' },
      { person: 'Jane Doe', fields: 'title', reason: 'r', date: '2026-01-01' },
    ];
    const other = createSharedDirectory();
    writeFileSync(join(other.path, 'microfiche.config.json'), JSON.stringify({ withhold: list }));
    const { code, stderr } = await runMicrofiche(['build', '--snapshot', snapshot, '--out', join(other.path, 'dist')], {
      cwd: other.path,
    });
    other.remove();
    expect(code).toBe(2);
    for (const text of ['entry 1, "id"', 'entry 2', 'entry 3']) expect(stderr).toContain(text);
  });

  it('build --collection shows only that collection and its ancestors', async () => {
    const one = join(folder.path, 'dist-one');
    await runMicroficheJson(
      ['build', '--snapshot', snapshot, '--out', one, '--collection', 'demo-org-3', '--no-search'],
      inFolder,
    );
    const pages = [...readFiles(one).keys()].filter((path) => path.startsWith('objects/'));
    expect(pages).toEqual(['objects/demo-org-3-2.html', 'objects/demo-org-3.html', 'objects/demo-org-3/contents.html']);
    const { code, stderr } = await runMicrofiche(
      ['build', '--snapshot', snapshot, '--out', one, '--collection', 'demo-org-77'],
      inFolder,
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('no collection demo-org-77')]);
  });
});
