/** The benchmark of exports: each format against `cp`, `tar` and `sha256sum` of the same files, and both imports. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatMemory, formatRatio, median, printStep, secondsOf, tableRow } from './format.ts';
import { addMedia } from './generate-media.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureAll, measureCommand, measureWriting, type Written } from './measure.ts';
import { type BenchSize, runBuild, SCRIPT, sizeOf, withDirectory } from './program.ts';

const SITE_URL = 'https://mirror.example.org';
/** What the imports read. */
const PACKAGES = ['bag', 'bag.tar', 'snapshot.wacz'];

/** What is measured: a command, and the name of the file or directory that it writes. */
interface Contender {
  out: string;
  command: string;
  args: string[];
}

/** Runs the benchmark, with `mediaMb` megabytes of media files; with `withSite`, also exports the site: `zim` and `iiif`. */
export const benchExports = ({ records, mediaMb, runs, withSite, dir }: BenchSize & { mediaMb: number; withSite: boolean }) =>
  withDirectory('exports', dir, async (directory) => {
    const snapshot = join(directory, 'snapshot');
    printStep(`generating ${records} records and their media`);
    generateSnapshot(snapshot, records, true);
    const files = await addMedia(snapshot, mediaMb * 1e6);
    const { bytes } = sizeOf(snapshot);
    if (withSite) await runBuild(snapshot, join(directory, 'site'), ['--site', SITE_URL]);
    const sizes = new Map<string, number>();
    /** Reads all files, so that they are in the page cache. */
    const readAll = () => measureCommand('sh', ['-c', 'find "$1" -type f -exec cat {} + > /dev/null', 'sh', snapshot]);
    const measure = async (title: string, { out, command, args }: Contender): Promise<Written> => {
      const target = join(directory, out);
      rmSync(target, { recursive: true, force: true });
      const took = await measureWriting(bytes, directory, command, args, readAll);
      sizes.set(title, statSync(target).isDirectory() ? sizeOf(target).bytes : statSync(target).size);
      // The imports read the packages. The others are deleted, so that all fit on the disk.
      if (!PACKAGES.includes(out)) rmSync(target, { recursive: true });
      return took;
    };
    const contenders = Object.entries(contendersIn(directory, withSite)).map(([title, contender]) => [
      title,
      () => measure(title, contender),
    ]);
    const measured: Record<string, Written[]> = await measureAll(runs, Object.fromEntries(contenders));
    const onDisk = (all: readonly Written[]) => secondsOf(all.map((written) => written.onDisk));
    const reference = onDisk(measured[REFERENCE] ?? []);
    const row = ([title, all]: [string, Written[]]) => {
      const [size, synced] = [sizes.get(title) ?? 0, onDisk(all)];
      const seconds = [median(secondsOf(all)).toFixed(1), median(synced).toFixed(1)];
      const speed = [`${inMegabytes(size / median(synced))}/s`, formatRatio(reference, synced)];
      return tableRow(title, inMegabytes(size), ...seconds, formatMemory(all), ...speed);
    };
    console.log(`
| what (${records} records, ${files} media files, ${inMegabytes(bytes)} with the database; medians of ${runs}) | bytes written | seconds | with sync | peak memory | speed with sync | speed ÷ tar and sha256sum, with sync |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
${Object.entries(measured).map(row).join('\n')}

The files of the snapshot are in the page cache before each run.
`);
  });

/** What exports of the entire snapshot are compared with. */
const REFERENCE = '`tar cf`, then `sha256sum` of it';

/** Returns what is measured, by title. */
function contendersIn(directory: string, withSite: boolean): Record<string, Contender> {
  const path = (name: string) => join(directory, name);
  const snapshot = path('snapshot');
  const shell = (script: string) => ({ out: 'copy', command: 'sh', args: ['-c', script, 'sh', snapshot, path('copy')] });
  const microfiche = (out: string, ...args: string[]) => ({ out, command: process.execPath, args: [SCRIPT, ...args, '--json'] });
  const toExport = (out: string, format: string, ...more: string[]) =>
    microfiche(out, 'export', format, '--snapshot', snapshot, '--dir', path('site'), '--to', path(out), ...more);
  const toImport = (name: string) => microfiche('imported', 'import', path(name), '--snapshot', path('imported'));
  return {
    '`cp -a` of the snapshot': shell('cp -a "$1" "$2"'),
    '`tar cf`': shell('tar -C "$1" -cf "$2" .'),
    [REFERENCE]: shell('tar -C "$1" -cf "$2" . && sha256sum "$2" > /dev/null'),
    '`export bagit` as a directory': toExport('bag', 'bagit'),
    '`export bagit` as TAR': toExport('bag.tar', 'bagit'),
    '`export bagit` as ZIP': toExport('bag.zip', 'bagit'),
    '`export wacz`': toExport('snapshot.wacz', 'wacz'),
    '`export tables`': toExport('tables', 'tables'),
    '`export api`': toExport('api', 'api', '--site', SITE_URL),
    '`export ead`': toExport('ead', 'ead'),
    ...(withSite
      ? { '`export zim`': toExport('site.zim', 'zim'), '`export iiif`': toExport('iiif', 'iiif', '--site', SITE_URL) }
      : {}),
    ...Object.fromEntries(PACKAGES.map((name) => [`\`import\` of ${name}`, toImport(name)])),
  };
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
