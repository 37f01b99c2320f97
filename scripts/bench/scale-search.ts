/** Search in a large archive, from file:// and over a slow line: milliseconds and bytes. Prints a table. */
import { startServer } from '../../src/api/server.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { formatNumber } from './format.ts';
import type { ScaleWork } from './scale-work.ts';
import { headOfSearches, measureInBrowsers, openFromFile, openOverSlowLine } from './search-in-browser.ts';

/** Runs this part. */
export async function benchSearchAtScale({ many, runs, site, snapshotOf }: ScaleWork): Promise<void> {
  const dist = await site();
  const rows = await measureInBrowsers(openFromFile(dist), runs);
  using store = openSnapshot(snapshotOf(many));
  await using server = await startServer({ store, dir: dist, port: 0, host: '127.0.0.1' });
  rows.push(...(await measureInBrowsers(openOverSlowLine(server.url), runs)));
  console.log(`
${headOfSearches(`search in ${formatNumber(many)} records (medians of ${runs})`)}
${rows.join('\n')}

The first search is measured from opening the page, with nothing cached. Over HTTP, the bytes are those of bodies and headers.
`);
}
