/** The media benchmark: compares thumbnails with vipsthumbnail, downloads with curl, verify with sha256sum. Prints a table. */
import { linkSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { listFiles } from '../../src/snapshot/directory-files.ts';
import { programFile } from '../setup/programs.ts';
import { formatRatio } from './format.ts';
import {
  curlArguments,
  type Measurement,
  measureCommand,
  measureWriting,
  median,
  readOutput,
  startUpstream,
  type Written,
} from './measure.ts';
import { ROOT } from './program.ts';

const BENCH_DIRECTORY = join(ROOT, 'node_modules/.cache/microfiche-bench-media');
const SCRIPT = join(ROOT, 'scripts/bin.mjs');
const CORES = availableParallelism();
const CONCURRENCY = 4;

/** Runs the benchmark. */
export async function benchMedia({ records, runs }: { records: number; runs: number }): Promise<void> {
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
  mkdirSync(BENCH_DIRECTORY, { recursive: true });
  const rows = [
    ...(await benchThumbnails(records, runs)),
    ...(await downloads({ files: 8, bytes: 256_000_000 }, runs)),
    ...(await downloads({ files: 4_000, bytes: 120_000 }, runs)),
  ];
  console.log(`
| what (medians of ${runs}, ${CORES} cores) | ours | theirs | ours ÷ theirs |
| --- | ---: | ---: | --- |
${rows.join('\n')}
`);
  rmSync(BENCH_DIRECTORY, { recursive: true, force: true });
}

/** Creates photographs that take as long to decode as those of a camera: 6 megapixels with grain. */
async function createPhotographs(wanted: number): Promise<string[]> {
  const count = Math.ceil(wanted / NAMES);
  const directory = join(BENCH_DIRECTORY, 'photographs');
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

/** Compares thumbnails of equal size, format, quality and effort. The files are divided among processes of vipsthumbnail. */
async function benchThumbnails(wanted: number, runs: number): Promise<string[]> {
  const all = await createPhotographs(wanted);
  const rows: string[] = [];
  for (const [what, sizes, share] of [
    ['thumbnails of 400 px', ['thumb'], 1],
    // an eighth of the files takes long enough to measure
    ['display images of 1,600 px and thumbnails of 400 px', ['page', 'thumb'], 8],
  ] as const) {
    const files = all.slice(0, Math.ceil(all.length / share));
    const count = files.length;
    const [ours, theirs]: [Measurement[], Measurement[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      const out = join(BENCH_DIRECTORY, `out-${n}`);
      mkdirSync(out, { recursive: true });
      ours.push(await measureCommand(process.execPath, [join(import.meta.dirname, 'sizes.ts'), out, sizes.join(','), ...files]));
      if (readdirSync(out).filter((name) => name.endsWith('.webp')).length !== count * sizes.length)
        throw new Error('Some thumbnails are missing');
      const startedAt = performance.now();
      for (const size of sizes) {
        const [edge, quality] = size === 'thumb' ? [400, 72] : [1600, 80];
        const to = `${out}/%s.${size}.webp[Q=${quality},effort=2,strip]`;
        const each = Math.ceil(files.length / CORES);
        await Promise.all(
          Array.from({ length: CORES }, (_, core) =>
            measureCommand(
              programFile('vipsthumbnail'),
              ['-s', `${edge}x${edge}>`, '-o', to, ...files.slice(core * each, (core + 1) * each)],
              {
                env: { VIPS_CONCURRENCY: '1' },
              },
            ),
          ),
        );
      }
      theirs.push({ seconds: (performance.now() - startedAt) / 1000, megabytes: undefined });
      rmSync(out, { recursive: true });
    }
    const speed = (runs: Measurement[]) => `${(count / median(runs.map(({ seconds }) => seconds))).toFixed(1)}/s`;
    rows.push(
      `| ${what}, from ${count} JPEGs of 6 megapixels; vipsthumbnail, ${CORES} processes | ${speed(ours)} | ${speed(theirs)} | ${ratio(ours, theirs)} |`,
    );
  }
  return rows;
}

/** Compares downloads of files of one size over loopback, then reading all of them again. */
async function downloads({ files, bytes }: { files: number; bytes: number }, runs: number): Promise<string[]> {
  using upstream = await startUpstream('file-upstream.ts', String(files), String(bytes));
  const [ours, curl]: [Written[], Written[]] = [[], []];
  const [hashed, verified, verify, sha256sum]: [Measurement[], Measurement[], Measurement[], Measurement[]] = [[], [], [], []];
  for (let n = 0; n < runs; n++) {
    const snapshot = join(BENCH_DIRECTORY, `snapshot-${n}`);
    const urls = ['--authors-url', upstream.url, '--catalog-url', upstream.url];
    const options = [...urls, '--root', 'bench-files-1', '--snapshot', snapshot];
    await readOutput(process.execPath, [SCRIPT, 'harvest', ...options, '--concurrency', '32', '--json']);
    const media = ['media', '--snapshot', snapshot, '--kinds', 'original', '--concurrency', String(CONCURRENCY), '--json'];
    ours.push(await measureWriting(files * bytes, BENCH_DIRECTORY, process.execPath, [SCRIPT, ...media]));
    const downloaded = listFiles(join(snapshot, 'media')).map(([, file]) => file);
    const downloadedBytes = downloaded.reduce((total, file) => total + statSync(file).size, 0);
    if (downloadedBytes !== files * bytes) throw new Error(`media has ${downloadedBytes} of ${files * bytes} bytes`);
    verify.push(await measureCommand(process.execPath, [SCRIPT, 'verify', '--snapshot', snapshot, '--json']));
    sha256sum.push(await measureChecksums(downloaded, ['sha256sum']));
    rmSync(snapshot, { recursive: true });

    const directory = join(BENCH_DIRECTORY, 'curl');
    mkdirSync(directory);
    const config = join(BENCH_DIRECTORY, 'curl.txt');
    writeFileSync(
      config,
      Array.from({ length: files }, (_, i) => `url="${upstream.url}/f/${i}"\noutput="${directory}/${i}"\n`).join(''),
    );
    const curlOptions = curlArguments(config, CONCURRENCY);
    const plain = await measureWriting(files * bytes, BENCH_DIRECTORY, programFile('curl'), curlOptions);
    curl.push(plain);
    const copies = listFiles(directory).map(([, file]) => file);
    const sha256 = plain.seconds + (await measureChecksums(copies, ['sha256sum'])).seconds;
    hashed.push({ seconds: sha256, megabytes: undefined });
    verified.push({ seconds: sha256 + (await measureChecksums(copies, ['sha1sum'])).seconds, megabytes: undefined });
    rmSync(directory, { recursive: true });
  }
  const rate = (all: Measurement[]) => `${Math.round((files * bytes) / median(all.map(({ seconds }) => seconds)) / 1e6)} MB/s`;
  const row = (what: string, own: Measurement[], theirs: Measurement[]) =>
    `| ${what} | ${rate(own)} | ${rate(theirs)} | ${ratio(own, theirs)} |`;
  const onDisk = (all: Written[]) => all.map((measured) => measured.onDisk);
  const what = `${files} files of ${bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`}`;
  return [
    row(`download of ${what}, verified by SHA-256 and SHA-1; curl --parallel, without verification`, ours, curl),
    row('the same, including sync to disk', onDisk(ours), onDisk(curl)),
    row('the same; curl, then sha256sum', ours, hashed),
    row('the same; curl, then sha256sum and sha1sum', ours, verified),
    row(`verify of ${what}; sha256sum`, verify, sha256sum),
  ];
}

function measureChecksums(files: string[], programs: string[]): Promise<Measurement> {
  const list = join(BENCH_DIRECTORY, 'files.txt');
  writeFileSync(list, files.join('\n'));
  const commands = programs.map((program) => `xargs -n 500 ${program} < ${JSON.stringify(list)} > /dev/null`);
  return measureCommand('sh', ['-c', commands.join(' && ')]);
}

/** Returns the median speed ratio and its range. Compares run by run, so that other load on the machine affects both sides. */
function ratio(ours: Measurement[], theirs: Measurement[]): string {
  const [dividend, divisor] = [theirs, ours].map((runs) => runs.map(({ seconds }) => seconds)) as [number[], number[]];
  return formatRatio(dividend, divisor);
}
