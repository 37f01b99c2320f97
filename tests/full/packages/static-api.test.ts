/** The static API: a plain web server serves it, and a harvest from there gives the same content. */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { runVerify } from '../../../scripts/commands/verify.ts';
import type { ExportReport } from '../../../src/export/export-context.ts';
import type { HarvestReport } from '../../../src/harvest/report.ts';
import { createTestDirectory, readFiles, runMicrofiche, runMicroficheJson, upstreamOptions } from '../../support/commands.ts';

const exportApi = (to: string, site: string) =>
  runMicroficheJson<ExportReport>(['export', 'api', '--snapshot', inject('mirror').snapshot, '--to', to, '--site', site]);

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Serves a directory with the web server of Python, which knows nothing of the API. */
async function withWebServer<T>(directory: string, port: number, work: () => Promise<T>): Promise<T> {
  const server = spawn('python3', ['-u', '-m', 'http.server', String(port), '--bind', '127.0.0.1'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'], // its log would fill a pipe that no one reads
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.stdout.once('data', () => resolve());
    });
    return await work();
  } finally {
    server.kill();
  }
}

it('can be harvested from a plain web server, with the same content', async () => {
  const directory = createTestDirectory();
  const [copy, snapshot] = [join(directory, 'copy'), join(directory, 'snapshot')];
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const exported = await exportApi(copy, url);
  await withWebServer(copy, port, async () => {
    const report = await runMicroficheJson<HarvestReport>(['harvest', ...upstreamOptions(url), '--snapshot', snapshot]);
    // Upstream does not have this record either. A list below it would make a server of directories respond with HTML.
    expect(existsSync(join(copy, 'api/0.2/lica-quay-3'))).toBe(false);
    expect(report.failures.map(({ key }) => key)).toEqual(['object:lica-quay-3']);
    const { fingerprint } = await runMicroficheJson<{ fingerprint: string }>([
      'status',
      '--snapshot',
      snapshot,
      '--dir',
      'nowhere',
    ]);
    expect(fingerprint).toBe(exported.fingerprint);
    const { code } = await runMicrofiche([
      'media',
      '--snapshot',
      snapshot,
      '--kinds',
      'image',
      '--allow-host',
      `127.0.0.1:${port}`,
    ]);
    expect(code).toBe(0);
  });
});

it('has each list whole, and each address as a directory with an index file', async () => {
  const copy = join(createTestDirectory(), 'copy');
  await exportApi(copy, 'https://mirror.example/x');
  const read = (path: string) => JSON.parse(readFileSync(join(copy, path, 'index.html'), 'utf8')) as Record<string, unknown>;
  expect(read('api/0.2/lica-quay-1')).toMatchObject({
    id: 'lica-quay-1',
    links: { json: 'https://mirror.example/x/api/0.2/lica-quay-1/' },
  });
  const list = read('api/0.2/lica-quay-1/children') as { objects: unknown[]; total: number; next_api: string };
  expect([list.objects.length, list.next_api]).toEqual([list.total, '']);
  expect(list.total).toBeGreaterThan(25);
  expect(read('api/3.0/authors/Sven Ashlock')).toMatchObject({ title: expect.stringContaining('Ashlock') as string });
  expect(existsSync(join(copy, 'api/3.0/articles/Cannery Whistle / Night Shift/index.html'))).toBe(true);
});

it('is verified by its list of checksums, which has every name', async () => {
  const copy = join(createTestDirectory(), 'copy');
  await exportApi(copy, 'https://copy.example');
  const verify = async () =>
    (await runVerify({ snapshot: undefined, dir: copy, repair: undefined, quiet: true, signers: undefined })).result;
  expect(await verify()).toMatchObject({ ok: true, package: { format: 'api', findings: [] } });
  const record = 'api/0.2/lica-quay-1-1/index.html';
  appendFileSync(join(copy, record), ' ');
  rmSync(join(copy, 'README.txt'));
  writeFileSync(join(copy, 'more.txt'), '');
  const { ok, package: audit } = await verify();
  expect([ok, audit?.findings.map(({ problem }) => problem).sort()]).toEqual([
    false,
    [
      'README.txt is missing',
      `${record} was changed: its checksum is not that of manifest-sha256.txt`,
      'more.txt is not listed in manifest-sha256.txt',
    ],
  ]);
});

it('contains nothing that the archive does not publish', async () => {
  const copy = join(createTestDirectory(), 'copy');
  await exportApi(copy, 'https://mirror.example');
  for (const [path, bytes] of readFiles(copy))
    expect(/Percival Withheld|harbourmaster|lica-quay-1-12\b/.test(`${path} ${bytes}`), path).toBe(false);
});

it('needs the URL where it will be hosted', async () => {
  const { code, stderr } = await runMicrofiche([
    'export',
    'api',
    '--snapshot',
    inject('mirror').snapshot,
    '--to',
    join(createTestDirectory(), 'x'),
  ]);
  expect([code, stderr]).toEqual([2, 'microfiche: export api needs the URL where it will be hosted. Give it with --site.\n']);
});
