/** The media bench: thumbnails against vipsthumbnail, fetching against curl, verify against sha256sum; each pair in turn, in one run. Prints a table. */
import { closeSync, linkSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { filesBelow } from '../../src/snapshot/files.ts';
import { programFile } from '../setup/programs.ts';
import { type Measured, measure, median, run, startUpstream } from './measure.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/microfiche-bench-media');
const SCRIPT = join(ROOT, 'scripts/microfiche.ts');
const CORES = availableParallelism();
const CONCURRENCY = 4;

export interface MediaBenchOptions {
  /** Photographs to make thumbnails of. */
  records: number;
  runs: number;
}

export async function benchMedia({ records, runs }: MediaBenchOptions): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const rows = [
    ...(await thumbnails(records, runs)),
    ...(await fetching({ files: 8, bytes: 256_000_000 }, runs)),
    ...(await fetching({ files: 4_000, bytes: 120_000 }, runs)),
  ];
  console.log(`
| what (medians of ${runs}, ${CORES} cores) | ours | theirs | ours ÷ theirs |
| --- | ---: | ---: | --- |
${rows.join('\n')}
`);
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Photographs as a camera makes them, as far as a decoder can tell: 6 megapixels with grain. */
async function photographs(wanted: number): Promise<string[]> {
  const count = Math.ceil(wanted / NAMES);
  const folder = join(FOLDER, 'photographs');
  mkdirSync(folder, { recursive: true });
  const [width, height] = [3000, 2000];
  for (let n = 0; n < count; n++) {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    await sharp({ create: { width: width / 4, height: height / 4, channels: 3, background: '#888', noise } })
      .resize(width, height, { kernel: 'cubic' })
      .blur(1.2)
      .jpeg({ quality: 88 })
      .toFile(join(folder, `${n}.jpg`));
  }
  // Decoding them takes the time, not finding them: each stands there under several names.
  const names = readdirSync(folder);
  for (const name of names)
    for (let copy = 1; copy < NAMES; copy++) linkSync(join(folder, name), join(folder, `${copy}-${name}`));
  return readdirSync(folder).map((name) => join(folder, name));
}

const NAMES = 12;

/** The same sizes, format, quality and effort on both sides; every process of vipsthumbnail has its share of all files. */
async function thumbnails(wanted: number, runs: number): Promise<string[]> {
  const all = await photographs(wanted);
  const rows: string[] = [];
  for (const [what, sizes, share] of [
    ['thumbnails of 400 px', ['thumb'], 1],
    ['pictures of 1,600 px and thumbnails of 400 px', ['page', 'thumb'], 8], // an eighth of them takes long enough
  ] as const) {
    const files = all.slice(0, Math.ceil(all.length / share));
    const count = files.length;
    const [ours, theirs]: [Measured[], Measured[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      const out = join(FOLDER, `out-${n}`);
      mkdirSync(out, { recursive: true });
      ours.push(await measure(process.execPath, [join(import.meta.dirname, 'sizes.ts'), out, sizes.join(','), ...files]));
      if (readdirSync(out).filter((name) => name.endsWith('.webp')).length !== count * sizes.length)
        throw new Error('Not every thumbnail was made');
      const begun = performance.now();
      for (const size of sizes) {
        const [edge, quality] = size === 'thumb' ? [400, 72] : [1600, 80];
        const to = `${out}/%s.${size}.webp[Q=${quality},effort=2,strip]`;
        const each = Math.ceil(files.length / CORES);
        await Promise.all(
          Array.from({ length: CORES }, (_, core) =>
            measure(
              programFile('vipsthumbnail'),
              ['-s', `${edge}x${edge}>`, '-o', to, ...files.slice(core * each, (core + 1) * each)],
              {
                env: { VIPS_CONCURRENCY: '1' },
              },
            ),
          ),
        );
      }
      theirs.push({ seconds: (performance.now() - begun) / 1000, megabytes: undefined });
      rmSync(out, { recursive: true });
    }
    const speed = (runs: Measured[]) => `${(count / median(runs.map(({ seconds }) => seconds))).toFixed(1)}/s`;
    rows.push(
      `| ${what}, from ${count} JPEGs of 6 megapixels; vipsthumbnail, ${CORES} processes | ${speed(ours)} | ${speed(theirs)} | ${ratio(ours, theirs)} |`,
    );
  }
  return rows;
}

interface Load {
  files: number;
  /** Of each file. */
  bytes: number;
}

/** A command's time, and how long it takes until what it wrote is on the disk. */
interface Written extends Measured {
  onDisk: Measured;
}

/** Files of one size over loopback, to files on both sides; then both sides read all of them again. */
async function fetching({ files, bytes }: Load, runs: number): Promise<string[]> {
  const upstream = await startUpstream('file-upstream.ts', String(files), String(bytes));
  const [ours, curl]: [Written[], Written[]] = [[], []];
  const [hashed, proven, verify, sums]: [Measured[], Measured[], Measured[], Measured[]] = [[], [], [], []];
  try {
    for (let n = 0; n < runs; n++) {
      const snapshot = join(FOLDER, `snapshot-${n}`);
      const places = [
        '--authors-url',
        upstream.url,
        '--catalog-url',
        upstream.url,
        '--root',
        'bench-files-1',
        '--snapshot',
        snapshot,
      ];
      await run(process.execPath, [SCRIPT, 'harvest', ...places, '--concurrency', '32', '--json']);
      const media = ['media', '--snapshot', snapshot, '--kinds', 'original', '--concurrency', String(CONCURRENCY), '--json'];
      ours.push(await written(files * bytes, process.execPath, [SCRIPT, ...media]));
      const fetched = filesBelow(join(snapshot, 'media')).map(([, file]) => file);
      const had = fetched.reduce((sum, file) => sum + statSync(file).size, 0);
      if (had !== files * bytes) throw new Error(`media has ${had} of ${files * bytes} bytes`);
      verify.push(await measure(process.execPath, [SCRIPT, 'verify', '--snapshot', snapshot, '--json']));
      sums.push(await summed(fetched, ['sha256sum']));
      rmSync(snapshot, { recursive: true });

      const folder = join(FOLDER, 'curl');
      mkdirSync(folder);
      const config = join(FOLDER, 'curl.txt');
      writeFileSync(
        config,
        Array.from({ length: files }, (_, i) => `url="${upstream.url}/f/${i}"\noutput="${folder}/${i}"\n`).join(''),
      );
      const alone = await written(files * bytes, programFile('curl'), [
        '--silent',
        '--parallel',
        '--parallel-max',
        String(CONCURRENCY),
        '--config',
        config,
      ]);
      curl.push(alone);
      const there = filesBelow(folder).map(([, file]) => file);
      const sha256 = alone.seconds + (await summed(there, ['sha256sum'])).seconds;
      hashed.push({ seconds: sha256, megabytes: undefined });
      proven.push({ seconds: sha256 + (await summed(there, ['sha1sum'])).seconds, megabytes: undefined });
      rmSync(folder, { recursive: true });
    }
  } finally {
    upstream.process.kill();
  }
  const rate = (all: Measured[]) => `${Math.round((files * bytes) / median(all.map(({ seconds }) => seconds)) / 1e6)} MB/s`;
  const row = (what: string, own: Measured[], theirs: Measured[]) =>
    `| ${what} | ${rate(own)} | ${rate(theirs)} | ${ratio(own, theirs)} |`;
  const onDisk = (all: Written[]) => all.map((one) => one.onDisk);
  const what = `${files} files of ${bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`}`;
  return [
    row(`fetching ${what}, proven by SHA-256 and SHA-1; curl --parallel, which proves nothing`, ours, curl),
    row('the same, until it is on the disk (sync)', onDisk(ours), onDisk(curl)),
    row('the same; curl, then sha256sum', ours, hashed),
    row('the same; curl, then sha256sum and sha1sum', ours, proven),
    row(`verify of ${what}; sha256sum`, verify, sums),
  ];
}

/**
 * Begins with nothing left to write by others, and with memory for `bytes` of file cache that was free a moment ago: a virtual machine gives
 * memory that stays free back to its host, and has to wait for it when it is used again (2 GB: 4.5 s, not 0.4 s, seen on one).
 */
async function written(bytes: number, command: string, args: string[]): Promise<Written> {
  const scratch = join(FOLDER, 'scratch');
  const file = openSync(scratch, 'w');
  const piece = Buffer.alloc(4_000_000, 'scratch');
  for (let at = 0; at < bytes; at += piece.length) writeSync(file, piece);
  closeSync(file);
  await run('sync', []);
  rmSync(scratch);
  const measured = await measure(command, args);
  const { seconds } = await measure('sync', []);
  return { ...measured, onDisk: { seconds: measured.seconds + seconds, megabytes: undefined } };
}

function summed(files: string[], programs: string[]): Promise<Measured> {
  const list = join(FOLDER, 'sums.txt');
  writeFileSync(list, files.join('\n'));
  const each = programs.map((program) => `xargs -n 500 ${program} < ${JSON.stringify(list)} > /dev/null`);
  return measure('sh', ['-c', each.join(' && ')]);
}

/** How many times as fast, with its spread; pair by pair, so that a slow minute of the machine falls on both. */
function ratio(ours: Measured[], theirs: Measured[]): string {
  const ratios = ours.map(({ seconds }, n) => (theirs[n] as Measured).seconds / seconds);
  return `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}
