/** The media bench: thumbnails against vipsthumbnail, fetching against curl, verify against sha256sum; each pair in turn, in one run. Prints a table. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
async function photographs(count: number): Promise<string[]> {
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
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The same sizes, format, quality and effort on both sides; every process of vipsthumbnail has its share of all files. */
async function thumbnails(count: number, runs: number): Promise<string[]> {
  const files = await photographs(count);
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

/** Files of one size over loopback, proven by SHA-1 on our side; then both sides read all of them again. */
async function fetching({ files, bytes }: { files: number; bytes: number }, runs: number): Promise<string[]> {
  const upstream = await startUpstream(files, bytes);
  const [ours, curl, verify, sums]: Measured[][] = [[], [], [], []] as [Measured[], Measured[], Measured[], Measured[]];
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
      rmSync(folder, { recursive: true });
      verify.push(await measure(process.execPath, [SCRIPT, 'verify', '--snapshot', snapshot, '--json']));
      const list = join(FOLDER, 'sums.txt');
      writeFileSync(list, fetched.join('\n'));
      sums.push(await measure('sh', ['-c', `xargs -n 500 sha256sum < ${JSON.stringify(list)} > /dev/null`]));
      rmSync(snapshot, { recursive: true });
    }
  } finally {
    upstream.process.kill();
  }
  const rate = (runs: Measured[]) => `${Math.round((files * bytes) / median(runs.map(({ seconds }) => seconds)) / 1e6)} MB/s`;
  const what = `${files} files of ${bytes >= 1e6 ? `${bytes / 1e6} MB` : `${bytes / 1e3} KB`}`;
  return [
    `| fetching ${what} over loopback, ${CONCURRENCY} at once, SHA-1 and SHA-256 proven on the way; curl --parallel to files | ${rate(ours)} | ${rate(curl)} | ${ratio(ours, curl)} |`,
    `| verify of them; sha256sum | ${rate(verify)} | ${rate(sums)} | ${ratio(verify, sums)} |`,
  ];
}

/** How many times as fast, with its spread; pair by pair, so that a slow minute of the machine falls on both. */
function ratio(ours: Measured[], theirs: Measured[]): string {
  const ratios = ours.map(({ seconds }, n) => (theirs[n] as Measured).seconds / seconds);
  return `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

function startUpstream(files: number, bytes: number): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'file-upstream.ts'), String(files), String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve({ url: String(chunk).trim(), process: child }));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the bench’s upstream exited ${code}`)));
  });
}
