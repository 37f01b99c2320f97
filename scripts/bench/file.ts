/** The benchmark of a site's files: its size on a USB drive, and the time of searches, from file:// and over a slow line. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from '../../src/api/server.ts';
import { INDEX_DIRECTORY } from '../../src/formats/search/start-file.ts';
import { formatBytes } from '../../src/platform/quantities.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { formatNumber, printStep, tableRow } from './format.ts';
import { addThumbnails } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { type BenchSize, runBuild, sizeOf, withDirectory } from './program.ts';
import { measureInBrowsers } from './search-in-browser.ts';

/** Runs the benchmark. */
export const benchFile = ({ records, runs, dir }: BenchSize) =>
  withDirectory('file', dir, async (directory) => {
    const snapshot = join(directory, 'snapshot');
    printStep(`generating ${records} records with a thumbnail each`);
    generateSnapshot(snapshot, records, true);
    await addThumbnails(snapshot);

    const buildRow = async (out: string, ...options: string[]) => {
      const { report, seconds } = await runBuild(snapshot, join(directory, out), options);
      const bytes = [report.bytes, report.bytesOnUsbDrive].map((count) => formatBytes(count));
      return tableRow(`\`${['build', ...options].join(' ')}\``, formatNumber(report.files), ...bytes, `${seconds.toFixed(0)} s`);
    };
    const rows = [await buildRow('normal'), await buildRow('compact', '--compact')];
    const dist = join(directory, 'compact');
    const index = sizeOf(join(dist, 'assets', INDEX_DIRECTORY));
    const searches = await measureInBrowsers(pathToFileURL(dist).href, runs);
    using store = openSnapshot(snapshot);
    await using server = await startServer({ store, dir: join(directory, 'normal'), port: 0, host: '127.0.0.1' });
    searches.push(...(await measureInBrowsers(server.url, runs)));
    console.log(`
| ${formatNumber(records)} records, each with a thumbnail | files | bytes | with clusters of 128 KB | build time |
| --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}
| search index of the latter | ${index.files} | ${formatBytes(index.bytes)} | | |

| search, medians of ${runs} | first result | with the counts of facet values | bytes read for both | later search | bytes |
| --- | ---: | ---: | ---: | ---: | ---: |
${searches.join('\n')}

The first search is measured from opening the page, with nothing cached. Over HTTP, the bytes are those of bodies and headers.
`);
  });
