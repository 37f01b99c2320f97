/**
 * The npm package, as a newcomer uses it: packed, installed into an empty directory outside of the repository, and run there by
 * the oldest Node that it supports and by its own. Needs the npm registry.
 */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startChromium, waitForSearch } from '../support/chromium.ts';
import { createSharedDirectory, ROOT, readFiles, SAMPLE, startServe } from '../support/commands.ts';
import { startTestRegistry } from '../support/test-registry.ts';

const folder = createSharedDirectory();
const installed = join(folder.path, 'installed');
const OLD_NODE = '20.20.2';
const MIDDLE_NODE = '22.23.3';
/** Directories with the program `node`. */
const NODES = {
  old: join(folder.path, 'old/node_modules/node/bin'),
  middle: join(folder.path, 'middle/node_modules/node/bin'),
  own: dirname(process.execPath),
};
const MEGABYTE = 1_000_000;
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
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
  run('node', [join(installed, 'node_modules/microfiche-archive/scripts/bin.mjs'), ...args], cwd, node);

async function install(directory: string, name: string): Promise<void> {
  mkdirSync(directory);
  const { exitCode, all } = await run('npm', ['install', '--prefix', '.', '--no-audit', '--no-fund', name], directory);
  expect([exitCode, all]).toEqual([0, expect.any(String)]);
}

beforeAll(async () => {
  const packed = await run('npm', ['pack', '--pack-destination', folder.path], ROOT);
  expect([packed.exitCode, packed.all]).toEqual([0, expect.any(String)]);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  await install(installed, join(folder.path, `microfiche-archive-${version}.tgz`));
  await install(join(folder.path, 'old'), `node@${OLD_NODE}`);
  await install(join(folder.path, 'middle'), `node@${MIDDLE_NODE}`);
  upstream = await startServe(['--snapshot', SAMPLE, '--port', '0']);
  browser = await startChromium();
});

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
        'lib/src/build/build.js',
        'lib/src/build/build.d.ts',
        'lib/src/build/build.js.map',
        'scripts/bin.mjs',
      ]),
    );
    expect(paths.filter((path) => /(?<!\.d)\.ts$|^(?:tests|docs|src)\/|\.test\./.test(path))).toEqual([]);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const { size } = statSync(join(folder.path, `microfiche-archive-${version}.tgz`));
    const sample = gzipSync(Buffer.concat([...readFiles(SAMPLE).values()])).length;
    expect(size - sample).toBeLessThan(2 * MEGABYTE);
  });

  it('has source maps that name the files of the repository', () => {
    const map = readFileSync(join(installed, 'node_modules/microfiche-archive/lib/src/build/build.js.map'), 'utf8');
    expect(JSON.parse(map)).toMatchObject({ sourceRoot: 'microfiche:///', sources: ['src/build/build.ts'] });
  });

  it('starts a project, and reads a snapshot, with the Node between them', async () => {
    const apis = ['--authors-url', upstream.url, '--catalog-url', upstream.url];
    const { stdout } = await run('node', ['--version'], folder.path, 'middle');
    expect(stdout).toBe(`v${MIDDLE_NODE}`);
    const started = await microfiche(
      ['init', join(folder.path, 'harbor-22'), '--title', 'Harbor', ...apis, '--yes'],
      folder.path,
      'middle',
    );
    expect([started.exitCode, started.all]).toEqual([0, expect.any(String)]);
    const { exitCode, all } = await microfiche(['status', '--snapshot', SAMPLE], folder.path, 'middle');
    expect([exitCode, all]).toEqual([0, expect.stringContaining('article')]);
  });

  it.each(['old', 'own'] as const)(
    'starts a project, updates it, and makes a site that opens from a drive, with the %s Node',
    async (node) => {
      const before = readFiles(join(installed, 'node_modules/microfiche-archive'));
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
      // Its caches are in the project, but not the code that it made.
      expect(statSync(join(project, '.microfiche/cache/derivatives')).isDirectory()).toBe(true);
      expect(existsSync(join(project, '.microfiche/cache/program'))).toBe(false);
      const after = readFiles(join(installed, 'node_modules/microfiche-archive'));
      expect([...after.keys()]).toEqual([...before.keys()]);
    },
  );

  it('is installed by npm create, once, in a project that then can be updated', async () => {
    const create = join(ROOT, 'scripts/create');
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder.path], create);
    const [{ files, version }] = JSON.parse(packed.stdout) as [{ files: Array<{ path: string }>; version: string }];
    expect(files.map(({ path }) => path)).toEqual(['LICENSE', 'README.md', 'index.mjs', 'package.json']);
    const registry = await startTestRegistry([
      [join(ROOT, 'package.json'), join(folder.path, `microfiche-archive-${version}.tgz`)],
      [join(create, 'package.json'), join(folder.path, `create-microfiche-${version}.tgz`)],
    ]);
    onTestFinished(async () => void (await registry.stop()));
    const home = join(folder.path, 'newcomer');
    mkdirSync(home);
    const typed = (...args: string[]) =>
      run('npm', ['create', '--yes', '--registry', registry.url, 'microfiche@latest', ...args], home);
    const unnamed = await typed();
    expect([unnamed.exitCode, unnamed.all]).toEqual([2, expect.stringContaining('Name the directory of the new project first')]);
    const forgotten = await typed('my-archive', 'My archive');
    expect([forgotten.exitCode, forgotten.all]).toEqual([2, expect.stringContaining('Write two hyphens before options')]);
    const urls = ['--authors-url', upstream.url, '--catalog-url', upstream.url];
    const created = await typed('my-archive', '--', '--title', 'My archive', ...urls, '--yes');
    expect([created.exitCode, created.all]).toEqual([0, expect.stringContaining('Started a project in my-archive')]);
    const project = join(home, 'my-archive');
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { dependencies: object };
    expect(dependencies).toEqual({ 'microfiche-archive': version });
    const status = await run('npx', ['--no-install', 'microfiche', 'status', '--snapshot', SAMPLE], project);
    expect([status.exitCode, status.all]).toEqual([0, expect.stringContaining('article')]);
    writeFileSync(join(home, 'notes.txt'), '');
    const again = await typed('.');
    expect([again.exitCode, again.all]).toEqual([1, expect.stringContaining('is not empty, and nothing was written')]);
  });

  it('builds with an own component, to which it gives its types', async () => {
    const project = join(folder.path, 'harbor');
    const settings = JSON.parse(readFileSync(join(project, 'microfiche.config.json'), 'utf8')) as object;
    const component = { components: { Footer: './src/Footer.astro' } };
    writeFileSync(join(project, 'microfiche.config.json'), JSON.stringify({ ...settings, ...component }));
    mkdirSync(join(project, 'src'));
    writeFileSync(
      join(project, 'src/Footer.astro'),
      "---\nimport Default from 'microfiche-archive/components/Footer.astro';\nimport { keeper } from './keeper';\n---\n<p class=\"keeper\">{keeper(Astro.props)}</p>\n<Default {...Astro.props} />\n",
    );
    writeFileSync(
      join(project, 'src/keeper.ts'),
      "import type { ComponentProps } from 'microfiche-archive/components';\nexport const keeper = ({ site }: ComponentProps['Footer']): string => 'Kept for '.concat(site.title.toUpperCase());\n",
    );
    const built = await microfiche(['build'], project, 'own');
    expect([built.exitCode, built.all]).toEqual([0, expect.any(String)]);
    expect(readFileSync(join(project, 'dist/about.html'), 'utf8')).toMatch(/Kept for HARBOR ARCHIVE<\/p>\s*<footer/);

    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(join(installed, 'node_modules/microfiche-archive'), join(project, 'node_modules/microfiche-archive'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--moduleResolution', 'bundler'];
    const typecheck = () => run(process.execPath, [TSC, ...options, '--module', 'esnext', 'src/keeper.ts'], project);
    expect((await typecheck()).all).toBe('');
    const wrong = readFileSync(join(project, 'src/keeper.ts'), 'utf8').replace('site.title.', 'site.titel.');
    writeFileSync(join(project, 'src/keeper.ts'), wrong);
    expect((await typecheck()).all).toContain("Property 'titel' does not exist on type 'Site'");
  });
});
