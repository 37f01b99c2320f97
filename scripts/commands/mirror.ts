/** `microfiche mirror`: runs all steps from harvest to site on the embedded sample archive, over HTTP. */
import { existsSync } from 'node:fs';
import { type RunningServer, startServer } from '../../src/api/server.ts';
import { FAULTS } from '../../src/api/simulated-faults.ts';
import { harvestLines } from '../../src/harvest/report.ts';
import { isExpected, UserError } from '../../src/model/errors.ts';
import { assertSameArchive, readArchiveIdentity } from '../../src/publish/site-identity.ts';
import { SAMPLE_DIRECTORY } from '../../src/snapshot/file-names.ts';
import { readMeta } from '../../src/snapshot/read.ts';
import { openSnapshot } from '../../src/snapshot/store.ts';
import { defaultsOf, type Flags as FlagsOf } from '../options/options.ts';
import { buildLines, runBuild } from './build.ts';
import { defaultHarvestOptions, runHarvest } from './harvest.ts';
import { defaultMediaOptions, mediaLines, runMedia } from './media.ts';

type Flags = FlagsOf<'mirror'>;

/** Port of the sample archive. Fixed so that two runs store the same URLs; if it is in use, any free port is used. */
const UPSTREAM_PORT = 43_217;

/** Runs the command `mirror`. */
export async function mirrorSample(flags: Flags) {
  const print = flags.json ? () => undefined : (line: string) => console.log(line);
  const reports = await runSteps(flags, print);
  const url = flags.serve ? await serveSite(flags) : undefined;
  if (url !== undefined) print(`Serving the site at ${url} (press Ctrl-C to stop)`);
  return { report: { ...reports, url } };
}

/** Harvests the sample archive over HTTP, downloads its media files, and builds the site. Returns the report of each step. */
async function runSteps({ snapshot, dir, json = false }: Flags, print: (line: string) => void) {
  assertSampleSnapshot(snapshot);
  const copied = await copySample({ snapshot, dir }, json, print);
  const build = await runBuild({ ...defaultsOf('build'), snapshot, out: dir, content: undefined }, json);
  for (const line of buildLines(build, { out: dir })) print(line);
  return { ...copied, build };
}

/** Serves the sample archive while it is harvested into the snapshot. */
async function copySample({ snapshot, dir }: Pick<Flags, 'snapshot' | 'dir'>, quiet: boolean, print: (line: string) => void) {
  using sample = openSnapshot(SAMPLE_DIRECTORY);
  const { sample: name = '' } = readArchiveIdentity(sample);
  assertSameArchive({ sample: name }, dir); // fails before the harvest
  await using upstream = await startServerAt(UPSTREAM_PORT, { store: sample, dir: undefined, faults: new Set(FAULTS) });
  print(`Serving the sample archive (${name}) as upstream at ${upstream.url}.`);
  const urls = { authorsUrl: upstream.url, catalogUrl: upstream.url };
  const harvest = await runHarvest({ ...defaultHarvestOptions({ ...urls, snapshot }), meta: { sample: name } }, quiet);
  for (const line of harvestLines(harvest, { isOneOfSteps: true })) print(line);
  const media = await runMedia(defaultMediaOptions(snapshot), quiet);
  for (const line of mediaLines(media)) print(line);
  return { harvest, media };
}

/** Serves the site until the process is interrupted. Returns the URL of the home page. */
async function serveSite({ snapshot, dir, port }: Flags): Promise<string> {
  const store = openSnapshot(snapshot);
  const server = await startServerAt(port, { store, dir });
  const stop = () => void server.close().then(() => store.close());
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return `${server.url}/`;
}

type Served = Omit<Parameters<typeof startServer>[0], 'port' | 'host'>;
async function startServerAt(port: number, served: Served): Promise<RunningServer> {
  const start = (number: number) => startServer({ ...served, port: number, host: '127.0.0.1' });
  try {
    return await start(port);
  } catch (error) {
    if (!isExpected(error)) throw error;
    return start(0); // the port is in use
  }
}

/** The sample archive must not be mixed with the snapshot of a real one. */
function assertSampleSnapshot(dir: string): void {
  if (!existsSync(dir)) return;
  using store = openSnapshot(dir);
  const upstream = readMeta(store, 'catalog_url');
  if (upstream !== undefined && readMeta(store, 'sample') === undefined) {
    throw new UserError(
      `${dir} contains the archive at ${upstream}, not the sample archive. Choose other directories with --snapshot and --dir.`,
    );
  }
}
