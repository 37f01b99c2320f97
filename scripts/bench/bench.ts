/** `npm run bench`: runs benchmarks on generated records and prints tables. It does not fail if a measurement is slow. */
import { Command, Option } from 'commander';
import { HELP_OPTION, integerParser } from '../options.ts';
import { benchExports } from './exports.ts';
import { benchFile } from './file.ts';
import { benchHarvest } from './harvest.ts';
import { benchMedia } from './media.ts';
import { benchPages } from './pages.ts';
import { benchSearch } from './search.ts';

/** The benchmarks. */
const PARTS = ['harvest', 'media', 'pages', 'file', 'search', 'export'] as const;

const flags = new Command('bench')
  .description(
    'Compare the harvest with curl, media with vipsthumbnail, curl and sha256sum, and record pages with Eleventy; measure builds, exports, and a site on a USB drive; judge the results of search.',
  )
  .helpOption(...HELP_OPTION)
  .addOption(new Option('--only <part>', 'Run only this benchmark').choices(PARTS))
  .option(
    '--records <n>',
    'Number of records to generate (default: 100,000; 20,000 for pages and exports, 1,200 photographs for media)',
    integerParser(100),
  )
  .option('--runs <n>', 'Runs per measurement; the median is printed', integerParser(1, 20), 3)
  .option('--media-mb <n>', 'export: megabytes of media files', integerParser(1), 5_000)
  .option('--with-site', 'export: build the site, and export it as zim and iiif too; takes minutes')
  .parse()
  .opts<{ only?: (typeof PARTS)[number]; records?: number; runs: number; mediaMb: number; withSite?: boolean }>();

const wants = (part: typeof flags.only) => flags.only === undefined || flags.only === part;
if (wants('harvest')) await benchHarvest({ records: flags.records ?? 100_000, runs: flags.runs });
if (wants('media')) await benchMedia({ records: flags.records ?? 1_200, runs: flags.runs });
if (wants('pages')) await benchPages({ records: flags.records ?? 20_000, runs: flags.runs });
if (wants('file')) await benchFile({ records: flags.records ?? 100_000, runs: flags.runs });
if (wants('search')) await benchSearch();
if (wants('export')) {
  const { records = 20_000, mediaMb, runs, withSite = false } = flags;
  await benchExports({ records, mediaBytes: mediaMb * 1e6, runs, withSite });
}
