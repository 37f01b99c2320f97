/** `npm run bench`: measures on generated records and prints tables. It asserts nothing about time. */
import { Command, Option } from 'commander';
import { wholeNumber } from '../options.ts';
import { benchFile } from './file.ts';
import { benchHarvest } from './harvest.ts';
import { benchMedia } from './media.ts';
import { benchPages } from './pages.ts';

const flags = new Command('bench')
  .description(
    'Measures the harvest against curl, media against vipsthumbnail, curl and sha256sum, builds, the object pages against Eleventy, and a mirror on a stick.',
  )
  .addOption(new Option('--only <part>', 'one part alone').choices(['harvest', 'media', 'pages', 'file']))
  .option(
    '--records <n>',
    'records to generate (default: 100,000; 20,000 for pages, 1,200 photographs for media)',
    wholeNumber(100),
  )
  .option('--runs <n>', 'runs of each measurement; the median counts', wholeNumber(1, 20), 3)
  .parse()
  .opts<{ only?: 'harvest' | 'media' | 'pages' | 'file'; records?: number; runs: number }>();

const wants = (part: typeof flags.only) => flags.only === undefined || flags.only === part;
if (wants('harvest')) await benchHarvest({ records: flags.records ?? 100_000, runs: flags.runs });
if (wants('media')) await benchMedia({ records: flags.records ?? 1_200, runs: flags.runs });
if (wants('pages')) await benchPages({ records: flags.records ?? 20_000, runs: flags.runs });
if (wants('file')) await benchFile({ records: flags.records ?? 100_000, runs: flags.runs });
