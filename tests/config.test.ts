/** Settings from microfiche.config.json; flags win. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { microfiche, temporary } from './support.ts';

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

it.each([
  [{ authorUrl: 'http://x' }, /there is no setting “authorUrl”/],
  [{ concurrency: 'many' }, /“concurrency”: It must be a whole number/],
  [{ full: 'yes' }, /“full” must be true or false/],
  ['{ not json', /is not valid JSON/],
  [[1], /must hold one JSON object/],
])('that are wrong are one sentence: %j', async (settings, words) => {
  const { code, stderr } = await microfiche(
    ['harvest', '--authors-url', 'http://127.0.0.1:1', '--catalog-url', 'http://127.0.0.1:1'],
    { cwd: folderWith(settings) },
  );
  expect(stderr).toMatch(words);
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
});
