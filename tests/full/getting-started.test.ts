/** docs/getting-started.md, step by step: from an empty directory to a mirror of the sample with title, color, page, exhibit. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { createTestDirectory, linkProgram, SAMPLE, startServe } from '../support/commands.ts';
import { followGuide, readGuide } from '../support/first-hour.ts';
import { COMMITTER, fetchPage, runInShell, withServer } from '../support/guide-shell.ts';
import { createCache } from '../support/shared-sites.ts';

const COMMANDS = 12;

it('leads a newcomer from an empty directory to a mirror with its own title, color, page and exhibit, in twelve commands and edits', async () => {
  const upstream = await startServe(['--snapshot', SAMPLE]);
  onTestFinished(upstream.stop);
  const directory = createTestDirectory();
  const project = join(directory, 'harbor');
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    MICROFICHE_CACHE: join(directory, 'cache'),
    ...COMMITTER,
  };
  createCache(env.MICROFICHE_CACHE);
  // The package is this checkout. tests/full/package.test.ts installs the real one, which takes a minute.
  linkProgram(directory);
  const done = await followGuide({
    directory,
    url: upstream.url,
    run: async (command, cwd) => {
      if (command === 'npm install') linkProgram(project);
      else await runInShell(command.replace('--package ./microfiche-archive-0.1.0.tgz ', ''), cwd, env);
    },
    look: (command, cwd) => withServer(command, cwd, fetchPage, env),
  });

  const toExhibit = done.findIndex(({ what }) => what.endsWith(' build'));
  expect(done.slice(0, toExhibit + 1).length).toBeLessThanOrEqual(COMMANDS);
  expect(readGuide().map(({ number }) => number)).toEqual(Array.from({ length: COMMANDS }, (_, n) => n + 1));
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(project, 'dist/index.html')).href);
  expect(await page.locator('h1').innerText()).toBe('Harbor archive');
  expect(await page.locator('main').innerText()).toContain('A century of ships and their people');
  expect(await page.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--accent'))).toContain('1d5c7a');
  await page.getByRole('link', { name: 'Who keeps this copy' }).first().click();
  expect(await page.locator('main').innerText()).toContain('It is updated every night.');
  await page.goto(pathToFileURL(join(project, 'dist/exhibits/ships.html')).href);
  expect(await page.locator('main .card').count()).toBe(2);
  expect(readFileSync(join(project, '.git/HEAD'), 'utf8')).toMatch(/^ref: /);
});
