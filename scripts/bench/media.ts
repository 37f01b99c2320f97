/** The media benchmark: compares thumbnails with vipsthumbnail, downloads with curl, verify with sha256sum. Prints a table. */
import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { programFile } from '../setup/programs.ts';
import { formatRatio, type Measurement, median, secondsOf, tableRow } from './format.ts';
import * as measure from './measure.ts';
import { type BenchSize, runHarvest, runProgram, SCRIPT, sizeOf, withDirectory } from './program.ts';

const CORES = availableParallelism();
const CONCURRENCY = 4;

/** Runs the benchmark. */
export const benchMedia = ({ records, runs, dir }: BenchSize) =>
  withDirectory('media', dir, async (directory) => {
    const rows = [
      ...(await benchThumbnails(directory, records, runs)),
      ...(await benchDownloads(directory, { files: 8, bytes: 256_000_000 }, runs)),
      ...(await benchDownloads(directory, { files: 4_000, bytes: 120_000 }, runs)),
    ];
    console.log(`
| what (medians of ${runs}, ${CORES} cores) | ours | theirs | ours ÷ theirs |
| --- | ---: | ---: | --- |
${rows.join('\n')}
`);
  });

/** Creates photographs that take as long to decode as those of a camera: 6 megapixels with grain. */
async function createPhotographs(directory: string, wanted: number): Promise<string[]> {
  const count = Math.ceil(wanted / NAMES);
  mkdirSync(directory, { recursive: true });
  const [width, height] = [3000, 2000];
  for (let n = 0; n < count; n++) {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    await sharp({ create: { width: width / 4, height: height / 4, channels: 3, background: '#888', noise } })
      .resize(width, height, { kernel: 'cubic' })
      .blur(1.2)
      .jpeg({ quality: 88 })
      .toFile(join(directory, `${n}.jpg`));
  }
  // Decoding takes most of the time, not reading, so hard links to fewer files are enough.
  const names = readdirSync(directory);
  for (const name of names)
    for (let copy = 1; copy < NAMES; copy++) linkSync(join(directory, name), join(directory, `${copy}-${name}`));
  return readdirSync(directory).map((name) => join(directory, name));
}

/** Names of each photograph. */
const NAMES = 12;
/** Pixels of the longer edge, and quality, of the sizes that are made. */
const SIZES = { thumb: [400, 72], page: [1600, 80] } as const;

/** Compares thumbnails of equal size, format, quality and effort. The files are divided among processes of vipsthumbnail. */
async function benchThumbnails(directory: string, wanted: number, runs: number): Promise<string[]> {
  const all = await createPhotographs(join(directory, 'photographs'), wanted);
  const out = join(directory, 'out');
  const rows: string[] = [];
  for (const [what, sizes, share] of [
    ['thumbnails of 400 px', ['thumb'], 1],
    // an eighth of the files takes long enough to measure
    ['display images of 1,600 px and thumbnails of 400 px', ['page', 'thumb'], 8],
  ] as const) {
    const files = all.slice(0, Math.ceil(all.length / share));
    const { ours, theirs } = await measure.measureAll<'ours' | 'theirs', Measurement>(runs, {
      ours: () => {
        rmSync(out, { recursive: true, force: true });
        mkdirSync(out);
        return measure.measureCommand(process.execPath, [join(import.meta.dirname, 'sizes.ts'), out, sizes.join(','), ...files]);
      },
      theirs: () => {
        if (readdirSync(out).filter((name) => name.endsWith('.webp')).length !== files.length * sizes.length)
          throw new Error('Some thumbnails are missing');
        return measure.measureSeconds(async () => {
          for (const size of sizes) await runVipsthumbnail(files, size, out);
        });
      },
    });
    const speed = (measured: Measurement[]) => `${(files.length / median(secondsOf(measured))).toFixed(1)}/s`;
    const title = `${what}, from ${files.length} JPEGs of 6 megapixels; vipsthumbnail, ${CORES} processes`;
    rows.push(tableRow(title, speed(ours), speed(theirs), formatRatio(secondsOf(theirs), secondsOf(ours))));
  }
  return rows;
}

async function runVipsthumbnail(files: readonly string[], size: keyof typeof SIZES, out: string): Promise<void> {
  const [edge, quality] = SIZES[size];
  const options = ['-s', `${edge}x${edge}>`, '-o', `${out}/%s.${size}.webp[Q=${quality},effort=2,strip]`];
  const each = Math.ceil(files.length / CORES);
  const run = (_: unknown, core: number) =>
    measure.measureCommand(programFile('vipsthumbnail'), [...options, ...files.slice(core * each, (core + 1) * each)], {
      env: { VIPS_CONCURRENCY: '1' },
    });
  await Promise.all(Array.from({ length: CORES }, run));
}

/** Compares downloads of files of one size over loopback, then reading all of them again. */
async function benchDownloads(directory: string, { files, bytes }: { files: number; bytes: number }, runs: number) {
  using upstream = await measure.startUpstream({ items: files, filesPerItem: 1, fileBytes: bytes });
  const snapshot = join(directory, 'snapshot');
  const copies = join(directory, 'curl');
  const config = join(directory, 'curl.txt');
  const urls = Array.from({ length: files }, (_, n) => `url="${upstream.url}/f/${n}"\noutput="${copies}/${n}"\n`);
  writeFileSync(config, urls.join(''));
  const media = ['media', '--snapshot', snapshot, '--kinds', 'original', '--concurrency', String(CONCURRENCY), '--json'];
  const measured = await measure.measureAll<string, Measurement>(runs, {
    ours: async () => {
      rmSync(snapshot, { recursive: true, force: true });
      await runHarvest(upstream.url, snapshot, 32);
      return measure.measureWriting(files * bytes, directory, process.execPath, [SCRIPT, ...media]);
    },
    verify: () => {
      const downloaded = sizeOf(join(snapshot, 'media')).bytes;
      if (downloaded !== files * bytes) throw new Error(`media has ${downloaded} of ${files * bytes} bytes`);
      return runProgram(['verify', '--snapshot', snapshot]);
    },
    checked: () => measureChecksums('sha256sum', join(snapshot, 'media'), directory),
    curl: () => {
      rmSync(copies, { recursive: true, force: true });
      mkdirSync(copies);
      return measure.measureWriting(files * bytes, directory, programFile('curl'), measure.curlArguments(config, CONCURRENCY));
    },
    sha256: () => measureChecksums('sha256sum', copies, directory),
    sha1: () => measureChecksums('sha1sum', copies, directory),
  });
  const times = (...names: string[]) =>
    names.map((name) => secondsOf(measured[name] ?? [])).reduce((a, b) => a.map((s, run) => s + (b[run] ?? 0)));
  const onDisk = (name: string) => secondsOf((measured[name] as measure.Written[]).map((written) => written.onDisk));
  const rate = (seconds: readonly number[]) => `${Math.round((files * bytes) / median(seconds) / 1e6)} MB/s`;
  const row = (what: string, own: readonly number[], theirs: readonly number[]) =>
    tableRow(what, rate(own), rate(theirs), formatRatio(theirs, own));
  const what = `${files} files of ${bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`}`;
  return [
    row(
      `download of ${what}, verified by SHA-256 and SHA-1; curl --parallel, without verification`,
      times('ours'),
      times('curl'),
    ),
    row('the same, including sync to disk', onDisk('ours'), onDisk('curl')),
    row('the same; curl, then sha256sum', times('ours'), times('curl', 'sha256')),
    row('the same; curl, then sha256sum and sha1sum', times('ours'), times('curl', 'sha256', 'sha1')),
    row(`verify of ${what}; sha256sum`, times('verify'), times('checked')),
  ];
}

function measureChecksums(program: string, directory: string, listDirectory: string): Promise<Measurement> {
  const list = join(listDirectory, 'files.txt');
  const files = listFiles(directory).map(([, file]) => file);
  writeFileSync(list, files.join('\n'));
  return measure.measureCommand('sh', ['-c', `xargs -n 500 ${program} < "$1" > /dev/null`, 'sh', list]);
}
