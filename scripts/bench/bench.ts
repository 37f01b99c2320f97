/** `npm run bench`: runs benchmarks on generated records and prints tables. It does not fail if a measurement is slow. */
import { Command, Option } from 'commander';
import { integer, path } from '../options/option-values.ts';
import { benchExports } from './exports.ts';
import { benchFile } from './file.ts';
import { benchHarvest } from './harvest.ts';
import { benchMedia } from './media.ts';
import { benchMillion } from './million.ts';
import { BENCH_DIRECTORY } from './program.ts';
import { benchScale, SCALE_PARTS, type ScalePart } from './scale.ts';
import { benchSearch } from './search.ts';

/** The benchmarks. */
const PARTS = ['harvest', 'media', 'pages', 'file', 'search', 'export', 'scale', 'million'] as const;
/** They take hours, and run only if `--only` names them. */
const LONG_PARTS: ReadonlySet<string> = new Set(['scale', 'million']);

interface Flags {
  only?: (typeof PARTS)[number];
  records?: number;
  runs: number;
  mediaMb: number;
  withSite?: boolean;
  part: ScalePart[];
  dir: string;
  shards: number;
  keep?: boolean;
}

const flags = new Command('bench')
  .description(
    'Compare the harvest with curl, media with vipsthumbnail, curl and sha256sum, measure record pages, builds, exports, and a site on a USB drive and judge the results of search. With --only: measure archives of 100,000 and of a million records.',
  )
  .helpOption('-h, --help', 'Display help for this command')
  .addOption(new Option('--only <part>', 'Run only this benchmark').choices(PARTS))
  .option(
    '--records <n>',
    'Number of records to generate (default: 100,000; 20,000 for pages and exports, 1,200 photographs for media, a million for million)',
    integer(100, 1_000_000_000).parse,
  )
  .option('--runs <n>', 'Runs per measurement; the median is printed', integer(1, 20).parse, 3)
  .option('--media-mb <n>', 'export: megabytes of media files', integer(1, 1_000_000).parse, 5_000)
  .option('--with-site', 'export: build the site, and export it as zim and iiif too; takes minutes')
  .addOption(new Option('--part <parts...>', 'scale: measure only these parts').choices(SCALE_PARTS).default(SCALE_PARTS, 'all'))
  .addOption(
    new Option('--dir <dir>', 'scale, million: directory for all files; each makes a directory in it')
      .argParser(path.parse)
      .default(BENCH_DIRECTORY, '.microfiche/bench'),
  )
  .option('--shards <n>', 'million: number of shards', integer(1, 999).parse, 16)
  .option('--keep', 'million: keep the snapshot and the site after the last step')
  .parse()
  .opts<Flags>();

// The processes that were started are ended when this one exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const { records, runs, mediaMb, withSite = false, part: parts, shards, keep = false, dir: directory } = flags;
/** Each benchmark, with its usual number of records. */
const BENCHMARKS: Record<(typeof PARTS)[number], () => Promise<void>> = {
  harvest: () => benchHarvest({ records: records ?? 100_000, runs }),
  media: () => benchMedia({ records: records ?? 1_200, runs }),
  pages: () => benchScale({ records: records ?? 20_000, runs, parts: ['builds', 'pages'], directory }),
  file: () => benchFile({ records: records ?? 100_000, runs }),
  search: benchSearch,
  export: () => benchExports({ records: records ?? 20_000, mediaBytes: mediaMb * 1e6, runs, withSite }),
  scale: () => benchScale({ records: records ?? 100_000, runs, parts, directory }),
  million: () => benchMillion({ records: records ?? 1_000_000, shards, keep, directory }),
};
const chosen = flags.only ? [flags.only] : PARTS.filter((name) => !LONG_PARTS.has(name));
for (const name of chosen) await BENCHMARKS[name]();
