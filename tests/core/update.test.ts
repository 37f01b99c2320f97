/** `microfiche update`: all steps in one run, with one lock, one report, and an exit code for each outcome. */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UpdateReport } from '../../src/build/update/update-report.ts';
import { lockSite } from '../../src/publish/files/site-lock.ts';
import { lockSnapshot } from '../../src/snapshot/store.ts';
import type { LastUpdate } from '../../src/snapshot/update-file.ts';
import {
  type CommandResult,
  createTestDirectory,
  killWhileMoving,
  ROOT,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  upstreamOptions,
} from '../support/commands.ts';
import { createImage, createRecordWithImage, fileHandler } from '../support/file-server.ts';
import {
  addRecords,
  createRecord,
  type Handler,
  respondWith,
  startTestUpstream,
  type TestUpstream,
} from '../support/test-upstream.ts';

/** More than ten, so that one failure is within the limit of --gone-limit. */
const RECORDS = 12;

interface Mirror {
  upstream: TestUpstream;
  ids: string[];
  snapshot: string;
  out: string;
  directory: string;
  args: string[];
  /** Runs an update, and returns its report with the exit code and output. */
  update(...more: string[]): Promise<CommandResult & { report: UpdateReport }>;
}

/** Starts an upstream with a collection of some records, one with an image. Nothing is harvested yet. */
async function createMirror(): Promise<Mirror> {
  const upstream = await startTestUpstream();
  const ids = addRecords(upstream, RECORDS);
  upstream.routes.set('/bell.jpg', fileHandler({ bytes: await createImage() }));
  upstream.routes.set(`/api/0.2/${ids[0]}/`, createRecordWithImage(String(ids[0]), `${upstream.url}/bell.jpg`));
  const directory = createTestDirectory();
  const [snapshot, out] = [join(directory, 'snapshot'), join(directory, 'dist')];
  const limits = ['--attempts', '1', '--patience', '1'];
  const args = [
    'update',
    ...upstreamOptions(upstream.url),
    '--root',
    'demo-org-1',
    '--snapshot',
    snapshot,
    '--out',
    out,
    ...limits,
  ];
  return {
    ...{ upstream, ids, snapshot, out, directory, args },
    async update(...more) {
      const result = await runMicrofiche([...args, '--json', ...more]);
      return { ...result, report: JSON.parse(result.stdout) as UpdateReport };
    },
  };
}

const readLast = (snapshot: string) => JSON.parse(readFileSync(join(snapshot, 'update.json'), 'utf8')) as LastUpdate;
const statesOf = ({ steps }: UpdateReport) => steps.map(({ step, state }) => `${step} ${state}`);
const ALL_DONE = ['harvest done', 'media done', 'build done', 'verify done'];
const changesOf = ({ changes }: UpdateReport) =>
  changes && {
    new: changes.new.first,
    changed: changes.changed.first,
    restored: changes.restored.first,
    removed: changes.removed.first,
  };

it('exits 0 when everything was done, and reports it in files, metrics, the status and the webhook', async () => {
  const { upstream, ids, snapshot, out, directory, update } = await createMirror();
  const webhook = await startWebhook(204);
  const files = ['reports/last.json', 'reports/last.md', 'metrics/microfiche.prom'].map((file) => join(directory, file));
  const [json = '', markdown = '', metrics = ''] = files;
  const options = ['--report-to', json, '--report-to', markdown, '--metrics', metrics, '--webhook', `${webhook.url}/secret`];
  const first = await update(...options);
  expect([first.code, first.stderr, first.report.outcome, first.report.exitCode]).toEqual([0, '', 'complete', 0]);
  expect(statesOf(first.report)).toEqual(ALL_DONE);
  expect(first.report.messages).toEqual([]);
  expect(first.report.changes?.new.count).toBe(RECORDS + 1);
  expect(first.report.records).toMatchObject({ counts: { collection: 1, entity: RECORDS }, mediaFiles: 1 });
  expect(first.report.media?.fetched).toBe(1);
  expect(existsSync(join(out, 'objects/demo-org-1-1.html'))).toBe(true);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(first.report);
  expect(webhook.received.map((body) => JSON.parse(body))).toEqual([first.report]);
  expect(readFileSync(metrics, 'utf8')).toContain(`microfiche_update_exit_code{snapshot="${snapshot}"} 0\n`);

  upstream.routes.set(
    `/api/0.2/${ids[1]}/`,
    createRecord(upstream, String(ids[1]), { title: 'Ferry <b>Heron</b>', model: 'entity' }),
  );
  upstream.routes.delete(`/api/0.2/${ids[2]}/`);
  expect((await update('--full')).code).toBe(0); // 404 for the first time: it is not yet marked as removed
  const { code, report } = await update('--full', ...options);
  expect([code, changesOf(report)]).toEqual([
    0,
    { new: [], changed: [], restored: [], removed: [{ key: `object:${ids[2]}`, title: `Title of ${ids[2]}` }] },
  ]);
  expect(readFileSync(markdown, 'utf8')).toContain(`### Removed (1)\n\n- \`object:${ids[2]}\` \`Title of ${ids[2]}\`\n`);
  const status = await runMicroficheJson<{ update: LastUpdate }>(['status', '--snapshot', snapshot]);
  expect(status.update).toMatchObject({
    outcome: 'complete',
    exitCode: 0,
    startedAt: report.startedAt,
    finishedAt: report.finishedAt,
  });
  expect((await runMicrofiche(['status', '--snapshot', snapshot])).stdout).toContain(
    `Last update: ended ${report.finishedAt}: complete (exit code 0).\n`,
  );
});

it('reports the changes since the last update that built the site, without titles that the public does not see', async () => {
  const { upstream, ids, directory, args, update } = await createMirror();
  expect((await update()).code).toBe(0);
  const change = (id = '', more: object = {}) =>
    upstream.routes.set(`/api/0.2/${id}/`, createRecord(upstream, id, { title: 'Changed', model: 'entity', ...more }));
  change(ids[3]);
  change(ids[4], { public: '0' });
  change(ids[5]);
  const withhold = [{ id: ids[5], reason: 'By request', date: '2026-10-01' }];
  writeFileSync(
    join(directory, 'microfiche.config.json'),
    JSON.stringify({ withhold, full: true, languages: ['en', 'es'], reportTo: 'a.json' }),
  );
  // The changes are harvested by another command, in between.
  const root = args.slice(1, args.indexOf('--out'));
  expect((await runMicrofiche(['harvest', ...root, '--full'])).code).toBe(0);
  const env = { MICROFICHE_CACHE: join(ROOT, '.microfiche/cache') };
  const { code, stdout } = await runMicrofiche(args, { cwd: directory, env });
  expect([code, stdout.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(/^Update complete in [\d.]+ s \(exit code 0\)\.$/),
  ]);
  const report = JSON.parse(readFileSync(join(directory, 'a.json'), 'utf8')) as UpdateReport;
  expect(changesOf(report)?.changed).toEqual([
    { key: `object:${ids[3]}`, title: 'Changed' },
    { key: `object:${ids[4]}`, title: null },
    { key: `object:${ids[5]}`, title: null },
  ]);
  expect(existsSync(join(directory, 'dist/es/index.html'))).toBe(true); // a setting of build
});

describe('exits 3', () => {
  it('when single records and media files failed, and the site is up to date', async () => {
    const { upstream, ids, out, directory, update } = await createMirror();
    upstream.routes.set(`/api/0.2/${ids[1]}/`, respondWith(500));
    upstream.routes.set('/bell.jpg', respondWith(501));
    const { code, report, stderr } = await update('--report-to', join(directory, 'r.md'));
    expect([code, stderr, statesOf(report)]).toEqual([3, '', ALL_DONE]);
    expect(report.messages).toEqual(['1 resource could not be fetched.', '1 media file could not be downloaded.']);
    expect(report.records?.failures.first.map(({ key, cause }) => [key, cause])).toEqual([[`object:${ids[1]}`, 'HTTP 500']]);
    expect(report.media?.failures.first.map(({ owner, cause }) => [owner, cause])).toEqual([[ids[0], 'HTTP 501']]);
    expect(readFileSync(join(directory, 'r.md'), 'utf8')).toMatch(/## Failed media files \(1\)\n\n- `demo-org-1-1: HTTP 501 \(/);
    expect(existsSync(join(out, 'objects/demo-org-1-3.html'))).toBe(true);
  });

  it('when a record that own pages and settings name was withdrawn, which is taken off the site in any case', async () => {
    const { upstream, ids, out, directory, args } = await createMirror();
    const [withdrawn = '', other = ''] = ids;
    const bell = createRecordWithImage(withdrawn, `${upstream.url}/bell.jpg`);
    upstream.routes.set(`/api/0.2/${withdrawn}/`, { ...bell, creators: [{ namepart: 'Ada Bell', role: 'founder' }] });
    const settings = { full: true, featured: [withdrawn], design: { leadImage: { record: withdrawn } } };
    writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify(settings));
    mkdirSync(join(directory, 'content/exhibits'), { recursive: true });
    const embeds = [
      `::image{id=${withdrawn}}`,
      `::grid{ids="${withdrawn} ${other}"}`,
      `[The bell](../objects/${withdrawn}.html)`,
      '[Its founder](../people/ada-bell.html), and [what she made](../browse/creator/ada-bell.html)',
    ];
    writeFileSync(
      join(directory, 'content/exhibits/bells.md'),
      `---\ntitle: Bells\nimage: ${withdrawn}\n---\n${embeds.join('\n\n')}\n`,
    );
    const env = { MICROFICHE_CACHE: join(ROOT, '.microfiche/cache') };
    const run = (...command: string[]) => runMicrofiche(command, { cwd: directory, env });
    const page = () => readFileSync(join(out, 'exhibits/bells.html'), 'utf8');
    expect((await run(...args)).code).toBe(0);
    expect(page()).toContain(`href="../objects/${withdrawn}.html"`);
    expect(page()).toContain('href="../people/ada-bell.html"');
    upstream.routes.set(
      `/api/0.2/${withdrawn}/`,
      createRecord(upstream, withdrawn, { title: 'Bell', model: 'entity', public: '0' }),
    );
    const { code, stdout } = await run(...args, '--json');
    const { messages, site } = JSON.parse(stdout) as UpdateReport;
    expect([code, messages]).toEqual([3, ['2 pages cannot be shown completely.']]);
    expect(JSON.stringify(site)).toContain(`line 7: the record \\"${withdrawn}\\" is not in this site; it is left out`);
    expect(existsSync(join(out, `objects/${withdrawn}.html`))).toBe(false);
    expect(page()).not.toContain(withdrawn);
    expect(page()).toContain(`href="../objects/${other}.html"`);
    expect(page()).toContain('The bell');
    // She has no page without it.
    expect(page()).toContain('Its founder, and what she made');
    // By hand, it is an error.
    const built = await run('build', '--snapshot', join(directory, 'snapshot'), '--out', out);
    expect([built.code, built.stderr]).toEqual([2, expect.stringContaining(`the record ${withdrawn} is not in this site`)]);
  });

  it('when upstream is unreachable, and the site can be built from what earlier harvests have stored', async () => {
    const { upstream, snapshot, out, args, update } = await createMirror();
    const root = args.slice(1, args.indexOf('--out'));
    expect((await runMicrofiche(['harvest', ...root])).code).toBe(0);
    await upstream.close();
    const { code, report } = await update();
    expect([code, statesOf(report)]).toEqual([3, ['harvest failed', ...ALL_DONE.slice(1)]]);
    expect(report.messages[0]).toMatch(/^Upstream could not be harvested: No response from http/);
    expect(report.site?.pages).toBeGreaterThan(RECORDS);
    expect(existsSync(join(out, 'manifest-sha256.txt'))).toBe(true);
    expect(readLast(snapshot)).toMatchObject({ outcome: 'partial', exitCode: 3, hasBuilt: true });
  });

  it('when the host becomes unreachable during a harvest; the next update resumes it', async () => {
    const { upstream, ids, update } = await createMirror();
    expect((await update()).code).toBe(0);
    const { routes } = upstream;
    const path = `/api/0.2/${ids[6]}/`;
    const [record, port] = [routes.get(path), Number(new URL(upstream.url).port)];
    routes.set(path, (() => void upstream.close()) satisfies Handler);
    const { code, report } = await update('--full');
    expect([code, statesOf(report)]).toEqual([3, ALL_DONE]);
    expect(report.messages[0]).toMatch(
      /^The harvest stopped: 127\.0\.0\.1:\d+ is unreachable \(.*\)\. The next update resumes it\.$/,
    );
    const again = await startTestUpstream({ port });
    for (const [name, route] of routes) again.routes.set(name, route);
    again.routes.set(path, record);
    expect((await update()).code).toBe(0);
    expect(again.requests).not.toContain('/api/0.2/demo-org-1/'); // it was fetched before the host became unreachable
  });
});

describe('exits 4 and leaves the site as it was', () => {
  it('when too many of the known records fail, until they respond again', async () => {
    const { upstream, ids, snapshot, out, update, directory } = await createMirror();
    expect((await update()).code).toBe(0);
    const before = readFiles(out);
    const lost = ids.slice(3, 9).map((id) => [`/api/0.2/${id}/`, upstream.routes.get(`/api/0.2/${id}/`)] as const);
    for (const [path] of lost) upstream.routes.delete(path);
    const { code, report, stderr } = await update('--metrics', join(directory, 'm.prom'));
    expect([code, statesOf(report), report.outcome]).toEqual([4, ['harvest done'], 'too-few-records']);
    expect(stderr).toBe(
      `microfiche: 6 of 13 stored records could not be fetched again (46%), more than --gone-limit allows (10%). The site in ${out} was left as it was. If the archive is really that small, run the update once with a higher --gone-limit.\n`,
    );
    expect(readFiles(out)).toEqual(before);
    expect(report.records?.siteFiles).toBe(before.size - 1); // without the manifest
    expect(readFileSync(join(directory, 'm.prom'), 'utf8')).toMatch(
      /^microfiche_update_outcome\{.*outcome="too-few-records"\} 1$/m,
    );

    // The snapshot is still what that harvest has left if upstream is unreachable.
    const authors = upstream.routes.get('/api/3.0/authors/');
    upstream.routes.delete('/api/3.0/authors/');
    const unreachable = await update();
    expect([unreachable.code, unreachable.report.messages[1]]).toEqual([4, 'The last complete harvest found too few records.']);
    expect(readFiles(out)).toEqual(before);

    upstream.routes.set('/api/3.0/authors/', authors);
    for (const [path, route] of lost) upstream.routes.set(path, route);
    const last = await update();
    expect([last.code, changesOf(last.report)?.removed]).toEqual([0, []]);
    expect(readLast(snapshot).tooFewRecords).toBe(false);
  });

  it('when the first harvest finds far less than the lists announce', async () => {
    const { upstream, ids, out, update } = await createMirror();
    const children = '/api/0.2/demo-org-1/children/';
    upstream.routes.set(children, {
      total: 100,
      offset: 0,
      next_offset: null,
      objects: ids.map((id) => ({ id, model: 'entity' })),
    });
    for (const run of ['first', 'second']) {
      const { code, report } = await update();
      expect([run, code, report.messages]).toEqual([
        run,
        4,
        [expect.stringMatching(/^88 of the 101 records that upstream announces are missing \(87%\)/)],
      ]);
    }
    expect(existsSync(out)).toBe(false);
    expect((await update('--gone-limit', '90%')).code).toBe(3); // the list is still incomplete
  });

  it('when upstream has nothing to start from', async () => {
    const { snapshot, args } = await createMirror();
    const [root, limits] = [args.indexOf('--root'), args.indexOf('--attempts')];
    const { code, stderr } = await runMicrofiche([...args.slice(0, root), ...args.slice(root + 2, limits)]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/^microfiche: The authors list at .* is empty.* The site in .* was left as it was\./),
    ]);
    expect(existsSync(snapshot)).toBe(false);
  });
});

it('writes no report into the site, which would publish it, and harvests nothing', async () => {
  const { out, directory, upstream, args } = await createMirror();
  const file = join(out, 'reports/last.json');
  const { code, stderr } = await runMicrofiche([...args, '--report-to', file], { cwd: directory });
  expect([code, stderr]).toEqual([
    2,
    `microfiche: ${file} is within the site, which would publish it. Choose a file outside of ${out}.\n`,
  ]);
  expect([existsSync(out), upstream.requests]).toEqual([false, []]);
});

describe('exits 5', () => {
  it('when another process has locked the snapshot, and changes neither it nor the reports of its update', async () => {
    const { snapshot, directory, upstream, update } = await createMirror();
    mkdirSync(snapshot);
    const lock = lockSnapshot(snapshot);
    const files = ['r.json', 'r.md', 'm.prom'].map((file) => join(directory, file));
    const { code, stderr, report } = await update(
      '--report-to',
      files[0] as string,
      files[1] as string,
      '--metrics',
      files[2] as string,
    );
    lock.close();
    expect([code, stderr]).toEqual([
      5,
      `microfiche: Another Microfiche process is writing to the snapshot in ${snapshot}. Wait until it has finished.\n`,
    ]);
    expect([report.outcome, report.steps, upstream.requests]).toEqual(['locked', [], []]);
    expect(files.map((file) => existsSync(file))).toEqual([false, false, false]);
    expect(existsSync(join(snapshot, 'update.json'))).toBe(false);
  });

  it('when a build writes to the directory of the site', async () => {
    const { out, snapshot, update } = await createMirror();
    const lock = lockSite(out);
    const { code, stderr } = await update();
    lock.close();
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^microfiche: Another build is writing to [^\n]*\n$/)]);
    expect(existsSync(snapshot)).toBe(false);
  });

  it('when another update is running, which keeps both locks from the first step to the last', async () => {
    const { upstream, snapshot, out, args, update } = await createMirror();
    const { child, ended, requested } = startAndWait(args, upstream, '/bell.jpg');
    await requested;
    expect((await update()).code).toBe(5);
    const options = upstreamOptions(upstream.url);
    const harvest = await runMicrofiche(['harvest', ...options, '--snapshot', snapshot]);
    const build = await runMicrofiche(['build', '--snapshot', snapshot, '--out', out]);
    expect([harvest.code, build.code]).toEqual([1, 1]);
    expect(harvest.stderr + build.stderr).toMatch(/Another Microfiche process.*\n.*Another build is writing/);
    child.kill('SIGKILL');
    await ended;
  });
});

describe('exits 1', () => {
  it('when verify has findings, after the site was built', async () => {
    const { snapshot, out, args, update } = await createMirror();
    expect((await update()).code).toBe(0);
    const [file = ''] = globSync('media/**/*.jpg', { cwd: snapshot });
    const bytes = readFileSync(join(snapshot, file));
    bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
    writeFileSync(join(snapshot, file), bytes);
    const { code, report, stderr } = await update();
    expect([code, report.outcome, statesOf(report)]).toEqual([1, 'failed', ALL_DONE]);
    expect(report.verify?.findings.first[0]).toMatchObject({
      in: 'snapshot',
      what: file,
      problem: expect.stringMatching(/SHA-256/),
    });
    expect(stderr).toMatch(/^microfiche: The site was built, but verify has findings \(\d+\)\.\n$/);
    expect((await runMicrofiche(['verify', '--dir', out])).code).toBe(0);
    expect((await runMicrofiche(args)).stdout).toContain('checksum mismatch');
  });

  it('when upstream does not respond at the first update, and leaves nothing', async () => {
    const { upstream, snapshot, out, directory, update } = await createMirror();
    await upstream.close();
    const { code, report, stderr } = await update('--report-to', join(directory, 'r.json'));
    expect([code, statesOf(report), report.steps[0]?.cause]).toEqual([
      1,
      ['harvest failed'],
      expect.stringMatching(/^No response from/),
    ]);
    expect(stderr).toMatch(/^microfiche: No response from [^\n]*\n$/);
    expect(JSON.parse(readFileSync(join(directory, 'r.json'), 'utf8'))).toEqual(report);
    expect([existsSync(snapshot), existsSync(out)]).toEqual([false, false]);
  });

  it('when the directory of the site contains something else, before anything is requested', async () => {
    const { upstream, out, update } = await createMirror();
    mkdirSync(out);
    writeFileSync(join(out, 'letter.txt'), 'Dear Jane');
    const { code, report } = await update();
    expect([code, report.steps, upstream.requests]).toEqual([1, [], []]);
    expect(report.messages).toEqual([expect.stringMatching(/is not empty and does not contain a site/)]);
  });

  it('when it is interrupted, at once and with a report', async () => {
    const { upstream, args, directory, snapshot, update } = await createMirror();
    const image = upstream.routes.get('/bell.jpg');
    const json = join(directory, 'r.json');
    const { child, ended, requested } = startAndWait([...args, '--report-to', json], upstream, '/bell.jpg');
    await requested;
    child.kill('SIGTERM');
    expect(await ended).toBe(130);
    const report = JSON.parse(readFileSync(json, 'utf8')) as UpdateReport;
    expect([report.outcome, statesOf(report)]).toEqual(['interrupted', ['harvest done', 'media interrupted']]);
    expect(report.messages).toEqual(['The update was interrupted. Run the same command again to resume.']);
    expect(readLast(snapshot)).toMatchObject({ outcome: 'interrupted', exitCode: 130 });
    upstream.routes.set('/bell.jpg', image);
    expect((await update()).code).toBe(0);
  });
});

it('reports wrong settings and own pages before it harvests', async () => {
  const directory = createTestDirectory();
  const update = (...more: string[]) =>
    runMicrofiche(['update', ...upstreamOptions('http://127.0.0.1:1'), ...more], { cwd: directory });
  writeFileSync(join(directory, 'microfiche.config.json'), JSON.stringify({ design: { logo: 'missing.svg' } }));
  expect(await update()).toMatchObject({ code: 2, stderr: expect.stringMatching(/missing\.svg/) });
  writeFileSync(join(directory, 'microfiche.config.json'), '{}');
  mkdirSync(join(directory, 'content/pages'), { recursive: true });
  writeFileSync(join(directory, 'content/pages/about.md'), 'A text without a title.\n');
  expect(await update('--report-to', 'last.json', '--metrics', 'last.prom')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/about\.md, line 1: /),
  });
  const report = JSON.parse(readFileSync(join(directory, 'last.json'), 'utf8')) as UpdateReport;
  expect([report.outcome, report.messages]).toEqual(['failed', [expect.stringMatching(/about\.md, line 1: /)]]);
  expect(readFileSync(join(directory, 'last.prom'), 'utf8')).toMatch(/update_exit_code\S* 1\n/);
  expect(existsSync(join(directory, 'content/snapshot'))).toBe(false);
});

it('overwrites only reports with its report, and writes none into the snapshot', async () => {
  const { directory, snapshot, upstream, args } = await createMirror();
  for (const [file, text] of [
    ['package.json', '{ "name": "harbor" }'],
    ['README.md', '# Harbor\n'],
    ['broken.json', '{'],
  ] as const) {
    writeFileSync(join(directory, file), text);
    const { code, stderr } = await runMicrofiche([...args, '--report-to', file], { cwd: directory });
    expect([code, stderr]).toEqual([
      2,
      `microfiche: ${file} is not the report of an update, and would be overwritten. Choose another file with --report-to.\n`,
    ]);
    expect(readFileSync(join(directory, file), 'utf8')).toBe(text);
  }
  const { code, stderr } = await runMicrofiche([...args, '--report-to', join(snapshot, 'r.json')], { cwd: directory });
  expect([code, stderr]).toEqual([2, expect.stringContaining('is within the snapshot, which has no other files.')]);
  expect(upstream.requests).toEqual([]);
});

it('exits 2 for a usage error', async () => {
  const cases: Array<[options: string[], message: RegExp]> = [
    [[], /^error: --authors-url is required/],
    [[...upstreamOptions('http://127.0.0.1:1'), '--report-to', 'report.txt'], /does not end in \.json or \.md/],
    [[...upstreamOptions('http://127.0.0.1:1'), '--webhook', 'ftp://x.example'], /Expected a URL that begins with http/],
    [
      [...upstreamOptions('http://127.0.0.1:1'), '--compact', '--site', 'https://x.example'],
      /--compact builds have no pages for search engines/,
    ],
  ];
  const results = await Promise.all(cases.map(([options]) => runMicrofiche(['update', ...options])));
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(
    cases.map(([, message]) => [2, expect.stringMatching(message)]),
  );
});

it('resumes by itself after it was killed during the harvest, the downloads and the build', async () => {
  const { upstream, ids, snapshot, out, args, update } = await createMirror();
  const kill = async (path: string) => {
    const route = upstream.routes.get(path);
    const { child, ended, requested } = startAndWait(args, upstream, path);
    await requested;
    child.kill('SIGKILL');
    await ended;
    upstream.routes.set(path, route);
    expect(readLast(snapshot)).toMatchObject({ finishedAt: null, outcome: null });
  };
  await kill(`/api/0.2/${ids.at(-1)}/`);
  const fetched = new Set(upstream.requests.filter((path) => /demo-org-1-\d+\/$/.test(path)));
  upstream.requests.length = 0;
  await kill('/bell.jpg');
  const repeated = upstream.requests.filter((path) => fetched.has(path));
  expect(repeated.length).toBeLessThanOrEqual(4); // those in flight
  expect(await killWhileMoving(args, out, 5, process.env)).toBe('SIGKILL');
  expect([existsSync(out), existsSync(join(out, 'manifest-sha256.txt'))]).toEqual([true, false]);
  const { code, report } = await update();
  expect([code, statesOf(report)]).toEqual([0, ALL_DONE]);
  expect(report.changes?.new.count).toBe(RECORDS + 1); // of all updates since the first, because none has built the site
});

it('does not change the exit code if the webhook fails or redirects, and does not print its path', async () => {
  const { upstream, directory, args } = await createMirror();
  await upstream.close();
  for (const status of [500, 307]) {
    const webhook = await startWebhook(status);
    const json = join(directory, `${status}.json`);
    const { code, stderr } = await runMicrofiche([...args, '--report-to', json, '--webhook', `${webhook.url}/secret`]);
    expect([code, webhook.received.length]).toEqual([1, 1]);
    expect(stderr).toMatch(new RegExp(`^microfiche: The report could not be posted to 127\\.0\\.0\\.1:\\d+: HTTP ${status}`));
    expect(stderr + readFileSync(json, 'utf8')).not.toContain('secret');
  }
});

/** Starts a server that responds to all requests with a status, and collects their bodies. */
async function startWebhook(status: number): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/**
 * Starts a command, and makes upstream never respond to the requests for a path. `requested` resolves at the first of them, and
 * `ended` with the exit code of the command; null if it was killed.
 */
function startAndWait(args: string[], upstream: TestUpstream, path: string) {
  const requested = new Promise<void>((resolve) => upstream.routes.set(path, (() => resolve()) satisfies Handler));
  const child = spawn(process.execPath, [join(ROOT, 'scripts/bin.mjs'), ...args], { cwd: ROOT, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, ended, requested };
}

it('refuses a file of metrics that the collector would not read', async () => {
  const { upstream, args } = await createMirror();
  const { code, stderr } = await runMicrofiche([...args, '--metrics', 'metrics.txt']);
  expect([code, upstream.requests]).toEqual([2, []]);
  expect(stderr).toContain('It does not end in .prom, and the collector reads no other files.');
});

describe('a directory with other files', () => {
  it('is refused as a snapshot before anything is requested or written, by update and harvest', async () => {
    const { upstream, directory, args } = await createMirror();
    const other = join(directory, 'documents');
    mkdirSync(other);
    for (const name of ['.hidden', 'a.txt', 'b.txt', 'c.txt', 'd.txt']) writeFileSync(join(other, name), name);
    const harvestArgs = ['harvest', ...upstreamOptions(upstream.url), '--root', 'demo-org-1'];
    for (const command of [args, harvestArgs]) {
      const { code, stderr } = await runMicrofiche([...command, '--snapshot', other]);
      expect([code, stderr.trim()]).toEqual([
        1,
        `microfiche: ${other} is not empty, and has no snapshot: it contains a.txt, b.txt, c.txt and 1 more. Name a new or empty directory with --snapshot.`,
      ]);
    }
    expect([readdirSync(other).length, upstream.requests]).toEqual([5, []]);
  });

  it('is used if a harvest has begun there, or nothing but hidden files is there', async () => {
    const { upstream, directory } = await createMirror();
    const empty = join(directory, 'volume');
    mkdirSync(join(empty, 'lost+found'), { recursive: true });
    for (const name of ['.gitkeep', 'report.txt']) writeFileSync(join(empty, name), '');
    const { code } = await runMicrofiche([
      'harvest',
      ...upstreamOptions(upstream.url),
      '--root',
      'demo-org-1',
      '--snapshot',
      empty,
    ]);
    expect(code).toBe(0);
  });
});
