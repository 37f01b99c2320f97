/** `microfiche usb`: copies the built site to a mounted USB drive. */
import { formatBytes } from '../../src/platform/quantities.ts';
import { formatCount, lineIf } from '../../src/platform/text-lines.ts';
import { copyToUsb, type UsbReport } from '../../src/publish/copies/copy-to-usb.ts';
import { START_FILE } from '../../src/publish/usb-names.ts';
import type { Flags } from '../options/options.ts';
import { createProgress } from '../progress.ts';

/** Runs the command `usb`. */
export async function writeToUsb({ dir, to, sign: keyFile, json, ...flags }: Flags<'usb'>) {
  using progress = createProgress('Copying', json);
  const report = await copyToUsb({
    dir,
    to,
    keyFile,
    force: flags.force === true,
    withSource: flags.withSource === true,
    withholdLess: flags.withholdLess === true,
    onProgress: progress.update,
  });
  return { report, lines: usbLines(report, to) };
}

function usbLines(report: UsbReport, to: string): string[] {
  const { files, bytes, copied, unchanged, removed, leftAlone, leftOut, archiveList, isSignatureLeftOut } = report;
  return [
    `Site on ${to}: ${formatCount(files, 'file')}, ${formatBytes(bytes)}. Copied and verified: ${copied}, unchanged: ${unchanged}, deleted: ${removed}.`,
    ...lineIf(
      leftOut,
      `Not copied: ${formatCount(leftOut, 'compressed copy', 'compressed copies')}, which only web servers use.`,
    ),
    ...(isSignatureLeftOut
      ? ['The signature of the site is not on the drive, because it covers the compressed copies. To sign the drive, add --sign.']
      : []),
    ...leftAlone.map(
      (name) =>
        `Not replaced: ${name}, which Microfiche did not write.${name === START_FILE ? ' To open the site, use mirror/index.html.' : ''}`,
    ),
    ...(archiveList === undefined ? [] : [`All archives on the drive are listed in ${archiveList}.`]),
    ...(leftAlone.includes(START_FILE)
      ? ['Eject the drive before you unplug it.']
      : [`Eject the drive before you unplug it. To open the site, use "${START_FILE}".`]),
  ];
}
