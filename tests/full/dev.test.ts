/** The dev server over a snapshot, and `astro check` of a page, in copies of the project that the tests change. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ConsoleMessage, Page, Response } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { readDevOptions } from '../../scripts/commands/dev.ts';
import { startChromium } from '../support/chromium.ts';
import { createTestDirectory, LONG, ROOT, spawnMicrofiche } from '../support/commands.ts';

const run = promisify(execFile);
const PARTS = ['src', 'scripts', 'tests', 'public', 'content/sample', 'astro.config.mjs', 'package.json', 'tsconfig.json'];
const BIN = join(ROOT, 'node_modules/.bin');
/** The environment without the variables by which Vite's server detects Vitest and behaves differently. */
function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env;
  return { ...env, PATH: `${BIN}:${env['PATH']}`, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...more };
}

/** Returns the directory of a copy of the project, with the installed npm packages. */
function copyProject(): string {
  const copy = createTestDirectory();
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Starts the dev server and returns its URL. It stops when the test ends. */
async function startDev(project: string, env: Record<string, string>, command: string, args: string[]): Promise<string> {
  const server = spawn(command, args, { cwd: project, env: environment(env) });
  onTestFinished(async () => {
    const ended = new Promise((done) => server.once('exit', done));
    if (server.exitCode === null && server.kill()) await ended;
  });
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const url = /(?:Local\s+|"url":")(http:[^\s"]+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', (code) => reject(new Error(`The dev server ended with ${code}: ${output}`)));
  });
}

/** Calls a function that opens a page. Astro reloads it once, after first writing its data store: that may interrupt it. */
function opening<T>(navigate: () => Promise<T>): Promise<T> {
  return navigate().catch((error: Error) => {
    if (!error.message.includes('ERR_ABORTED')) throw error;
    return navigate();
  });
}

const open = (page: Page, url: string): Promise<Response | null> => opening(() => page.goto(url));

/** Opens a page, and waits until it hears of changes, which it would miss before. */
async function openConnected(page: Page, url: string): Promise<void> {
  const isConnected = (message: ConsoleMessage) => message.text().includes('[vite] connected.');
  // Each attempt has a wait of its own: a page that is interrupted may have been connected.
  await opening(() => Promise.all([page.waitForEvent('console', isConnected), page.goto(url)]));
}

it('shows records of the snapshot at MICROFICHE_SNAPSHOT and own pages, and shows them again when a component or a text changes', async () => {
  const project = copyProject();
  const text = join(project, 'content/exhibits/one.md');
  mkdirSync(join(project, 'content/exhibits'), { recursive: true });
  writeFileSync(text, '---\ntitle: A harbor\nmenu: true\n---\nFirst words.\n\n::image{id=lica-quay-1-1}\n');
  const env = { MICROFICHE_SNAPSHOT: inject('mirror').snapshot, MICROFICHE_CACHE: join(project, 'cache') };
  const url = await startDev(project, env, 'astro', ['dev', '--port', '0']);
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  for (const id of ['lica', 'lica-quay', 'lica-quay-1-1', 'lica-ferry-1-1']) {
    expect((await open(page, `${url}objects/${id}.html`))?.status(), id).toBe(200);
    await expect.poll(() => page.locator('h1').count(), { message: id }).toBe(1);
  }
  await openConnected(page, `${url}objects/lica-quay-1-1.html`);
  const isLoaded = await page
    .locator('main img')
    .first()
    .evaluate((image: HTMLImageElement) => image.decode().then(() => true));
  expect(isLoaded).toBe(true);
  expect(await (await fetch(`${url}objects/lica-nothing-9.html`)).text()).not.toContain('node_modules');

  const component = join(project, 'src/site/pages/object/ObjectHeading.astro');
  const before = readFileSync(component, 'utf8');
  writeFileSync(component, before.replace('<h1', '<p id="changed">changed</p><h1'));
  expect(readFileSync(component, 'utf8')).not.toBe(before);
  await page.locator('#changed').waitFor();

  await openConnected(page, `${url}exhibits/one.html`);
  await page.getByText('First words.').waitFor();
  await page.locator('main figure img').waitFor();
  writeFileSync(text, ''); // as an editor does that writes slowly
  await sleep(30);
  writeFileSync(text, '---\ntitle: Another harbor\nmenu: true\n---\nSecond words.\n');
  await page.getByText('Second words.').waitFor();
  await page.locator('header nav').getByText('Another harbor').waitFor();
});

it('shows the sample archive by default, also as “microfiche dev”, which prints its URL with --json', async () => {
  const project = copyProject();
  const url = await startDev(project, { MICROFICHE_CACHE: join(project, 'cache') }, 'node', [
    'scripts/bin.mjs',
    ...['dev', '--port', '0', '--languages', 'en,es', '--json'],
  ]);
  const html = await (await fetch(`${url}es/index.html`)).text();
  expect(html).toContain('lang="es"');
  expect(await (await fetch(`${url}authors/index.html`)).text()).toContain('<h1>');
});

it('shows the snapshot of a project that has one', async () => {
  const directory = createTestDirectory();
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(directory);
  expect((await readDevOptions()).snapshot).toMatch(/sample$/);
  mkdirSync(join(directory, 'content/snapshot'), { recursive: true });
  expect((await readDevOptions()).snapshot).toBe('content/snapshot');
});

it('reads snapshot and languages from the config file, also as “astro dev”', async () => {
  const project = copyProject();
  const { snapshot } = inject('mirror');
  writeFileSync(join(project, 'microfiche.config.json'), JSON.stringify({ snapshot, languages: ['en', 'es'], rate: 3 }));
  const url = await startDev(project, { MICROFICHE_CACHE: join(project, 'cache') }, 'astro', ['dev', '--port', '0']);
  expect(await (await fetch(`${url}es/index.html`)).text()).toContain('lang="es"');
});

it('reports a missing snapshot in one sentence', async () => {
  const snapshot = join(createTestDirectory(), 'none');
  const { code, stderr } = await spawnMicrofiche(['dev', '--snapshot', snapshot, '--port', '0']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/No snapshot found in .*none/);
  expect(stderr).not.toMatch(/\n\s+at /);
  await expect(
    run('astro', ['dev', '--port', '0'], { cwd: copyProject(), env: environment({ MICROFICHE_SNAPSHOT: snapshot }) }),
  ).rejects.toMatchObject({ code: 1, stderr });
});

it.runIf(LONG)('fails astro check if a page misspells a field of a content collection', async () => {
  const project = copyProject();
  const check = () => run('astro', ['check', '--minimumSeverity', 'warning'], { cwd: project, env: environment() });
  const page = (field: string) => `---
import { getLiveEntry } from 'astro:content';
const { entry } = await getLiveEntry('objects', 'lica-quay-1-1');
---
<p>{entry?.data.${field}}</p>
`;
  const file = join(project, 'src/pages/one.astro');
  writeFileSync(file, page('title'));
  await check();
  writeFileSync(file, page('titel'));
  await expect(check()).rejects.toMatchObject({ stdout: expect.stringContaining("Property 'titel' does not exist") });
});
