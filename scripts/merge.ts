/** `microfiche merge`: makes a site of its shards. */
import { Command, Option } from 'commander';
import { formatBytes } from '../src/platform/quantities.ts';
import { formatCount } from '../src/platform/text-lines.ts';
import { signDirectory } from '../src/publish/signature.ts';
import {
  commandLineOnly,
  createJsonOption,
  createSignOption,
  createWithholdLessOption,
  HELP_OPTION,
  parsePath,
} from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  out: string;
  snapshot?: string;
  sign?: string;
  withholdLess?: boolean;
  json?: boolean;
}

/** Returns the command `merge`. */
export function mergeCommand(): Command {
  return new Command('merge')
    .summary('Make a site of its shards')
    .description(
      'Make a site of the shards that "microfiche build --shard" has built, on one machine or several. The site is that of one "build --clean", byte for byte. Shards that do not belong together are rejected.',
    )
    .helpOption(...HELP_OPTION)
    .argument('<shards...>', 'directories of all shards')
    .addOption(new Option('--out <dir>', 'Site directory').argParser(parsePath).default('dist'))
    .addOption(
      commandLineOnly(
        new Option(
          '--snapshot <dir>',
          'Reject the shards if they were not built from the present content of this snapshot',
        ).argParser(parsePath),
      ),
    )
    .addOption(createSignOption())
    .addOption(createWithholdLessOption())
    .addOption(createJsonOption())
    .action(async (shards: string[], flags: Flags) => {
      const { mergeShards } = await import('../src/pipeline/merge.ts');
      const bar = createProgress('Shards', flags.json === true);
      try {
        const report = await mergeShards({
          ...{ out: flags.out, shards, snapshot: flags.snapshot, withholdLess: flags.withholdLess },
          onProgress: (done, total) => bar.update(done, total),
        });
        bar.stop();
        if (flags.sign !== undefined) await signDirectory('site', flags.out, flags.sign);
        if (flags.json) console.log(JSON.stringify({ out: flags.out, ...report }));
        else
          console.log(
            [
              ...report.notes,
              `Merged ${formatCount(report.shards, 'shard')}. Site in ${flags.out}: ${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}. Written: ${report.written}, deleted: ${report.removed}.`,
            ].join('\n'),
          );
      } finally {
        bar.stop();
      }
    });
}
