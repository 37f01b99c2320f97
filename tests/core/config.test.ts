/** Settings from microfiche.config.json. Options take precedence. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { chooseEncodings } from '../../scripts/commands/build.ts';
import { createTestDirectory, readFiles, runMicrofiche, upstreamOptions } from '../support/commands.ts';
import { harvestInProcess } from '../support/harvest-in-process.ts';
import { createRecord, startTestUpstream } from '../support/test-upstream.ts';

/** Creates a directory with a configuration file. */
function createConfig(settings: unknown): string {
  const directory = createTestDirectory();
  writeFileSync(join(directory, 'microfiche.config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
  return directory;
}

it('uses a setting if its option is not given', async () => {
  const cwd = createConfig({
    authorsUrl: 'http://127.0.0.1:1',
    catalogUrl: 'http://127.0.0.1:1',
    concurrency: 2,
    site: 'https://x.example',
  });
  expect((await runMicrofiche(['harvest'], { cwd })).stderr).toMatch(/No response from http:\/\/127\.0\.0\.1:1\//);
  expect((await runMicrofiche(['harvest', '--authors-url', 'http://127.0.0.1:2'], { cwd })).stderr).toMatch(
    /No response from http:\/\/127\.0\.0\.1:2\//,
  );
});

const HARVEST = ['harvest', ...upstreamOptions('http://127.0.0.1:1')];

it.each([
  [{ authorUrl: 'http://x' }, /unknown setting "authorUrl"\. Did you mean "authorsUrl"\?/],
  [{ concurrency: 'many' }, /"concurrency": Expected an integer/],
  [{ full: 'yes' }, /"full": Expected true or false/],
  ['{ not json', /is not valid JSON \(line 1\): text must be in double quotation marks\./],
  ['{\n  "full": true\n  "video": true\n}', /is not valid JSON \(line 3\): a comma is missing\./],
  ['{\n  "full": true,\n}', /is not valid JSON \(line 3\): the comma after the last value must go\./],
  ['{"snapshot": "C:\\archive"}', /is not valid JSON \(line 1\): a backslash in a text must be doubled\./],
  ['', /is not valid JSON: it is empty\./],
  [{ design: { titel: 'x' } }, /"design" has no setting "titel"\. Did you mean "title"\?/],
  [{ design: { fonts: { texts: 'x' } } }, /"design\.fonts" has no setting "texts"\. Did you mean "text"\?/],
  [
    { notices: [{ kind: 'label', title: 'x', text: 'x', ids: ['a-1'], links: 'x' }] },
    /"notices\.0" has no setting "links"\. Did you mean "link"\?/,
  ],
  [[1], /must contain one JSON object/],
  ['{\n  "design": { "title": "A" },\n  "design": {}\n}', /, line 3: "design" is there twice\. Delete one of them\./],
  [{ contact: 'アーカイブ担当' }, /"contact": Expected an e-mail address or a URL, for example archivist@archive\.example\.\n$/],
  [{ featured: ['demo-org-1', 'no id'] }, /"featured": "no id" is not a record ID\. Expected an ID, for example/],
  // It would make every purge final without a question.
  [{ yes: true }, /unknown setting "yes"\. Settings are named/],
  [{ snapshot: 5 }, /"snapshot": Expected text\.\n$/],
  [{ signers: 7 }, /"signers": Expected text\.\n$/],
  [{ concurrency: '4' }, /"concurrency": Expected a number without quotation marks\.\n$/],
  [{ budget: 20 }, /"budget": Expected text, for example "20GB"\.\n$/],
  [{ maxBody: '20' }, /"maxBody": Expected text, for example "20GB"\.\n$/],
])('reports an invalid file as a usage error, in one line: %j', async (settings, message) => {
  const { code, stderr } = await runMicrofiche(HARVEST, { cwd: createConfig(settings) });
  expect(stderr).toMatch(message);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
});

it('says that the name of the file is that of a directory', async () => {
  const cwd = createTestDirectory();
  mkdirSync(join(cwd, 'microfiche.config.json'));
  expect(await runMicrofiche(['status'], { cwd })).toMatchObject({
    code: 2,
    stderr: 'microfiche: microfiche.config.json is a directory. Settings are in a file: delete or rename it.\n',
  });
});

it('reports all problems at once, including those of settings for other commands', async () => {
  const problems: Array<[setting: string, value: unknown, message: RegExp]> = [
    ['authors-url', 'http://x', /unknown setting "authors-url"\. Did you mean "authorsUrl"\?$/],
    ['noSearch', true, /unknown setting "noSearch"\. Did you mean "search": false\?$/],
    ['color', 'red', /unknown setting "color"\. Settings are named like the options, in camelCase, for example "authorsUrl"\.$/],
    ['allowHost', ['good.example', 'a/b'], /^"allowHost": "a\/b" is not a host/],
    ['signers', ['a', 'b'], /^"signers": Expected one value, not a list/],
    ['snapshot', { dir: 'a' }, /^"snapshot": Expected text or a number/],
    ['video', null, /^"video": Expected text or a number/],
    ['languages', ['en', 'xx'], /^"languages": "xx" is not one of en/],
    ['site', 'nowhere', /^"site": Expected a URL/],
    ['search', 'no', /^"search": Expected true or false/],
  ];
  const settings = Object.fromEntries(problems.map(([name, value]) => [name, value]));
  const { code, stderr } = await runMicrofiche(HARVEST, { cwd: createConfig({ patience: 5, ...settings }) });
  const [first, ...lines] = stderr.trim().split('\n');
  expect([code, first]).toEqual([2, 'microfiche: microfiche.config.json has 10 problems:']);
  for (const [n, [, , message]] of problems.entries()) expect(lines[n]?.trim()).toMatch(message);
});

it.each(['build', 'dev'])('%s refuses a directory whose path Astro reads as something else', async (command) => {
  for (const sign of ['#', '?', '*']) {
    const cwd = join(createTestDirectory(), `a${sign}1`);
    mkdirSync(cwd);
    const { code, stderr } = await runMicrofiche([command, '--snapshot', inject('mirror').small], { cwd });
    const sentence = `microfiche: ${cwd} has the sign ${sign} in its path, with which pages cannot be built. Rename or move the directory.\n`;
    expect([code, stderr]).toEqual([1, sentence]);
  }
});

it.each([
  [{ content: 'nix' }, [], 'nix does not exist. Name the directory of the own pages with --content.'],
  [{ out: 'content/snapshot/site' }, [], 'content/snapshot/site is within content/snapshot, which is not for sites.'],
  [{}, ['--out', 'content/pages/site'], 'content/pages/site is within content/pages, which is not for sites.'],
  [{}, ['--out', 'node_modules/x'], 'node_modules/x is within node_modules, which npm may delete.'],
])('refuses directories that cannot be meant: %j %j', async (settings, options, message) => {
  const cwd = createConfig(settings);
  cpSync(inject('mirror').small, join(cwd, 'content/snapshot'), { recursive: true });
  const { code, stderr } = await runMicrofiche(['build', ...options], { cwd });
  expect(stderr).toContain(message);
  expect([code, stderr.trim().split('\n').length]).toEqual([message.startsWith('nix') ? 1 : 2, 1]);
});

it('accepts a setting for a required option', async () => {
  const { path: dir } = createSite();
  const to = createTestDirectory();
  const { code, stdout } = await runMicrofiche(['usb', '--json'], { cwd: createConfig({ to, dir }) });
  expect([code, JSON.parse(stdout).files]).toEqual([0, 1]);
  const without = await runMicrofiche(['usb'], { cwd: createConfig({ dir }) });
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: --to is required.*"to" in microfiche\.config\.json/),
  ]);
});

it('accepts lists and negated options', async () => {
  const cwd = createConfig({ languages: ['en', 'es'], search: false, allowHost: 'a.example, b.example' });
  const { report, out } = await buildCollection(cwd);
  expect(report.code).toBe(0);
  expect(existsSync(join(out, 'es/index.html'))).toBe(true);
  expect([...readFiles(out).keys()].filter((path) => /^assets\/(?:index|facets|words|names)\//.test(path))).toEqual([]);
});

it('features the records of the setting on the home page, and names an unknown one in one sentence', async () => {
  const { report, out } = await buildCollection(createConfig({ featured: ['demo-org-1', 'demo-org-99'] }));
  const html = readFileSync(join(out, 'index.html'), 'utf8');
  const [, featured = ''] = /<section class="featured"(.*?)<\/section>/s.exec(html) ?? [];
  expect(featured).toContain('href="objects/demo-org-1.html"');
  expect(featured).not.toContain('data-daily');
  expect(report.code).toBe(0);
  expect(report.stdout.split('\n').filter((line) => line.includes('demo-org-99'))).toEqual([
    '  1 × The featured record demo-org-99 is not in this site',
  ]);
  expect(report.stdout).toContain('demo-org-99 is not in this site\n    index.html (microfiche.config.json, line 1)\n');
});

it('accepts a value for all commands that have the option, or for none', async () => {
  const accepted = createConfig({ timeout: 0.5 });
  expect((await runMicrofiche(HARVEST, { cwd: accepted })).stderr).toMatch(/No response from/);
  for (const command of ['media', 'status'])
    expect((await runMicrofiche([command], { cwd: accepted })).stderr).toMatch(/No snapshot found in /);
  const refused = createConfig({ timeout: 0 });
  for (const command of ['media', 'status'])
    expect((await runMicrofiche([command], { cwd: refused })).stderr).toMatch(/"timeout": Expected a number of seconds/);
});

/** Creates a minimal site. */
function createSite(): { path: string } {
  const path = createTestDirectory();
  const page = '<!doctype html><title>Home</title>';
  writeFileSync(join(path, 'index.html'), page);
  writeFileSync(join(path, 'manifest-sha256.txt'), `${createHash('sha256').update(page).digest('hex')}  index.html\n`);
  return { path };
}

/** Builds the site of one collection, in a directory with a configuration file. */
async function buildCollection(cwd: string) {
  const upstream = await startTestUpstream();
  upstream.routes.set('/api/0.2/demo-org-1/', createRecord(upstream, 'demo-org-1', { model: 'collection' }));
  const snapshot = join(createTestDirectory(), 'snapshot');
  await harvestInProcess(upstream, snapshot);
  const out = join(createTestDirectory(), 'dist');
  return { report: await runMicrofiche(['build', '--snapshot', snapshot, '--out', out], { cwd }), out };
}

it('makes no compressed copies for a site without a web server if a setting names encodings, and reports it', () => {
  const compress = ['br' as const, 'gz' as const];
  for (const form of [{ compact: true }, { kiosk: true }]) {
    const note = /^The setting "compress" is for web servers, so this --(?:compact|kiosk) build has no compressed copies\.$/;
    expect(chooseEncodings({ ...form, compress }, true)).toEqual({ compress: [], notes: [expect.stringMatching(note)] });
    expect(() => chooseEncodings({ ...form, compress }, false)).toThrow(/leave out --compress/);
    expect(chooseEncodings(form, false)).toEqual({ compress: [], notes: [] });
  }
  expect(chooseEncodings({ compress }, true)).toEqual({ compress: ['gz', 'br'], notes: [] });
});
