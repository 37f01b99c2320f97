/** `npm run bench`: measures on generated records and prints tables. It asserts nothing about time. */
import { Command, Option } from 'commander';
import { wholeNumber } from '../options.ts';
import { benchHarvest } from './harvest.ts';
import { benchPages } from './pages.ts';

const flags = new Command('bench')
  .description('Measures the harvest against curl, builds, and the object pages against Eleventy.')
  .addOption(new Option('--only <part>', 'one part alone').choices(['harvest', 'pages']))
  .option('--records <n>', 'records to generate (default: 100,000 for the harvest, 20,000 for pages)', wholeNumber(100))
  .option('--runs <n>', 'runs of each measurement; the median counts', wholeNumber(1, 20), 3)
  .parse()
  .opts<{ only?: 'harvest' | 'pages'; records?: number; runs: number }>();

if (flags.only !== 'pages') await benchHarvest({ records: flags.records ?? 100_000, runs: flags.runs });
if (flags.only !== 'harvest') await benchPages({ records: flags.records ?? 20_000, runs: flags.runs });
