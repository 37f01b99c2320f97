/** Withdrawal: withheld and purged records are in no page, list, image, file, index, pack, feed, response or USB drive. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { BuildReport } from '../../src/build/steps/build-report.ts';
import type { HarvestReport } from '../../src/harvest/report.ts';
import { readBytes } from '../../src/snapshot/rows.ts';
import {
  createSharedDirectory,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  spawnServe,
  upstreamOptions,
} from '../support/commands.ts';
import { startTestUpstream, type TestUpstream } from '../support/test-upstream.ts';
import {
  AROUND,
  CONFIG,
  FILE,
  fillUpstream,
  findLeaks,
  INTERVIEW,
  NOTES,
  PHOTO,
  SECRET_WORDS,
  SPOKEN,
} from '../support/withheld-archive.ts';

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

  it('leaves no word in any byte or path of the site, compressed or not', async () => {
    const { notes } = await build();
    expect(notes.filter((note) => note.includes('demo-org-1-99'))).toHaveLength(1);
    expect(findLeaks(readFiles(dist), [...Object.values(SECRET_WORDS), ...AROUND])).toEqual([]);
    expect([...readFiles(dist).keys()].filter((path) => path.includes('sea-holly') || path.includes('demo-org-2'))).toEqual([]);
    expect((await runMicrofiche(['verify', '--dir', dist], inFolder)).code).toBe(0);
  });

  it('leaves neither images nor originals in the site', () => {
    const withdrawn = photos.map(sha256);
    const files = [...readFiles(dist)];
    expect(files.filter(([, bytes]) => withdrawn.includes(sha256(bytes))).map(([path]) => path)).toEqual([]);
    expect(
      files.filter(([path]) => /^(?:thumbs|media)\/.*(?:demo-org-1-1|demo-org-1\.)/.test(path)).map(([path]) => path),
    ).toEqual([]);
    expect(files.some(([path]) => path.startsWith('thumbs/demo-org-1/demo-org-1-2'))).toBe(true);
  });

  it('shows a notice with the reason, or no page, as the entry sets', () => {
    const page = readFileSync(join(dist, `objects/${PHOTO}.html`), 'utf8');
    expect(page).toContain('At the family’s request.');
    expect(page).toContain('October 1, 2026');
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

  it('leaves nothing in a compact build in three languages', async () => {
    const compact = join(folder.path, 'dist-compact');
    await runMicroficheJson(
      ['build', '--snapshot', snapshot, '--out', compact, '--compact', '--languages', 'en,es,ja'],
      inFolder,
    );
    expect(findLeaks(readFiles(compact))).toEqual([]);
  });

  it('is respected by serve, with a site and without', async () => {
    for (const dir of [['--dir', dist], []]) {
      const server = await spawnServe(['--snapshot', snapshot, ...dir], folder.path);
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

  it('is kept by commands in another directory, which does not have the setting', async () => {
    const elsewhere = { cwd: join(folder.path, 'elsewhere') };
    mkdirSync(elsewhere.cwd);
    const before = readFiles(dist);
    const lacking = /^microfiche: Less would be withheld than before from the snapshot in .*: "withhold" lacks 5 of 5 entries\. /;
    const commands = [
      ['build', '--out', dist],
      ['serve', '--port', '0'],
      ['export', 'tables', '--to', join(elsewhere.cwd, 'tables')],
      ['dev', '--port', '0'],
      ['update', ...upstreamOptions(upstream.url), '--out', dist],
    ];
    for (const command of commands) {
      const { code, stderr } = await runMicrofiche([...command, '--snapshot', snapshot], elsewhere);
      expect([command[0], code, stderr]).toEqual([command[0], 1, expect.stringMatching(lacking)]);
    }
    // A copy of the snapshot without what it remembers: then the site does.
    const copy = join(elsewhere.cwd, 'copy');
    mkdirSync(copy);
    cpSync(join(snapshot, 'snapshot.sqlite'), join(copy, 'snapshot.sqlite'));
    const { code, stderr } = await runMicrofiche(['build', '--out', dist, '--snapshot', copy], elsewhere);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`from the site in ${realpathSync(dist)}: `)]);
    expect(readFiles(dist)).toEqual(before);
  });

  it('leaves no word of purged records in the snapshot, and lists them there', () => {
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

  it('says with --dry-run what a purge would remove, and changes nothing', async () => {
    const small = inject('mirror').small;
    const before = readFiles(small);
    const { code, stdout } = await runMicrofiche(['purge', 'lica-quay-1', '--snapshot', small, '--dry-run']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^This would remove \d+ records? with \d+ media files? \(.*\):\n {2}lica-quay-1\n/),
    ]);
    expect(readFiles(small)).toEqual(before);
  });

  it('says that records were purged before, and changes nothing', async () => {
    const before = readFiles(snapshot);
    const { code, stdout } = await runMicrofiche(['purge', INTERVIEW, '--snapshot', snapshot, '--yes'], inFolder);
    expect([code, stdout]).toEqual([0, `Purged before: ${INTERVIEW}. Nothing of that remains in the snapshot.\n`]);
    expect(readFiles(snapshot)).toEqual(before);
  });

  it('is permanent: later harvests and downloads do not fetch purged records again', async () => {
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

  it('reaches a USB drive with the next copy', async () => {
    const drive = join(folder.path, 'drive');
    mkdirSync(drive);
    rmSync(join(folder.path, 'microfiche.config.json'));
    expect((await runMicrofiche(['build', '--snapshot', snapshot, '--out', dist, '--no-search'], inFolder)).code).toBe(1);
    await build('--no-search', '--withhold-less');
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
    for (const text of ['"withhold.0.id.0" must', '"withhold.1" needs', '"withhold.2" has "fields"'])
      expect(stderr).toContain(text);
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
