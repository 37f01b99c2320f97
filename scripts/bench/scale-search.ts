/** Search in a large archive, from file:// and over a slow line, in two browsers: milliseconds and bytes. Prints a table. */
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatNumber } from './format.ts';
import type { ScaleWork } from './scale-work.ts';
import { headOfSearches, type Meter, measureInBrowsers, openFromFile, type Way } from './search-in-browser.ts';
import { type Line, startThrottledServer, type Transferred } from './throttled-server.ts';

const LINE: Line = { latencyMs: 100, bytesPerSecond: 10_000_000 / 8 };

/** Runs this part. */
export async function benchSearchAtScale({ many, runs, site }: ScaleWork): Promise<void> {
  const dist = await site();
  const rows = await measureInBrowsers(openFromFile(dist), runs);
  const details: string[] = [];
  for (const compresses of [false, true]) {
    const { way, describeFirst, stop } = await openServer(dist, compresses);
    try {
      // The server compresses its files once, so that no measurement contains that.
      if (compresses) await measureInBrowsers(way, 1);
      rows.push(...(await measureInBrowsers(way, runs, (title) => details.push(`- ${title}: ${describeFirst()}`))));
    } finally {
      await stop();
    }
  }
  console.log(`
${headOfSearches(`search in ${formatNumber(many)} records (medians of ${runs})`)}
${rows.join('\n')}

The first search is measured from opening the page, with nothing cached. Over HTTP, the bytes are those of bodies and headers.
The first search of each browser's last run has read these bodies:

${details.join('\n')}
`);
}

async function openServer(dist: string, compresses: boolean) {
  const server = await startThrottledServer(dist, LINE, compresses);
  let taken: Transferred[] = [];
  const createMeter = (): Meter => {
    taken = [];
    return { take: () => (taken[taken.push(server.takeTransferred()) - 1] as Transferred).bytes, settle: server.settle };
  };
  const way: Way = {
    title: `HTTP with ${(LINE.bytesPerSecond * 8) / 1e6} Mbit/s and ${LINE.latencyMs} ms${compresses ? ', gzip' : ''}`,
    searchPage: `${server.url}search.html`,
    createMeter,
  };
  /** Returns what the first search of the last browser has read, by directory. */
  const describeFirst = () => {
    const [, first, rest] = taken as [Transferred, Transferred, Transferred];
    const worker = `the service worker meanwhile ${formatBytes(first.workerBytes)}, and afterwards ${formatBytes(rest.bytes)}`;
    return `${bytesByDirectory(first.bodies)}; ${worker}`;
  };
  return { way, describeFirst, stop: server.stop };
}

/** Returns bytes by the first part of each path. */
function bytesByDirectory(bodies: ReadonlyMap<string, number>): string {
  const byDirectory = Map.groupBy(bodies, ([path]) =>
    path.replace(/^assets\//, '').includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : path,
  );
  return Array.from(byDirectory, ([name, files]) => [name, files.reduce((total, [, bytes]) => total + bytes, 0)] as const)
    .sort(([, a], [, b]) => b - a)
    .map(([name, bytes]) => `\`${name}\` ${formatBytes(bytes)}`)
    .join(', ');
}
