/** `microfiche usb`: copies the built site to a mounted stick. */
import { Command } from 'commander';
import { formatBytes } from '../src/platform/durations.ts';
import { counted } from '../src/platform/lines.ts';
import { START_NAME } from '../src/publish/stick-names.ts';
import { copyToStick, type UsbReport } from '../src/publish/usb/copy.ts';
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
    .option(
      '--force',
      'use a folder that holds other things too, which are left alone, or another archive’s mirror, which is replaced',
    )
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

function lines({ files, bytes, copied, kept, removed, leftAlone }: UsbReport, to: string): string[] {
  return [
    `${to} holds the mirror: ${counted(files, 'file')}, ${formatBytes(bytes)}; ${copied} copied and read back, ${kept} there already, ${removed} removed.`,
    ...leftAlone.map(
      (name) => `${name} was there before and is not ours: it is left as it was, and the mirror opens by mirror/index.html.`,
    ),
    ...(leftAlone.includes(START_NAME)
      ? ['Unmount it before you pull it out.']
      : [`Unmount it before you pull it out; then “${START_NAME}” opens it.`]),
  ];
}
