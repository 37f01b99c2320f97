/**
 * The npm package, as a newcomer uses it: packed, installed into an empty directory outside of the repository, and run there by the oldest Node
 * that it supports and by its own. Needs the npm registry.
 */
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChromium, waitForSearch } from './chromium.ts';
import { createSharedDirectory, ROOT, readFiles, SAMPLE, startServe } from './support.ts';

const folder = createSharedDirectory();
const installed = join(folder.path, 'installed');
const OLD_NODE = '20.20.2';
/** Directories with the program `node`. */
const NODES = { old: join(folder.path, 'old/node_modules/node/bin'), own: dirname(process.execPath) };
const MEGABYTE = 1_000_000;
let upstream: Awaited<ReturnType<typeof startServe>>;
let browser: Browser;

/** Runs a program with a version of Node. */
const run = (program: string, args: string[], cwd: string, node: keyof typeof NODES = 'own') =>
  execa(program, args, {
    cwd,
    env: { PATH: `${NODES[node]}${delimiter}${process.env['PATH']}`, MICROFICHE_CACHE: '' },
    reject: false,
    all: true,
  });

/** Runs the installed command. */
const microfiche = (args: string[], cwd: string, node: keyof typeof NODES) =>
  run('node', [join(installed, 'node_modules/microfiche/scripts/bin.mjs'), ...args], cwd, node);

async function install(directory: string, name: string): Promise<void> {
  mkdirSync(directory);
  const { exitCode, all } = await run('npm', ['install', '--prefix', '.', '--no-audit', '--no-fund', name], directory);
  expect([exitCode, all]).toEqual([0, expect.any(String)]);
}

beforeAll(async () => {
  const packed = await run('npm', ['pack', '--pack-destination', folder.path], ROOT);
  expect([packed.exitCode, packed.all]).toEqual([0, expect.any(String)]);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  await install(installed, join(folder.path, `microfiche-${version}.tgz`));
  await install(join(folder.path, 'old'), `node@${OLD_NODE}`);
  upstream = await startServe(['--snapshot', SAMPLE, '--port', '0']);
  browser = await startChromium();
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await upstream?.stop();
  folder.remove();
});

describe('the package', () => {
  it('has JavaScript, types and source maps, and less than 2 MB beside the sample', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], ROOT);
    const [{ files }] = JSON.parse(stdout) as [{ files: Array<{ path: string }> }];
    const paths = files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'lib/src/pipeline/build.js',
        'lib/src/pipeline/build.d.ts',
        'lib/src/pipeline/build.js.map',
        'scripts/bin.mjs',
      ]),
    );
    expect(paths.filter((path) => /(?<!\.d)\.ts$|^(?:tests|docs|src)\/|\.test\./.test(path))).toEqual([]);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const { size } = statSync(join(folder.path, `microfiche-${version}.tgz`));
    const sample = gzipSync(Buffer.concat([...readFiles(SAMPLE).values()])).length;
    expect(size - sample).toBeLessThan(2 * MEGABYTE);
  });

  it.each(['old', 'own'] as const)(
    'starts a project, updates it, and makes a site that opens from a drive, with the %s Node',
    async (node) => {
      const before = readFiles(join(installed, 'node_modules/microfiche'));
      const project = join(folder.path, node === 'old' ? 'harbor-20' : 'harbor');
      const urls = ['--authors-url', upstream.url, '--catalog-url', upstream.url];
      const started = await microfiche(['init', project, '--title', 'Harbor Archive', ...urls, '--yes'], folder.path, node);
      expect([started.exitCode, started.all]).toEqual([0, expect.any(String)]);
      const updated = await microfiche(['update', '--allow-host', '127.0.0.1', '--json'], project, node);
      expect([0, 3], updated.all).toContain(updated.exitCode);
      const page = await browser.newPage();
      await page.goto(`${pathToFileURL(join(project, 'dist/index.html')).href}`);
      expect(await page.locator('h1').innerText()).toBe('Harbor Archive');
      await page.goto(`${pathToFileURL(join(project, 'dist/search.html')).href}?q=ferry`);
      await waitForSearch(page);
      expect(await page.locator('#results li').count()).toBeGreaterThan(5);
      await page.close();
      // Its caches are in the project.
      expect(statSync(join(project, '.microfiche/cache/program')).isDirectory()).toBe(true);
      const after = readFiles(join(installed, 'node_modules/microfiche'));
      expect([...after.keys()]).toEqual([...before.keys()]);
    },
  );
});
