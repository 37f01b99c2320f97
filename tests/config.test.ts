/** Settings from microfiche.config.json; flags win. */
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { harvestHere } from './harvest/here.ts';
import { microfiche, temporary, upstreamAt } from './support.ts';
import { record, startUpstream } from './upstream.ts';

function folderWith(settings: unknown): string {
  const folder = temporary();
  writeFileSync(join(folder, 'microfiche.config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
  return folder;
}

it('are taken where a flag is not given', async () => {
  const cwd = folderWith({
    authorsUrl: 'http://127.0.0.1:1',
    catalogUrl: 'http://127.0.0.1:1',
    concurrency: 2,
    site: 'https://x.example',
  });
  expect((await microfiche(['harvest'], { cwd })).stderr).toMatch(/No answer from http:\/\/127\.0\.0\.1:1\//);
  expect((await microfiche(['harvest', '--authors-url', 'http://127.0.0.1:2'], { cwd })).stderr).toMatch(
    /No answer from http:\/\/127\.0\.0\.1:2\//,
  );
});

const HARVEST = ['harvest', ...upstreamAt('http://127.0.0.1:1')];

it.each([
  [{ authorUrl: 'http://x' }, /there is no setting “authorUrl”; did you mean “authorsUrl”\?/],
  [{ concurrency: 'many' }, /“concurrency”: It must be a whole number/],
  [{ full: 'yes' }, /“full” must be true or false/],
  ['{ not json', /is not valid JSON/],
  [[1], /must hold one JSON object/],
])('D37: that are wrong are one sentence, and wrong use: %j', async (settings, words) => {
  const { code, stderr } = await microfiche(HARVEST, { cwd: folderWith(settings) });
  expect(stderr).toMatch(words);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
});

it('D37: are checked all at once, also those of other commands', async () => {
  const wrong: Array<[setting: string, value: unknown, words: RegExp]> = [
    ['authors-url', 'http://x', /there is no setting “authors-url”; did you mean “authorsUrl”\?$/],
    ['noPacks', true, /there is no setting “noPacks”; did you mean "packs": false\?$/],
    ['colour', 'red', /there is no setting “colour”; settings are named like the options in camelCase, such as “authorsUrl”\.$/],
    ['allowHost', ['good.example', 'a/b'], /^“allowHost”: “a\/b” is not a host/],
    ['contact', ['a', 'b'], /^“contact” takes one value, not a list/],
    ['snapshot', { dir: 'a' }, /^“snapshot” must be text or a number/],
    ['video', null, /^“video” must be text or a number/],
    ['languages', ['en', 'xx'], /^“languages”: “xx” is not one of en/],
    ['site', 'nowhere', /^“site”: It must be an address/],
    ['packs', 'no', /^“packs” must be true or false/],
  ];
  const settings = Object.fromEntries(wrong.map(([name, value]) => [name, value]));
  const { code, stderr } = await microfiche(HARVEST, { cwd: folderWith({ patience: 5, ...settings }) });
  const [first, ...lines] = stderr.trim().split('\n');
  expect([code, first]).toEqual([2, 'microfiche: microfiche.config.json has 10 problems:']);
  for (const [n, [, , words]] of wrong.entries()) expect(lines[n]?.trim()).toMatch(words);
});

it('D37: give what a command cannot do without', async () => {
  const { path: dir } = aSite();
  const to = temporary();
  const { code, stdout } = await microfiche(['usb', '--json'], { cwd: folderWith({ to, dir }) });
  expect([code, JSON.parse(stdout).files]).toEqual([0, 1]);
  const without = await microfiche(['usb'], { cwd: folderWith({ dir }) });
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: --to is needed.*“to” in microfiche\.config\.json/),
  ]);
});

it('D37: take lists and negated options', async () => {
  const cwd = folderWith({ languages: ['en', 'es'], packs: false, search: false, allowHost: 'a.example, b.example' });
  const { report, out } = await build(cwd);
  expect(report.code).toBe(0);
  expect([existsSync(join(out, 'es/index.html')), existsSync(join(out, 'packs')), existsSync(join(out, 'pagefind'))]).toEqual([
    true,
    false,
    false,
  ]);
});

it('D37: may have a value that only another command takes', async () => {
  // Half a second is enough for a harvest, and nothing for media.
  const cwd = folderWith({ timeout: 0.5 });
  expect((await microfiche(HARVEST, { cwd })).stderr).toMatch(/No answer from/);
  expect((await microfiche(['media'], { cwd })).stderr).toMatch(/“timeout”: It must be a whole number/);
  expect((await microfiche(['status'], { cwd })).stderr).toMatch(/There is no snapshot/);
});

/** The smallest site there is. */
function aSite(): { path: string } {
  const path = temporary();
  const page = '<!doctype html><title>Home</title>';
  writeFileSync(join(path, 'index.html'), page);
  writeFileSync(join(path, 'manifest-sha256.txt'), `${createHash('sha256').update(page).digest('hex')}  index.html\n`);
  return { path };
}

/** Builds the mirror of a collection, in a folder with settings. */
async function build(cwd: string) {
  const up = await startUpstream();
  up.answers.set('/api/0.2/demo-org-1/', record(up, 'demo-org-1', { model: 'collection' }));
  const snapshot = join(temporary(), 'snapshot');
  await harvestHere(up, snapshot);
  const out = join(temporary(), 'dist');
  return { report: await microfiche(['build', '--snapshot', snapshot, '--out', out], { cwd }), out };
}
