/** `microfiche import`: makes a snapshot from a package that `export` wrote. */
import { Command } from 'commander';
import { formatBytes } from '../src/platform/quantities.ts';
import { formatCount } from '../src/platform/text-lines.ts';
import { createJsonOption, createSnapshotOption, HELP_OPTION } from './options.ts';

interface Flags {
  snapshot: string;
  json?: boolean;
}

/** Returns the command `import`. */
export function importCommand(): Command {
  return new Command('import')
    .summary('Make a snapshot from a bag or WACZ')
    .description(
      'Make a snapshot from a bag or WACZ that "microfiche export" wrote. It is checked first: if it is damaged or was changed, nothing is written.',
    )
    .helpOption(...HELP_OPTION)
    .argument('<path>', 'bag (a directory, ZIP or TAR file) or WACZ')
    .addOption(createSnapshotOption())
    .addOption(createJsonOption())
    .action(async (path: string, flags: Flags) => {
      const { importPackage } = await import('../src/export/import-package.ts');
      const report = await importPackage(path, flags.snapshot);
      if (flags.json) console.log(JSON.stringify(report));
      else
        console.log(
          `Imported to ${flags.snapshot}: ${formatCount(report.files, 'file')}, ${formatBytes(report.bytes)}.\nFingerprint of the content: ${report.fingerprint}`,
        );
    });
}
