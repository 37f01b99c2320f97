/** Snapshots damaged by an attacker: nothing outside is read, changed, deleted or contacted; undamaged records are shown. */
import { cpSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from '../../../src/api/server.ts';
import { readCatalogue } from '../../../src/catalogue/catalogue.ts';
import { openRelations } from '../../../src/catalogue/lists/relations.ts';
import { createVisibleStore } from '../../../src/catalogue/read/visible-store.ts';
import { NOTHING_WITHHELD } from '../../../src/catalogue/read/withholding.ts';
import { readShownFiles } from '../../../src/derivatives/shown-files.ts';
import { importPackage } from '../../../src/export/import-package.ts';
import { readPreviousHarvest } from '../../../src/harvest/previous-harvest.ts';
import { downloadMedia } from '../../../src/media/download-media.ts';
import { repairSnapshot } from '../../../src/media/repair.ts';
import { describeError, isExpected } from '../../../src/model/errors.ts';
import { objectFileName } from '../../../src/platform/portability.ts';
import { createSiteIdentity } from '../../../src/publish/site-identity.ts';
import { auditSnapshot } from '../../../src/snapshot/audit.ts';
import { changesSince } from '../../../src/snapshot/changes.ts';
import { countResources, readFailures, readLastReport } from '../../../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../../../src/snapshot/store.ts';
import { type CanaryServer, createTestGround, startCanaryServer, type TestGround } from '../../support/canaries.ts';
import {
  type CommandResult,
  createSharedDirectory,
  LONG,
  runMicrofiche,
  spawnServe,
  upstreamOptions,
} from '../../support/commands.ts';
import { type Damage, damage, damages, hostileValues } from '../../support/damage.ts';
import { DAMAGED_EXPORTS, exportDamaged } from '../../support/damaged-exports.ts';
import { createFileRecord, createImage, createRecordWithImage, createSegment, fileHandler } from '../../support/file-server.ts';
import { respondWith, startTestUpstream, type TestUpstream } from '../../support/test-upstream.ts';

const SEED = Number(process.env['MICROFICHE_SEED'] ?? (LONG ? Date.now() % 2 ** 31 : 12));
const RUNS = LONG ? 150 : 3;
const QUICK_RUNS = LONG ? 3000 : 25;
/** Maximum milliseconds of a command. */
const MAX_COMMAND_MS = 120_000;

const { path: shared, remove } = createSharedDirectory();
const original = join(shared, 'snapshot');
const env = { XDG_STATE_HOME: join(shared, 'state') };
const RECORDS = [1, 2, 3, 4].map((n) => `demo-org-1-${n}`);
let upstream: TestUpstream;
let server: CanaryServer;

beforeAll(async () => {
  console.log(`seed of the damages: ${SEED} (MICROFICHE_SEED)`);
  upstream = await startTestUpstream({ shared: true });
  server = await startCanaryServer();
  await createOriginal();
});
afterAll(async () => {
  await Promise.all([upstream.close(), server.close()]);
  remove();
});

/** Harvests a small archive with every kind of record, downloads its media files, and adds a row to every table. */
async function createOriginal(): Promise<void> {
  const links = (kind: string, name: string) => ({
    json: `${upstream.url}/api/3.0/${kind}/${name}/`,
    html: `${upstream.url}/${name}/`,
  });
  const author = { id: 'Ada', title: 'Ada', links: links('authors', 'Ada'), body: '<p>Ada</p>' };
  const article = {
    ...{ id: 'Bells', title: 'Bells', links: links('articles', 'Bells'), categories: [], topics: [] },
    body: `<p>Bells <a href="${upstream.url}/demo-org-1-1/">a photograph</a></p>`,
    authors: [{ title: 'Ada', ...links('authors', 'Ada') }],
    sources: [{ id: 'ls-1', ...links('sources', 'ls-1') }],
  };
  upstream.routes.set('/api/3.0/authors/', { total: 1, next_offset: null, objects: [author] });
  upstream.routes.set('/api/3.0/authors/Ada/', { ...author, articles: [{ title: 'Bells', ...links('articles', 'Bells') }] });
  upstream.routes.set('/api/3.0/articles/Bells/', article);
  upstream.routes.set('/api/3.0/sources/ls-1/', {
    id: 'ls-1',
    links: links('sources', 'ls-1'),
    caption: 'A bell',
    external_url: `${upstream.url}/demo-org-1-1/`,
  });
  upstream.routes.set('/redirect', respondWith(302, { location: `${server.urls[0]}/a.jpg` }));
  for (const n of [1, 2, 4])
    upstream.routes.set(
      `/${n}.jpg`,
      fileHandler({ bytes: await createImage(60, 40 + n, '#a52'), etag: `"${n}"`, supportsRanges: true }),
    );
  upstream.routes.set('/words.txt', fileHandler({ bytes: Buffer.from('A spoken sentence.\n'.repeat(20)), type: 'text/plain' }));
  const records = [
    {
      id: 'demo-org-1',
      model: 'collection',
      title: 'Title of demo-org-1',
      links: { children: `${upstream.url}/api/0.2/demo-org-1/children/` },
    },
    createRecordWithImage('demo-org-1-1', `${upstream.url}/1.jpg`),
    createRecordWithImage('demo-org-1-2', `${upstream.url}/2.jpg`),
    createSegment('demo-org-1-3', { txt: { url: `${upstream.url}/words.txt`, mimetype: 'text/plain' } }, { model: 'entity' }),
    createRecordWithImage('demo-org-1-4', `${upstream.url}/redirect`),
    createFileRecord('demo-org-1-1-master-0a1b2c3d4e', `${upstream.url}/4.jpg`),
  ];
  for (const record of records) upstream.routes.set(`/api/0.2/${record['id']}/`, record);
  upstream.routes.set('/api/0.2/demo-org-1/children/', { total: 4, next_offset: null, objects: records.slice(1, 5) });
  const urls = [...upstreamOptions(upstream.url)];
  const roots = ['--root', records.map(({ id }) => id).join(',')];
  expect(await runMicrofiche(['harvest', ...urls, '--snapshot', original, ...roots], { env })).toMatchObject({ code: 0 });
  const kinds = 'thumb,image,audio,video,transcript,original';
  expect(await runMicrofiche(['media', '--snapshot', original, '--kinds', kinds], { env })).toMatchObject({ code: 0 });
  const db = new DatabaseSync(join(original, 'snapshot.sqlite'));
  db.exec(`INSERT INTO download VALUES ('${upstream.url}/2.jpg', 'media/demo-org-1/demo-org-1-2.image.jpg.part', '"2"', 100, 10, '${'0'.repeat(64)}');
    INSERT INTO orphan_file VALUES ('media/demo-org-1/other.jpg');
    INSERT INTO withdrawn VALUES ('object:demo-org-2-1', '2026-01-01T00:00:00.000Z', 'on request');
    INSERT INTO withdrawn_url VALUES ('${'0'.repeat(64)}');
    INSERT INTO response (key, url, fetched_at, status, headers, sha256, body)
      SELECT key, url, '2025-01-01T00:00:00Z', status, headers, sha256, body FROM response WHERE key LIKE 'object:demo-org-1-%';
    INSERT INTO redaction VALUES (1, '2026-01-01T00:00:00.000Z', '${'0'.repeat(64)}')`);
  db.close();
}

/** Creates directories with canaries and a copy of the snapshot. */
function createGround(): TestGround {
  const ground = createTestGround();
  cpSync(original, ground.snapshot, { recursive: true });
  cpSync(join(shared, 'state'), ground.env['XDG_STATE_HOME'] as string, { recursive: true });
  return ground;
}

interface Outcome {
  command: string;
  ran: CommandResult;
}

/** Runs a command, and asserts what holds for every command: an exit code, no stack trace, no control characters. */
async function run(ground: TestGround, args: string[]): Promise<Outcome> {
  const ran = await withTimeout(args[0] ?? '', runMicrofiche(args, { cwd: ground.cwd, env: ground.env }));
  const outcome = { command: args.join(' '), ran };
  expect([0, 1], `${outcome.command}: ${ran.stderr}`).toContain(ran.code);
  expect(ran.stderr, outcome.command).not.toMatch(/^\s+at /m);
  expect(ran.stdout, outcome.command).not.toMatch(/^\s+at /m);
  expect(`${ran.stdout}${ran.stderr}`, outcome.command).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    /[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/,
  );
  return outcome;
}

async function withTimeout<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} takes too long`)), MAX_COMMAND_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const PATHS = [
  ...['/', '/index.html', '/objects/demo-org-1-1.html', '/api/3.0/authors/', '/api/3.0/authors/Ada/', '/api/3.0/articles/Bells/'],
  ...[
    '/api/3.0/sources/ls-1/',
    '/api/0.2/',
    '/api/0.2/demo-org-1/',
    '/api/0.2/demo-org-1/children/',
    '/api/0.2/facet/',
    '/api/0.2/narrator/',
  ],
  ...RECORDS.map((id) => `/api/0.2/${id}/?format=api`),
  ...[
    '/1.jpg',
    '/2.jpg',
    '/4.jpg',
    '/words.txt',
    '/a.jpg',
    '/redirect',
    '/canary.txt',
    '/../canary.txt',
    '/%2e%2e/canary.txt',
    '/..%2fcanary.txt',
  ],
  ...[
    '/media/..%2f..%2fcanary.txt',
    '/media/../../canary.txt',
    '/%00',
    '/%ff',
    '//127.0.0.1/x',
    '/api/0.2/..%2f..%2fcanary.txt/',
    '/api/0.2/__proto__/',
  ],
  ...[
    '/snapshot.sqlite',
    '/../snapshot/snapshot.sqlite',
    `/api/3.0/authors/${'x'.repeat(5000)}/`,
    '/api/0.2/demo-org-1/children/?offset=-1&limit=1e9',
  ],
];

/** Requests one path exactly as written; `fetch` would normalize it. */
function requestPath(url: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, path, timeout: MAX_COMMAND_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    });
    request.on('timeout', () => request.destroy(new Error(`no response to ${path}`)));
    request.on('error', (error) => ((error as NodeJS.ErrnoException).code === 'ECONNRESET' ? resolve('') : reject(error)));
    request.end();
  });
}

/** Returns the responses of a server to all paths, or its error if it does not start. */
async function responsesOf(ground: TestGround, args: string[]): Promise<string[]> {
  const started = await withTimeout(
    'serve',
    spawnServe(args, ground.cwd).catch((error: Error) => error),
  );
  if (started instanceof Error) {
    expect(started.message).toMatch(/^serve exited 1: microfiche: [^\n]+\n?$/);
    return [started.message];
  }
  try {
    return await Promise.all(PATHS.map((path) => requestPath(started.url, path)));
  } finally {
    await started.stop();
  }
}

async function commandsSurvive(spec: Damage): Promise<void> {
  const ground = createGround();
  try {
    const connections = server.connections();
    const { records, done } = damage(ground, spec, hostileValues(ground, server, upstream.url));
    const { snapshot, out, drive } = ground;
    const site = ['--dir', out];
    mkdirSync(join(out, '..'), { recursive: true });
    const outcomes: Outcome[] = [];
    for (const args of [
      ['status', '--snapshot', snapshot, '--since', '2020-01-01', ...site],
      ['build', '--snapshot', snapshot, '--out', out],
      ['media', '--snapshot', snapshot, '--timeout', '2'],
      ['verify', '--snapshot', snapshot],
      ['verify', '--snapshot', snapshot, '--repair', '--timeout', '2'],
    ])
      outcomes.push(await run(ground, args));
    const built = outcomes[1]?.ran;
    const isBuilt = built?.code === 0;
    if (isBuilt) outcomes.push(await run(ground, ['usb', ...site, '--to', drive]));
    const texts = [
      ...outcomes.flatMap(({ ran }) => [ran.stdout, ran.stderr]),
      ...(await responsesOf(ground, ['--snapshot', snapshot, ...(isBuilt ? site : [])])),
    ];
    const context = done.join('\n');
    expect(ground.findTouched({ texts, directories: [out, drive, snapshot] }), context).toEqual([]);
    expect(server.connections(), context).toBe(connections);
    if (!isBuilt) expect(built?.stderr, context).toMatch(/^microfiche: [^\n]+\n$/);
    else
      for (const id of RECORDS.filter((record) => !records.has(record)))
        expect(existsSync(join(out, 'objects', `${objectFileName(id)}.html`)), `${id}: ${context}`).toBe(true);
  } catch (error) {
    throw error instanceof Error ? error : new Error(String(error));
  } finally {
    ground.remove();
  }
}

it('builds and serves the undamaged snapshot, and reveals no canary', async () => {
  const ground = createGround();
  try {
    expect(ground.findTouched({ directories: [ground.snapshot] })).toEqual([]);
    mkdirSync(join(ground.out, '..'), { recursive: true });
    expect(await run(ground, ['build', '--snapshot', ground.snapshot, '--out', ground.out])).toMatchObject({ ran: { code: 0 } });
    for (const id of RECORDS) expect(existsSync(join(ground.out, 'objects', `${id}.html`)), id).toBe(true);
    const served = await responsesOf(ground, ['--snapshot', ground.snapshot, '--dir', ground.out]);
    expect(served.filter((text) => text.includes('demo-org-1-1')).length).toBeGreaterThan(3);
  } finally {
    ground.remove();
  }
});

it(
  `no canary is read, changed, deleted or contacted for any damaged cells and links (${RUNS} snapshots)`,
  async () => {
    await fc.assert(fc.asyncProperty(damages, commandsSurvive), { seed: SEED, numRuns: RUNS, endOnFailure: true });
  },
  RUNS * 2 * MAX_COMMAND_MS,
);

const REQUEST_POLICY = {
  allowHosts: [],
  concurrency: 2,
  maxRequestsPerSecond: undefined,
  timeoutSeconds: 2,
  ignoreRobots: false,
  userAgent: 'test',
};

/** The commands' work without their start-up, by name. It may end with a `UserError`, or another clear sentence. */
const STEPS: Readonly<Record<string, (ground: TestGround) => unknown>> = {
  status: withStore((store) => [
    countResources(store),
    readFailures(store),
    readLastReport(store),
    changesSince(store, '2020-01-01T00:00:00Z'),
  ]),
  build: withStore(async (store, { top }) => {
    const shown = createVisibleStore(store, { withholding: NOTHING_WITHHELD });
    const catalogue = readCatalogue(shown);
    const files = await readShownFiles(shown, [...catalogue.objects], () => true, join(top, 'cache', 'seen'));
    return [catalogue, openRelations(catalogue.db, catalogue), shown.withdrawn(), files.problems];
  }),
  verify: withStore(async (store) => [await auditSnapshot(store), createSiteIdentity(store)]),
  harvest: ({ snapshot }) => readPreviousHarvest(snapshot),
  media: ({ snapshot }) =>
    downloadMedia({
      ...REQUEST_POLICY,
      snapshot,
      kinds: new Set(['image', 'original', 'transcript'] as const),
      video: 'mp4',
      collections: undefined,
      budgetBytes: undefined,
      maxFileBytes: undefined,
    }),
  repair: withStore(async (store, { snapshot }) =>
    repairSnapshot(snapshot, (await auditSnapshot(store)).damaged, REQUEST_POLICY),
  ),
  serve: withStore(async (store) => {
    const running = await startServer({ store, dir: undefined, port: 0, host: '127.0.0.1' });
    try {
      return await Promise.all(PATHS.map((path) => requestPath(running.url, path)));
    } finally {
      await running.close();
    }
  }),
};

function withStore(work: (store: Store, ground: TestGround) => unknown) {
  return async (ground: TestGround) => {
    const store = openSnapshot(ground.snapshot);
    try {
      return await work(store, ground);
    } finally {
      store.close();
    }
  };
}

/** Runs a step. Returns its result as text, or the sentence with which it ended. */
async function runStep(name: string, ground: TestGround, context: string): Promise<string> {
  try {
    return (
      JSON.stringify(await withTimeout(name, Promise.resolve(STEPS[name]?.(ground))), (_, value: unknown) =>
        value instanceof Map || value instanceof Set ? [...value] : value,
      ) ?? ''
    );
  } catch (error) {
    if (!isExpected(error)) throw new Error(`${name}: ${(error as Error).stack}\n${context}`);
    expect(describeError(error), context).not.toContain('\n');
    return describeError(error);
  }
}

/** Each row of these tables describes one record. Other damage concerns the snapshot, or a file to repair first. */
const RECORD_TABLES: ReadonlySet<string> = new Set([
  'resource',
  'response',
  'exchange',
  'usage',
  'orphan_file',
  'download',
  'run',
]);

/** Exports a snapshot. What is damaged in the rows of some records must not prevent the export. */
async function expectExportToSurvive(ground: TestGround, name: string, mustSucceed: boolean, context: string): Promise<string> {
  const to = join(ground.top, 'exported', name);
  const failure = await withTimeout(name, exportDamaged(name, ground.snapshot, to)).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure === undefined) {
    expect(ground.findTouched({ directories: lstatSync(to).isDirectory() ? [to] : [] }), `${name}: ${context}`).toEqual([]);
    return '';
  }
  if (mustSucceed || !isExpected(failure)) throw new Error(`${name}: ${(failure as Error).stack}\n${context}`);
  expect(describeError(failure), `${name}: ${context}`).toMatch(/^[^\n]+$/);
  expect(existsSync(to)).toBe(false);
  return describeError(failure);
}

it('exports what is not damaged, and says what is left out', async () => {
  const ground = createGround();
  try {
    const db = new DatabaseSync(join(ground.snapshot, 'snapshot.sqlite'), { defensive: false });
    // A package of a snapshot from which something was purged has no earlier versions.
    db.exec(`DELETE FROM withdrawn; DELETE FROM withdrawn_url;
      UPDATE response SET headers = 'not JSON' WHERE id = (SELECT max(id) FROM response);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'exchange';
      PRAGMA writable_schema = RESET;
      UPDATE exchange SET status = 'not a number' WHERE id = 1;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'exchange';
      PRAGMA writable_schema = RESET`);
    db.close();
    const [wacz, part] = [join(ground.top, 'archive.wacz'), join(ground.top, 'part-of-bag')];
    expect((await exportDamaged('archive.wacz', ground.snapshot, wacz)).notes).toEqual([
      expect.stringMatching(/^An earlier version of object:demo-org-1-\S+ is damaged, and not in the WACZ\.$/),
    ]);
    expect((await exportDamaged('part-of-bag', ground.snapshot, part)).notes).toContain(
      '2 rows of the database are damaged, and not in the bag.',
    );
    await importPackage(wacz, join(ground.top, 'from-wacz'));
    await importPackage(part, join(ground.top, 'from-part'));
  } finally {
    ground.remove();
  }
});

async function expectStepsToSurvive(spec: Damage): Promise<void> {
  const ground = createGround();
  try {
    const connections = server.connections();
    const { done, tables } = damage(ground, spec, hostileValues(ground, server, upstream.url));
    const context = done.join('\n');
    const texts: string[] = [];
    const mustSucceed = spec.disguised && spec.links.length === 0 && tables.isSubsetOf(RECORD_TABLES);
    const exports = LONG ? DAMAGED_EXPORTS : [DAMAGED_EXPORTS[(spec.cells[0]?.row ?? 0) % DAMAGED_EXPORTS.length] as string];
    for (const name of exports) texts.push(await expectExportToSurvive(ground, name, mustSucceed, context));
    for (const name of Object.keys(STEPS)) texts.push(await runStep(name, ground, context));
    expect(ground.findTouched({ texts, directories: [ground.snapshot] }), context).toEqual([]);
    expect(server.connections(), context).toBe(connections);
  } finally {
    ground.remove();
  }
}

it(
  `no step of a command crashes, hangs or touches a canary (${QUICK_RUNS} snapshots)`,
  async () => {
    process.env['XDG_STATE_HOME'] = env.XDG_STATE_HOME;
    await fc.assert(fc.asyncProperty(damages, expectStepsToSurvive), { seed: SEED, numRuns: QUICK_RUNS, endOnFailure: true });
  },
  QUICK_RUNS * MAX_COMMAND_MS,
);
