/** `npm run bench`: runs benchmarks on generated records and prints tables. It does not fail if a measurement is slow. */
import { Command, Option } from 'commander';
import { HELP_OPTION, integerParser } from '../options.ts';
import { benchFile } from './file.ts';
import { benchHarvest } from './harvest.ts';
import { benchMedia } from './media.ts';
import { benchPages } from './pages.ts';
import { benchSearch } from './search.ts';

const flags = new Command('bench')
  .description(
    'Compare the harvest with curl, media with vipsthumbnail, curl and sha256sum, and record pages with Eleventy; measure builds, and a site on a USB drive; judge the results of search.',
  )
  .helpOption(...HELP_OPTION)
  .addOption(new Option('--only <part>', 'Run only this benchmark').choices(['harvest', 'media', 'pages', 'file', 'search']))
  .option(
    '--records <n>',
    'Number of records to generate (default: 100,000; 20,000 for pages, 1,200 photographs for media)',
    integerParser(100),
  )
  .option('--runs <n>', 'Runs per measurement; the median is printed', integerParser(1, 20), 3)
  .parse()
  .opts<{ only?: 'harvest' | 'media' | 'pages' | 'file' | 'search'; records?: number; runs: number }>();

const wants = (part: typeof flags.only) => flags.only === undefined || flags.only === part;
if (wants('harvest')) await benchHarvest({ records: flags.records ?? 100_000, runs: flags.runs });
if (wants('media')) await benchMedia({ records: flags.records ?? 1_200, runs: flags.runs });
if (wants('pages')) await benchPages({ records: flags.records ?? 20_000, runs: flags.runs });
if (wants('file')) await benchFile({ records: flags.records ?? 100_000, runs: flags.runs });
if (wants('search')) await benchSearch();
