/** `microfiche init`: files of a project, prompts on a terminal, and that the project works. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programFile } from '../../scripts/setup/programs.ts';
import {
  createTestDirectory,
  ROOT,
  readFiles,
  runMicrofiche,
  runMicroficheJson,
  SAMPLE,
  startServe,
} from '../support/commands.ts';
import { createCache } from '../support/shared-sites.ts';
import { respondWith, startTestUpstream } from '../support/test-upstream.ts';

const URLS = ['--authors-url', 'https://guide.example.org/', '--catalog-url', 'https://archive.example.org'];
const FLAGS = ['--title', 'Harbor archive', ...URLS];
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as Record<string, unknown>;

describe('without a terminal', () => {
  it('writes a project into a new directory, and says what to do next', async () => {
    const cwd = createTestDirectory();
    const { code, stdout, stderr } = await runMicrofiche(['init', 'harbor', ...FLAGS, '--contact', 'a@archive.example'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Started a project in harbor: 6 files\.\n/);
    expect(stdout).toMatch(
      /Next:\n {2}cd harbor\n {2}npm install && npx --no-install microfiche update\n {2}npx --no-install microfiche serve\n$/,
    );
    expect(stdout).toContain(`\nIt can be installed on this machine only, because it uses the checkout in ${ROOT}.\n`);
    const project = join(cwd, 'harbor');
    expect([...readFiles(project).keys()]).toEqual(
      [...['.gitignore', 'README.md', 'package.json', 'microfiche.config.json'], ...OWN_PAGES].sort(),
    );
    expect(readJson(project, 'package.json')).toEqual({
      name: 'harbor',
      private: true,
      description: 'Offline copy of Harbor archive',
      type: 'module',
      engines: { node: '>=20' },
      scripts: {
        update: 'microfiche update',
        serve: 'microfiche serve',
        build: 'microfiche build',
        dev: 'microfiche dev --snapshot content/snapshot',
      },
      // The checkout in which this test runs.
      dependencies: { 'microfiche-archive': `file:${relative(project, ROOT)}` },
      allowScripts: { node: true, esbuild: true },
    });
    expect(readJson(project, 'microfiche.config.json')).toEqual({
      $schema: './node_modules/microfiche-archive/lib/config.schema.json',
      authorsUrl: 'https://guide.example.org',
      catalogUrl: 'https://archive.example.org',
      discover: true,
      contact: 'a@archive.example',
      languages: ['en'],
      design: { title: 'Harbor archive' },
    });
  });

  it('requests both URLs once, and says which is wrong', async () => {
    const [guide, catalog] = [await startTestUpstream(), await startTestUpstream()];
    const at = (directory: string, ...urls: string[]) => [
      'init',
      join(createTestDirectory(), directory),
      '--title',
      'Harbor',
      ...urls,
    ];
    const right = at('a', '--authors-url', guide.url, '--catalog-url', catalog.url);
    expect((await runMicrofiche(right)).stdout).not.toContain('URL');
    expect([guide.requests, catalog.requests]).toEqual([['/api/3.0/authors/?limit=25&offset=0'], ['/api/0.2/']]);
    guide.routes.clear();
    const wrong = await runMicrofiche(at('b', '--authors-url', guide.url, '--catalog-url', catalog.url));
    expect([wrong.code, wrong.stderr]).toEqual([0, '']);
    expect(wrong.stdout).toMatch(
      /^A request to the archive, to check both URLs, failed: .* returned HTTP 404\. Check --authors-url/m,
    );
    guide.routes.set('/api/3.0/authors/', respondWith(429));
    const busy = await runMicrofiche(at('d', '--authors-url', guide.url, '--catalog-url', catalog.url));
    expect(busy.stdout).toMatch(/ asks us to wait until .* UTC \(HTTP 429\)\. Run the same command again then/);
    const dead = at('c', '--authors-url', 'http://127.0.0.1:1', '--catalog-url', catalog.url);
    const { problem } = await runMicroficheJson<{ problem: string }>(dead);
    expect(problem).toMatch(/^No response from .* \(connection refused\)\. Check --authors-url/);
  });

  it('allows the install scripts that this repository allows, but for packages of its tests', () => {
    const { allowScripts, devDependencies } = readJson(ROOT, 'package.json') as Record<string, Record<string, unknown>>;
    const { packages } = readJson(ROOT, 'package-lock.json') as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
    };
    const scripts = Object.entries(packages).flatMap(([path, { dev, hasInstallScript }]) =>
      hasInstallScript && !dev ? [path.replace(/^.*node_modules\//, '')] : [],
    );
    expect(Object.keys(devDependencies ?? {}).length).toBeGreaterThan(0);
    expect(scripts.sort()).toEqual(['esbuild', 'node']);
    expect(allowScripts).toMatchObject({ node: true, esbuild: true });
  });

  it('writes files for automatic updates, settings in TypeScript and other languages on request', async () => {
    const cwd = createTestDirectory();
    mkdirSync(join(cwd, '.git'));
    const args = ['init', ...FLAGS, '--with', 'systemd,kubernetes', '--config', 'ts', '--languages', 'es,en', '--yes'];
    const { directory, files } = await runMicroficheJson<{ directory: string; files: string[] }>(args, { cwd });
    expect(directory).toBe(cwd);
    expect(files.filter((path) => path.includes('deploy') || path.startsWith('Container')).length).toBe(4);
    expect([...readFiles(cwd).keys()].sort()).toEqual(files.sort());
    expect(readFileSync(join(cwd, 'microfiche.config.ts'), 'utf8')).toContain('languages: ["es", "en"],');
    const readme = readFileSync(join(cwd, 'README.md'), 'utf8');
    expect(readme).toContain('## Updates with systemd');
    expect(readme).not.toContain('GitLab');
    const all = createTestDirectory();
    expect((await runMicrofiche(['init', all, ...FLAGS, '--with', 'all'])).code).toBe(0);
    expect(existsSync(join(all, '.github/workflows/update.yml'))).toBe(true);
  });

  it('continues what npm install began, and keeps its values', async () => {
    const cwd = createTestDirectory();
    const written = {
      name: 'mine',
      version: '2.0.0',
      type: 'commonjs',
      dependencies: { 'microfiche-archive': 'file:../package.tgz' },
    };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(written));
    writeFileSync(join(cwd, 'package-lock.json'), '{}');
    mkdirSync(join(cwd, 'node_modules'));
    expect((await runMicrofiche(['init', '.', ...FLAGS], { cwd })).code).toBe(0);
    expect(readJson(cwd, 'package.json')).toMatchObject({ ...written, type: 'module', scripts: { update: 'microfiche update' } });
    expect(readFileSync(join(cwd, 'package-lock.json'), 'utf8')).toBe('{}');
  });

  it('reports a package.json that is not JSON, and writes nothing', async () => {
    const cwd = createTestDirectory();
    writeFileSync(join(cwd, 'package.json'), '{');
    const { code, stderr } = await runMicrofiche(['init', '.', ...FLAGS], { cwd });
    expect([code, stderr]).toEqual([
      1,
      `microfiche: ${join(cwd, 'package.json')} is not a JSON object, and nothing was written. Correct or delete it.\n`,
    ]);
    expect([...readFiles(cwd).keys()]).toEqual(['package.json']);
  });

  it('writes nothing into a directory with other files, and lists them', async () => {
    const cwd = createTestDirectory();
    for (const name of ['b.txt', 'a.txt']) writeFileSync(join(cwd, name), 'mine');
    const { code, stderr } = await runMicrofiche(['init', '.', ...FLAGS], { cwd });
    expect([code, stderr]).toEqual([
      1,
      `microfiche: ${cwd} is not empty, and nothing was written. It contains a.txt, b.txt. Choose an empty directory.\n`,
    ]);
    expect(readdirSync(cwd)).toEqual(['a.txt', 'b.txt']);
    const file = await runMicrofiche(['init', 'a.txt', ...FLAGS], { cwd });
    expect([file.code, file.stderr]).toEqual([1, `microfiche: ${cwd}/a.txt is a file. Choose a directory for the project.\n`]);
  });

  it('names the options that are missing', async () => {
    const cwd = createTestDirectory();
    const { code, stderr } = await runMicrofiche(['init', '--title', 'Harbor'], { cwd });
    expect([code, stderr]).toEqual([
      2,
      'microfiche: Without prompts, init needs --authors-url, --catalog-url. Run it on a terminal without --yes to be prompted.\n',
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['--title', ' ', 'Expected one line of text of up to 200 characters.'],
    ['--title', 'a\nb', 'Expected one line of text of up to 200 characters.'],
    ['--authors-url', 'guide', 'Expected a URL that begins with http:// or https://.'],
    ['--contact', 'me', 'Expected an e-mail address or a URL, for example archivist@archive.example.'],
    ['--contact', 'https://a.example/\r\nX: y', 'Expected an e-mail address or a URL, for example archivist@archive.example.'],
    ['--with', 'cron', '"cron" is not one of github, gitlab, systemd, container, kubernetes, all.'],
    ['--config', 'yaml', 'Expected one of json, ts.'],
    ['--languages', 'tlh', '"tlh" is not one of en, es, ja, fr, ar.'],
  ])('reports %s %j as a usage error', async (option, value, message) => {
    const cwd = createTestDirectory();
    const { code, stderr } = await runMicrofiche(['init', ...FLAGS, option, value], { cwd });
    expect(code).toBe(2);
    expect(stderr.split('\n')[0] + (value.includes('\n') ? stderr.split('\n').slice(1).join(' ') : '')).toContain(message);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

const OWN_PAGES = ['content/pages/about.md', 'content/exhibits/example.md'];

describe('on a terminal', () => {
  /** Runs the command on a terminal, and types each line when its prompt appears. Returns the exit code and the screen. */
  async function type(args: string[], cwd: string, lines: ReadonlyArray<readonly [prompt: string, typed: string]>) {
    const command = [process.execPath, join(ROOT, 'scripts/bin.mjs'), 'init', ...args].map((word) => `'${word}'`).join(' ');
    const child: ChildProcess = spawn(programFile('script'), ['-q', '-e', '-c', command, '/dev/null'], {
      cwd,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    let screen = '';
    let [seen, next] = [0, 0];
    const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.stdout?.on('data', (chunk) => {
      screen += chunk;
      const [prompt, typed] = lines[next] ?? [];
      const position = prompt === undefined ? -1 : screen.indexOf(prompt, seen);
      if (typed === undefined || position < 0) return;
      seen = position + (prompt ?? '').length;
      next++;
      child.stdin?.write(typed);
    });
    return { code: await exited, screen, typed: next };
  }

  it('prompts for what is not given, and again after an invalid value', async () => {
    const cwd = createTestDirectory();
    const { code, screen } = await type(['harbor', '--contact', 'a@archive.example'], cwd, [
      ['Title of the site: ', 'Harbor archive\n'],
      ['Base URL of the guide API, the part before /api/3.0/: ', 'guide\n'],
      ['Base URL of the guide API, the part before /api/3.0/: ', 'https://archive.example.org\n'],
      ['the part before /api/0.2/ [https://archive.example.org]: ', '\n'],
      ['Files for automatic updates: github, gitlab, systemd, container, kubernetes (empty: none): ', 'container\n'],
    ]);
    expect([code, screen]).toEqual([0, expect.stringContaining('Expected a URL that begins with http:// or https://.')]);
    expect(screen).not.toContain('e-mail');
    expect(readJson(cwd, 'harbor/microfiche.config.json')).toMatchObject({
      authorsUrl: 'https://archive.example.org',
      catalogUrl: 'https://archive.example.org',
      design: { title: 'Harbor archive' },
    });
    expect(existsSync(join(cwd, 'harbor/Containerfile'))).toBe(true);
  });

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s ends it, and nothing is written', async (_, key) => {
    const cwd = createTestDirectory();
    const { code, screen } = await type([], cwd, [['Title of the site: ', key]]);
    expect([code, screen]).toEqual([
      1,
      expect.stringContaining('microfiche: The prompts were interrupted, and nothing was written.'),
    ]);
    expect(screen).not.toMatch(/\n\s+at /);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('checks the directory before it prompts', async () => {
    const cwd = createTestDirectory();
    writeFileSync(join(cwd, 'a.txt'), '');
    const { code, typed } = await type([], cwd, [['Title of the site: ', '\x03']]);
    expect([code, typed]).toEqual([1, 0]);
  });
});

describe('the project', () => {
  /** Makes the program of this checkout the installed one of a project. */
  function install(project: string): void {
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, join(project, 'node_modules/microfiche-archive'));
    symlinkSync(join(ROOT, 'scripts/bin.mjs'), join(project, 'node_modules/.bin/microfiche'));
    createCache(join(project, '.microfiche/cache'));
  }

  it.each(['json', 'ts'])('harvests and builds with its settings in %s, and has the title', async (config) => {
    const upstream = await startServe(['--snapshot', SAMPLE]);
    onTestFinished(upstream.stop);
    const project = join(createTestDirectory(), 'harbor');
    const urls = ['--authors-url', upstream.url, '--catalog-url', upstream.url];
    const title = 'Harbor "archive" of the quay';
    expect((await runMicrofiche(['init', project, '--title', title, ...urls, '--config', config])).code).toBe(0);
    install(project);
    const run = (command: string) => {
      const child = spawn(join(project, 'node_modules/.bin/microfiche'), [command], {
        cwd: project,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      return new Promise((resolve) => child.on('close', (code) => resolve(code === 0 ? 0 : `${code}: ${errors}`)));
    };
    expect(await run('harvest')).toBe(0);
    expect(await run('build')).toBe(0);
    expect(readFileSync(join(project, 'dist/index.html'), 'utf8')).toMatch(/<title>[^<]*Harbor (?:"|&(?:#34|quot);)archive/);
  });
});
