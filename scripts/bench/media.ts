/** The media bench: thumbnails against vipsthumbnail, fetching against curl, verify against sha256sum; each pair in turn, in one run. Prints a table. */
import { type ChildProcess, spawn } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { filesBelow } from '../../src/snapshot/files.ts';
import { type Measured, measure, median, run } from './measure.ts';

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
    ...(await fetching({ files: 8, bytes: 256_000_000, declared: false }, runs)),
    ...(await fetching({ files: 8, bytes: 256_000_000, declared: true }, runs)),
    ...(await fetching({ files: 4_000, bytes: 120_000, declared: true }, runs)),
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

const NAMES = 6;

/** The same sizes, format, quality and effort on both sides; every process of vipsthumbnail has its share of all files. */
async function thumbnails(wanted: number, runs: number): Promise<string[]> {
  const files = await photographs(wanted);
  const count = files.length;
  const rows: string[] = [];
  for (const [what, sizes] of [
    ['thumbnails of 400 px', ['thumb']],
    ['pictures of 1,600 px and thumbnails of 400 px', ['page', 'thumb']],
  ] as const) {
    const [ours, theirs]: [Measured[], Measured[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      const out = join(FOLDER, `out-${n}`);
      mkdirSync(out, { recursive: true });
      ours.push(
        await measure(process.execPath, [join(import.meta.dirname, 'sizes.ts'), join(FOLDER, 'photographs'), out, ...sizes]),
      );
      if (readdirSync(out).filter((name) => name.endsWith('.webp')).length !== count * sizes.length)
        throw new Error('Not every thumbnail was made');
      const begun = performance.now();
      for (const size of sizes) {
        const [edge, quality] = size === 'thumb' ? [400, 72] : [1600, 80];
        const to = `${out}/%s.${size}.webp[Q=${quality},effort=2,strip]`;
        const share = Math.ceil(files.length / CORES);
        await Promise.all(
          Array.from({ length: CORES }, (_, core) =>
            measure('vipsthumbnail', ['-s', `${edge}x${edge}>`, '-o', to, ...files.slice(core * share, (core + 1) * share)], {
              env: { VIPS_CONCURRENCY: '1' },
            }),
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
  /** Whether records declare a SHA-1, so that it is computed besides the SHA-256 that is always kept. */
  declared: boolean;
}

/** Files of one size over loopback; then both sides read all of them again. */
async function fetching({ files, bytes, declared }: Load, runs: number): Promise<string[]> {
  const upstream = await startUpstream(files, bytes, declared);
  const [ours, curl, proven, verify, sums]: Measured[][] = [[], [], [], [], []] as [
    Measured[],
    Measured[],
    Measured[],
    Measured[],
    Measured[],
  ];
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
      ours.push(await measure(process.execPath, [SCRIPT, ...media]));
      const fetched = filesBelow(join(snapshot, 'media')).map(([, file]) => file);
      const had = fetched.reduce((sum, file) => sum + statSync(file).size, 0);
      if (had !== files * bytes) throw new Error(`media has ${had} of ${files * bytes} bytes`);
      const folder = join(FOLDER, 'curl');
      mkdirSync(folder);
      const config = join(FOLDER, 'curl.txt');
      writeFileSync(
        config,
        Array.from({ length: files }, (_, i) => `url="${upstream.url}/f/${i}"\noutput="${folder}/${i}"\n`).join(''),
      );
      curl.push(await measure('curl', ['--silent', '--parallel', '--parallel-max', String(CONCURRENCY), '--config', config]));
      const list = join(FOLDER, 'sums.txt');
      const summed = async (paths: string[], programs: string[]) => {
        writeFileSync(list, paths.join('\n'));
        const each = programs.map((program) => `xargs -n 500 ${program} < ${JSON.stringify(list)} > /dev/null`);
        return measure('sh', ['-c', each.join(' && ')]);
      };
      const alone = curl.at(-1) as Measured;
      const after = await summed(
        filesBelow(folder).map(([, file]) => file),
        declared ? ['sha256sum', 'sha1sum'] : ['sha256sum'],
      );
      proven.push({ seconds: alone.seconds + after.seconds, megabytes: undefined });
      rmSync(folder, { recursive: true });
      verify.push(await measure(process.execPath, [SCRIPT, 'verify', '--snapshot', snapshot, '--json']));
      sums.push(await summed(fetched, ['sha256sum']));
      rmSync(snapshot, { recursive: true });
    }
  } finally {
    upstream.process.kill();
  }
  const rate = (runs: Measured[]) => `${Math.round((files * bytes) / median(runs.map(({ seconds }) => seconds)) / 1e6)} MB/s`;
  const what = `${files} files of ${bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`}`;
  const sum = declared ? 'SHA-256 and SHA-1' : 'SHA-256';
  return [
    `| fetching ${what} over loopback, ${CONCURRENCY} at once, ${sum} on the way; curl --parallel to files, nothing summed | ${rate(ours)} | ${rate(curl)} | ${ratio(ours, curl)} |`,
    `| the same; curl, then ${declared ? 'sha256sum and sha1sum' : 'sha256sum'} | ${rate(ours)} | ${rate(proven)} | ${ratio(ours, proven)} |`,
    `| verify of ${what}; sha256sum | ${rate(verify)} | ${rate(sums)} | ${ratio(verify, sums)} |`,
  ];
}

/** How many times as fast, with its spread; pair by pair, so that a slow minute of the machine falls on both. */
function ratio(ours: Measured[], theirs: Measured[]): string {
  const ratios = ours.map(({ seconds }, n) => (theirs[n] as Measured).seconds / seconds);
  return `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

function startUpstream(files: number, bytes: number, declared: boolean): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'file-upstream.ts'), String(files), String(bytes), String(declared)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve({ url: String(chunk).trim(), process: child }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the bench’s upstream exited ${code}`)));
  });
}
