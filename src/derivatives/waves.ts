/** How loud a recording is from moment to moment, for a drawing of it. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Cache } from './cache.ts';
import type { ShownFile } from './shown-files.ts';
import { QUIETLY, readingArguments, runTool, ToolMissing } from './tools.ts';

export interface Wave {
  /** The recording's length. */
  seconds: number;
  /** The loudest of each share of it, from 0 to 100: the loudest of all has 100. */
  peaks: number[];
}

/** Samples a second that are looked at, and how many are taken together at first. */
const RATE = 8000;
const GRAIN = 80;
/** Peaks of a drawing. */
const PEAKS = 240;
/** Bytes of sound at most: a day of it. */
const MOST = 86_400 * RATE * 2;

/** The wave of a stored recording, made or kept. @throws ToolMissing without ffmpeg; an Error where there is no sound in it */
export async function waveOf(
  { file, sha256, mimetype }: Pick<ShownFile, 'file' | 'sha256' | 'mimetype'>,
  cache: Cache,
): Promise<Wave> {
  const settings = { recipe: 2, rate: RATE, grain: GRAIN, peaks: PEAKS };
  const { file: kept } = await cache.keep(sha256, settings, '.wave.json', async (to) => {
    await writeFile(to, JSON.stringify(await listen(file, mimetype)));
  });
  return JSON.parse(readFileSync(kept, 'utf8')) as Wave;
}

async function listen(file: string, mimetype: string): Promise<Wave> {
  const reading = readingArguments(file, mimetype);
  if (!reading) throw new ToolMissing(`a reader of ${mimetype}`);
  const grains: number[] = [];
  let samples = 0;
  let loudest = 0;
  let odd: Buffer = Buffer.alloc(0);
  const sound = ['-map', '0:a:0', '-ac', '1', '-ar', String(RATE), '-f', 's16le', '-'];
  await runTool('ffmpeg', [...QUIETLY, ...reading, ...sound], MOST, (chunk) => {
    const bytes = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % 2);
    for (let at = 0; at < whole; at += 2) {
      loudest = Math.max(loudest, Math.abs(bytes.readInt16LE(at)));
      if (++samples % GRAIN === 0) {
        grains.push(loudest);
        loudest = 0;
      }
    }
    odd = bytes.subarray(whole);
  });
  if (samples === 0) throw new Error('there is no sound in it');
  if (samples % GRAIN !== 0) grains.push(loudest);
  return { seconds: Math.round((samples / RATE) * 100) / 100, peaks: summed(grains) };
}

/** The grains in as many shares as a drawing has, each as loud as its loudest. */
function summed(grains: number[]): number[] {
  const count = Math.min(PEAKS, grains.length);
  const loudest = grains.reduce((most, one) => Math.max(most, one), 1);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [Math.floor((i * grains.length) / count), Math.floor(((i + 1) * grains.length) / count)];
    const loud = grains.slice(from, to).reduce((most, one) => Math.max(most, one), 0);
    return Math.round((loud / loudest) * 100);
  });
}
