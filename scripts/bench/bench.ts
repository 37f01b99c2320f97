/** `npm run bench`: runs benchmarks on generated records and prints tables. It does not fail if a measurement is slow. */
import { Command, Option } from 'commander';
import { integer, path } from '../options/option-values.ts';
import { benchBuilds } from './builds.ts';
import { benchCopies } from './copies.ts';
import { benchExports } from './exports.ts';
import { benchFile } from './file.ts';
import { benchHarvest } from './harvest.ts';
import { benchMedia } from './media.ts';
import { benchMillion } from './million.ts';
import { benchPeers } from './peers.ts';
import { BENCH_DIRECTORY } from './program.ts';
import { benchSearch } from './search.ts';

interface Flags {
  only?: string;
  records?: number;
  runs: number;
  mediaMb: number;
  withSite: boolean;
  dir: string;
  shards: number;
  keep: boolean;
}

/** Each benchmark, with its usual number of records. */
const BENCHMARKS: Record<string, (flags: Flags) => Promise<void>> = {
  harvest: (flags) => benchHarvest({ records: 100_000, ...flags }),
  media: (flags) => benchMedia({ records: 1_200, ...flags }),
  builds: (flags) => benchBuilds({ records: 20_000, ...flags }),
  peers: (flags) => benchPeers({ records: 4_000, ...flags }),
  file: (flags) => benchFile({ records: 100_000, ...flags }),
  search: benchSearch,
  export: (flags) => benchExports({ records: 20_000, ...flags }),
  copies: (flags) => benchCopies({ records: 20_000, ...flags }),
  million: (flags) => benchMillion({ records: 1_000_000, ...flags }),
};

const flags = new Command('bench')
  .description(
    'Compare the harvest with curl, media with vipsthumbnail, curl and sha256sum, measure record pages and sites beside those of other generators, builds, exports, copies with rsync, and a site on a USB drive and judge the results of search. With --only: measure an archive of a million records.',
  )
  .helpOption('-h, --help', 'Display help for this command')
  .addOption(new Option('--only <part>', 'Run only this benchmark').choices(Object.keys(BENCHMARKS)))
  .option(
    '--records <n>',
    'Number of records to generate (default: 100,000; 20,000 for builds, exports and copies, 4,000 for peers, 1,200 photographs for media, a million for million)',
    integer(100, 1_000_000_000).parse,
  )
  .option('--runs <n>', 'Runs per measurement; the median is printed', integer(1, 20).parse, 3)
  .option('--media-mb <n>', 'export, copies: megabytes of media files', integer(1, 1_000_000).parse, 5_000)
  .option('--with-site', 'export: build the site, and export it as zim and iiif too; takes minutes', false)
  .addOption(
    new Option('--dir <dir>', 'Directory for all files; each benchmark makes one in it')
      .argParser(path.parse)
      .default(BENCH_DIRECTORY, '.microfiche/bench'),
  )
  .option('--shards <n>', 'million: number of shards', integer(1, 999).parse, 16)
  .option('--keep', 'million: keep the snapshot and the site after the last step', false)
  .parse()
  .opts<Flags>();

// The processes that were started are ended when this one exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** That of a million takes hours, and runs only if `--only` names it. */
const chosen = flags.only ? [flags.only] : Object.keys(BENCHMARKS).filter((name) => name !== 'million');
for (const name of chosen) await BENCHMARKS[name]?.(flags);
