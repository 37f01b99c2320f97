/** `microfiche usb`: copies the built site to a mounted stick. */
import { Command } from 'commander';
import { formatBytes } from '../src/model/durations.ts';
import { copyToStick, type UsbReport } from '../src/usb/copy.ts';
import { dirOption, jsonOption } from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  dir: string;
  to: string;
  force?: boolean;
  json?: boolean;
}

export function usbCommand(): Command {
  return new Command('usb')
    .description('Copies the built site to a mounted stick, reads back what it wrote, and goes on where it was cut short.')
    .requiredOption('--to <path>', 'where the stick is mounted, or a folder on it')
    .addOption(dirOption())
    .option('--force', 'use a folder that holds other things too; they are left alone')
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const progress = createProgress('Copying', flags.json === true);
      try {
        const report = await copyToStick({
          dir: flags.dir,
          to: flags.to,
          force: flags.force === true,
          onProgress: (done, total) => progress.update(done, total),
        });
        progress.stop();
        if (flags.json) console.log(JSON.stringify(report));
        else for (const line of lines(report, flags.to)) console.log(line);
      } finally {
        progress.stop();
      }
    });
}

function lines({ files, bytes, copied, kept, removed }: UsbReport, to: string): string[] {
  return [
    `${to} holds the mirror: ${files} files, ${formatBytes(bytes)}; ${copied} copied and read back, ${kept} there already, ${removed} removed.`,
    'Unmount it before you pull it out; then “START HERE.html” opens it.',
  ];
}
