/** The benchmark of exports: each format against `cp`, `tar` and `sha256sum` of the same files, and both imports. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { addMedia } from './export-media.ts';
import { formatMemory, formatRatio, tableRow } from './format.ts';
import { generateSnapshot } from './generate-snapshot.ts';
import { measureCommand, measureWriting, median, type Written } from './measure.ts';
import { ROOT } from './program.ts';

const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench-exports');
const SCRIPT = join(ROOT, 'scripts/bin.mjs');
const SITE_URL = 'https://mirror.example.org';

/** Size of the benchmark. */
export interface ExportBenchOptions {
  records: number;
  /** Bytes of all media files together. */
  mediaBytes: number;
  runs: number;
  /** Whether to build the site and export it too: `zim` and `iiif`. */
  withSite: boolean;
}

/** What is measured: a command, and the file or directory that it writes. */
interface Contender {
  title: string;
  command: string;
  args: string[];
  out: string;
}

const out = (name: string) => join(BENCH_DIRECTORY, name);
const snapshot = out('snapshot');

/** Runs the benchmark. */
export async function benchExports({ records, mediaBytes, runs, withSite }: ExportBenchOptions): Promise<void> {
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  console.log(`Generating ${records} records and their media …`);
  generateSnapshot(snapshot, records, true);
  const files = await addMedia(snapshot, mediaBytes);
  const bytes = sizeOf(snapshot);
  if (withSite) {
    console.log('Building the site …');
    await microfiche('build', '--snapshot', snapshot, '--out', out('site'), '--site', SITE_URL, '--json');
  }
  const contenders = [...references(), ...exportsOf(withSite), ...imports()];
  const measured = new Map<string, Written[]>();
  const sizes = new Map<string, number>();
  // All are run one after the other, then again: other load on the machine affects all of them.
  for (let run = 0; run < runs; run++) {
    for (const { title, command, args, out: target } of contenders) {
      rmSync(target, { recursive: true, force: true });
      const took = await measureWriting(bytes, BENCH_DIRECTORY, command, args, () => warm(snapshot));
      measured.set(title, [...(measured.get(title) ?? []), took]);
      sizes.set(title, sizeOf(target));
      // The imports read the packages. The others are deleted, so that all fit on the disk.
      if (!PACKAGES.includes(target)) rmSync(target, { recursive: true });
    }
    for (const target of PACKAGES) rmSync(target, { recursive: true });
  }
  const [, , reference] = references().map(({ title }) => measured.get(title) ?? []);
  console.log(`
| what (${records} records, ${files} media files, ${inMegabytes(bytes)} with the database; medians of ${runs}) | bytes written | seconds | with sync | peak memory | speed with sync | speed ÷ tar and sha256sum, with sync |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
${contenders.map(({ title }) => row(title, measured.get(title) ?? [], sizes.get(title) ?? 0, reference ?? [])).join('\n')}

The files of the snapshot are in the page cache before each run.
`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

/** The last one is what exports of the entire snapshot are compared with. */
function references(): Contender[] {
  const tar = `tar -C ${JSON.stringify(snapshot)} -cf "$1" .`;
  return [
    { title: '`cp -a` of the snapshot', command: 'cp', args: ['-a', snapshot, out('copy')], out: out('copy') },
    { title: '`tar cf`', command: 'sh', args: ['-c', tar, 'sh', out('copy.tar')], out: out('copy.tar') },
    {
      title: '`tar cf`, then `sha256sum` of it',
      command: 'sh',
      args: ['-c', `${tar} && sha256sum "$1" > /dev/null`, 'sh', out('copy.tar')],
      out: out('copy.tar'),
    },
  ];
}

/** What the imports read. */
const PACKAGES = [out('bag'), out('bag.tar'), out('snapshot.wacz')];

function exportsOf(withSite: boolean): Contender[] {
  const toExport = (title: string, name: string, format: string, ...more: string[]): Contender => ({
    title: `\`export ${format}\`${title}`,
    command: process.execPath,
    args: [SCRIPT, 'export', format, '--snapshot', snapshot, '--dir', out('site'), '--to', out(name), '--json', ...more],
    out: out(name),
  });
  return [
    toExport(' as a directory', 'bag', 'bagit'),
    toExport(' as TAR', 'bag.tar', 'bagit'),
    toExport(' as ZIP', 'bag.zip', 'bagit'),
    toExport('', 'snapshot.wacz', 'wacz'),
    toExport('', 'tables', 'tables'),
    toExport('', 'api', 'api', '--site', SITE_URL),
    toExport('', 'ead', 'ead'),
    ...(withSite ? [toExport('', 'site.zim', 'zim'), toExport('', 'iiif', 'iiif', '--site', SITE_URL)] : []),
  ];
}

function imports(): Contender[] {
  return PACKAGES.map((path) => ({
    title: `\`import\` of ${path.slice(BENCH_DIRECTORY.length + 1)}`,
    command: process.execPath,
    args: [SCRIPT, 'import', path, '--snapshot', out('imported'), '--json'],
    out: out('imported'),
  }));
}

function microfiche(...args: string[]): Promise<unknown> {
  return measureCommand(process.execPath, [SCRIPT, ...args]);
}

/** Reads all files, so that they are in the page cache. */
async function warm(directory: string): Promise<void> {
  await measureCommand('sh', ['-c', 'find "$1" -type f -exec cat {} + > /dev/null', 'sh', directory]);
}

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return listFiles(path).reduce((total, [, file]) => total + statSync(file).size, 0);
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

function row(title: string, measured: readonly Written[], bytes: number, reference: readonly Written[]): string {
  const synced = measured.map(({ onDisk }) => onDisk.seconds);
  return tableRow(
    title,
    inMegabytes(bytes),
    median(measured.map(({ seconds }) => seconds)).toFixed(1),
    median(synced).toFixed(1),
    formatMemory(measured),
    `${inMegabytes(bytes / median(synced))}/s`,
    formatRatio(
      reference.map(({ onDisk }) => onDisk.seconds),
      synced,
    ),
  );
}
