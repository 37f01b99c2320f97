/** Search in a large archive, from file:// and over a slow line, in two browsers: milliseconds and bytes. Prints a table. */
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatNumber, formatSpread, printStep, tableRow } from './format.ts';
import type { ScaleWork } from './scale-work.ts';
import { BROWSERS, createFileMeter, type Meter, measureSearches, type Searches, searchPageUrl } from './search-in-browser.ts';
import { type Line, startThrottledServer, type Transferred } from './throttled-server.ts';

const LINE: Line = { latencyMs: 100, bytesPerSecond: 10_000_000 / 8 };

/** One way to open a site. */
interface Way {
  title: string;
  searchPage: string;
  createMeter(): Meter;
  /** Lets the server compress its files, so that no measurement contains that. */
  warm?(): Promise<void>;
  /** Returns what the first search of the last browser has read, by directory. */
  describeFirst?(): string;
  stop?(): Promise<void>;
}

/** Runs this part. */
export async function benchSearchAtScale({ many, runs, site }: ScaleWork): Promise<void> {
  const dist = await site();
  const rows: string[] = [];
  const details: string[] = [];
  for (const open of [() => openFile(dist), () => openServer(dist, false), () => openServer(dist, true)]) {
    const way = await open();
    try {
      await way.warm?.();
      for (const browser of BROWSERS) {
        const measured: Searches[] = [];
        for (let run = 0; run < runs; run++) {
          printStep(`run ${run + 1} of ${runs}: search in ${browser[0]}, ${way.title}`);
          const searches = await measureSearches(browser, way.searchPage, run, way.createMeter());
          measured.push(searches);
          printStep(`  first result ${searches.firstMs.toFixed(0)} ms, ${formatBytes(searches.complete.bytes)}`);
        }
        rows.push(row(`${browser[0]}, ${way.title}`, measured));
        if (way.describeFirst) details.push(`${browser[0]}, ${way.title}: ${way.describeFirst()}`);
      }
    } finally {
      await way.stop?.();
    }
  }
  console.log(`
| search in ${formatNumber(many)} records (medians of ${runs}) | first result | with the counts of facet values | bytes read for both | later search | bytes |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

The first search is measured from opening the page, with nothing cached. Over HTTP, the bytes are those of bodies and headers.
The first search of each browser's last run has read these bodies:

${details.map((detail) => `- ${detail}`).join('\n')}
`);
}

async function openFile(dist: string): Promise<Way> {
  return { title: '`file://`', searchPage: searchPageUrl(dist), createMeter: createFileMeter };
}

async function openServer(dist: string, gzip: boolean): Promise<Way> {
  const server = await startThrottledServer(dist, LINE, gzip);
  let first: Transferred | undefined;
  let rest = 0;
  const createMeter = (): Meter => {
    let calls = 0;
    return {
      take() {
        const taken = server.takeTransferred();
        if (calls === 1) first = taken;
        if (calls === 2) rest = taken.bytes;
        calls++;
        return taken.bytes;
      },
      settle: server.settle,
    };
  };
  return {
    title: `HTTP with ${(LINE.bytesPerSecond * 8) / 1e6} Mbit/s and ${LINE.latencyMs} ms${gzip ? ', gzip' : ''}`,
    searchPage: `${server.url}search.html`,
    createMeter,
    warm: async () => {
      if (gzip) await measureSearches(BROWSERS[0], `${server.url}search.html`, 0, createMeter());
    },
    describeFirst: () =>
      first
        ? `${bytesByDirectory(first.bodies)}; the service worker meanwhile ${formatBytes(first.workerBytes)}, and afterwards ${formatBytes(rest)}`
        : '',
    stop: server.stop,
  };
}

/** Returns bytes by the first part of each path. */
function bytesByDirectory(bodies: ReadonlyMap<string, number>): string {
  const totals = new Map<string, number>();
  for (const [path, bytes] of bodies) {
    const name = path.replace(/^assets\//, '').includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : path;
    totals.set(name, (totals.get(name) ?? 0) + bytes);
  }
  return [...totals]
    .sort(([, a], [, b]) => b - a)
    .map(([name, bytes]) => `\`${name}\` ${formatBytes(bytes)}`)
    .join(', ');
}

function row(title: string, measured: readonly Searches[]): string {
  const later = measured.flatMap((one) => one.later);
  const ms = (values: number[]) => formatSpread(values, (value) => `${value.toFixed(0)} ms`);
  const isReported = measured.some(({ complete }) => complete.bytes > 0);
  const bytes = (values: number[]) => (isReported ? formatSpread(values, (value) => formatBytes(value)) : 'not reported');
  return tableRow(
    title,
    ms(measured.map(({ firstMs }) => firstMs)),
    ms(measured.map(({ complete }) => complete.ms)),
    bytes(measured.map(({ complete }) => complete.bytes)),
    ms(later.map((one) => one.ms)),
    bytes(later.map((one) => one.bytes)),
  );
}
