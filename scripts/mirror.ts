/** `microfiche mirror`: the whole chain on the embedded sample archive, over real HTTP. */
import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';
import { FAULTS } from '../src/api/faults.ts';
import { listen, type RunningServer } from '../src/api/server.ts';
import { harvestLines } from '../src/harvest/report.ts';
import { isExpected, UserError } from '../src/model/errors.ts';
import { assertSameArchive } from '../src/publish/identity.ts';
import { loadSample, readManifest } from '../src/sample/sample.ts';
import { meta } from '../src/snapshot/read.ts';
import { openSnapshot, type Store } from '../src/snapshot/store.ts';
import { buildLines, runBuild } from './build.ts';
import { harvestDefaults, runHarvest } from './harvest.ts';
import { mediaDefaults, mediaLines, runMedia } from './media.ts';
import { dirOption, wholeNumber } from './options.ts';
import { SAMPLE } from './serve.ts';

/** Where the sample plays upstream, so that two runs give the same addresses; any free port where this one is taken. */
const UPSTREAM_PORT = 43_217;

export function mirrorCommand(): Command {
  return new Command('mirror')
    .description(
      'Does it all on the embedded sample archive: serves it as upstream, harvests it over HTTP, fetches media and builds the mirror.',
    )
    .addOption(new Option('--snapshot <dir>', 'the folder of the sample’s snapshot').default('content/sample-snapshot'))
    .addOption(dirOption())
    .option('--serve', 'serve the mirror when it is built')
    .option('--port <n>', 'the port to serve at; 0 takes any free one', wholeNumber(0, 65535), 4321)
    .action(async (flags: { snapshot: string; dir: string; serve?: boolean; port: number }) => {
      refuseOtherSnapshot(flags.snapshot);
      const { name, faults } = readManifest(SAMPLE);
      assertSameArchive({ sample: name }, flags.dir); // before anything is harvested
      const sample = loadSample(SAMPLE);
      const upstream = await listenAt(UPSTREAM_PORT, sample, new Set(FAULTS.filter((fault) => faults.includes(fault))));
      try {
        console.log(`${name} (imaginary) plays upstream at ${upstream.url}.`);
        const harvested = await runHarvest(
          {
            ...harvestDefaults({ authorsUrl: upstream.url, catalogUrl: upstream.url, snapshot: flags.snapshot }),
            meta: { sample: name },
          },
          false,
        );
        for (const line of harvestLines(harvested)) console.log(line);
        const media = await runMedia(mediaDefaults(flags.snapshot), false);
        for (const line of mediaLines(media)) console.log(line);
      } finally {
        await upstream.close();
        sample.close();
      }
      const built = await runBuild(
        { snapshot: flags.snapshot, out: flags.dir, languages: ['en'], search: true, packs: true, idleMinutes: 0 },
        false,
      );
      for (const line of buildLines(built, flags.dir)) console.log(line);
      if (flags.serve) await serveMirror(flags);
    });
}

async function serveMirror({ snapshot, dir, port }: { snapshot: string; dir: string; port: number }): Promise<void> {
  const store = openSnapshot(snapshot);
  const server = await listenAt(port, store, undefined, dir);
  console.log(`The mirror is at ${server.url}/ (Ctrl-C stops)`);
  const stop = () => void server.close().then(() => store.close());
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

async function listenAt(
  port: number,
  store: Store,
  faults: Parameters<typeof listen>[0]['faults'],
  dir?: string,
): Promise<RunningServer> {
  const at = (number: number) => listen({ store, dir, port: number, host: '127.0.0.1', ...(faults ? { faults } : {}) });
  try {
    return await at(port);
  } catch (error) {
    if (!isExpected(error)) throw error;
    return at(0);
  }
}

/** A harvest of a real archive is not to be mixed with the sample. */
function refuseOtherSnapshot(dir: string): void {
  if (!existsSync(dir)) return;
  const store = openSnapshot(dir);
  try {
    const upstream = meta(store, 'catalog_url');
    if (upstream !== undefined && meta(store, 'sample') === undefined) {
      throw new UserError(
        `${dir} holds a mirror of ${upstream}, not of the sample: name another folder with --snapshot and --dir.`,
      );
    }
  } finally {
    store.close();
  }
}
