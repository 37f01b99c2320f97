/** The benchmark of peers, with few records: it measures each generator that is installed, and names the others. */
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { fileOf } from '../../scripts/setup/programs.ts';
import { createTestDirectory, ROOT } from '../support/commands.ts';

const RECORDS = 120;
const MISSING = 'not measured: it is not installed';
const FINISHED = 'Hugo, with finished heads and bodies';

/** Runs the benchmark. Returns the cells of its table, by the first one, and all that it printed. */
async function benchPeers(env: NodeJS.ProcessEnv) {
  const args = ['--only', 'peers', '--records', String(RECORDS), '--runs', '1', '--dir', createTestDirectory()];
  const { stdout } = await execa(process.execPath, [join(ROOT, 'scripts/bench/bench.ts'), ...args], { env });
  const rows = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return { stdout, rows: new Map(rows.map(([, title = '', ...cells]) => [title.replace(/ \([\d.]+\)$/, ''), cells])) };
}

/** Generators of whole sites, by the program of each. */
const SITES = [
  ['hugo', 'Hugo, templates'],
  ['hugo', 'Hugo, templates, without related records'],
  ['eleventy', 'Eleventy, templates'],
  ['jekyll', 'Jekyll, templates'],
] as const;

it('measures every generator that is installed, over the same records', async () => {
  const { stdout, rows } = await benchPeers({});
  for (const [name, title] of SITES) {
    const isInstalled = fileOf({ name, variable: name.toUpperCase(), purpose: '' }) !== undefined;
    const [seconds = '', memory, pages = ''] = rows.get(title) ?? [];
    if (!isInstalled) expect([title, seconds]).toEqual([title, MISSING]);
    else {
      expect([title, seconds, memory]).toEqual([
        title,
        expect.stringMatching(/^\d+\.\d$/),
        expect.stringMatching(/^\d+ MB$|^unknown$/),
      ]);
      expect(Number(pages.replaceAll(',', '')), title).toBeGreaterThan(RECORDS * 2);
    }
  }
  expect(rows.get('Microfiche, `build`')?.[0]).toMatch(/^\d+\.\d$/);
  expect(rows.get('Pagefind, over the record pages')?.[0]).toMatch(/^\d+\.\d$/);
  expect(stdout).toContain(`Node, only writing the finished bytes: ${RECORDS + 3} of ${RECORDS + 3} pages have the same bytes.`);
  if (rows.get(FINISHED)?.[0] !== MISSING)
    expect(stdout).toContain(`${FINISHED}: ${RECORDS + 3} of ${RECORDS + 3} pages have the same bytes.`);
});

it('names generators that are not installed, and measures the others', async () => {
  const { rows } = await benchPeers({ PATH: dirname(process.execPath), ELEVENTY: '/not/installed' });
  for (const [, title] of SITES) expect([title, rows.get(title)?.[0]]).toEqual([title, MISSING]);
  expect(rows.get('Microfiche, `build`')?.[0]).toMatch(/^\d+\.\d$/);
  expect(rows.get(FINISHED)?.[0]).toBe(MISSING);
});
