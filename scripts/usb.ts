/** `microfiche usb`: copies the built site to a mounted USB drive. */
import { Command } from 'commander';
import { formatBytes } from '../src/platform/quantities.ts';
import { formatCount } from '../src/platform/text-lines.ts';
import { copyToUsb, type UsbReport } from '../src/publish/usb/copy-to-usb.ts';
import { START_FILE } from '../src/publish/usb-names.ts';
import {
  createDirOption,
  createJsonOption,
  createSignOption,
  createWithholdLessOption,
  createWithSourceOption,
  HELP_OPTION,
} from './options.ts';
import { createProgress } from './progress.ts';

interface Flags {
  dir: string;
  to: string;
  force?: boolean;
  sign?: string;
  withSource?: boolean;
  withholdLess?: boolean;
  json?: boolean;
}

/** Returns the command `usb`. */
export function usbCommand(): Command {
  return new Command('usb')
    .summary('Copy the site to a USB drive')
    .description(
      'Copy the built site to a mounted USB drive, and verify what was written. Run the same command again to resume an interrupted copy.',
    )
    .helpOption(...HELP_OPTION)
    .requiredOption('--to <path>', 'Mount point of the drive, or a directory on it (required)')
    .addOption(createDirOption())
    .option(
      '--force',
      'Copy to a directory that contains other files, which stay, or the site of another archive, which is replaced',
    )
    .addOption(createSignOption())
    .addOption(createWithSourceOption())
    .addOption(createWithholdLessOption())
    .addOption(createJsonOption())
    .action(async (flags: Flags) => {
      const progress = createProgress('Copying', flags.json === true);
      try {
        const report = await copyToUsb({
          dir: flags.dir,
          to: flags.to,
          force: flags.force === true,
          keyFile: flags.sign,
          withSource: flags.withSource === true,
          withholdLess: flags.withholdLess === true,
          onProgress: (done, total) => progress.update(done, total),
        });
        progress.stop();
        if (flags.json) console.log(JSON.stringify(report));
        else for (const line of usbLines(report, flags.to)) console.log(line);
      } finally {
        progress.stop();
      }
    });
}

function usbLines(report: UsbReport, to: string): string[] {
  const { files, bytes, copied, kept, removed, leftAlone, leftOut, isSignatureLeftOut } = report;
  return [
    `Site on ${to}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}. Copied and verified: ${copied}, unchanged: ${kept}, deleted: ${removed}.`,
    ...(leftOut > 0
      ? [`Not copied: ${formatCount(leftOut, 'compressed copy', 'compressed copies')}, which only web servers use.`]
      : []),
    ...(isSignatureLeftOut
      ? ['The signature of the site is not on the drive, because it covers the compressed copies. To sign the drive, add --sign.']
      : []),
    ...leftAlone.map(
      (name) =>
        `Not replaced: ${name}, which Microfiche did not write.${name === START_FILE ? ' To open the site, use mirror/index.html.' : ''}`,
    ),
    ...(leftAlone.includes(START_FILE)
      ? ['Eject the drive before you unplug it.']
      : [`Eject the drive before you unplug it. To open the site, use "${START_FILE}".`]),
  ];
}
