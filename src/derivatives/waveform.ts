/** Computes the waveform of an audio file. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { DerivativeCache } from './derivative-cache.ts';
import type { ShownFile } from './shown-files.ts';
import { FFMPEG_QUIET, ffmpegInputArguments, runTool } from './tools.ts';

/** The waveform of an audio file. */
export interface Waveform {
  /** Duration of the recording in seconds. */
  seconds: number;
  /** The highest amplitude in each of up to 240 equal sections, from 0 to 100; 100 is the highest of all. */
  peaks: number[];
}

/** Samples per second that ffmpeg converts to. */
const SAMPLE_RATE = 8000;
/** Of this many samples, only the highest amplitude is held in memory. */
const SAMPLES_PER_GRAIN = 80;
const PEAK_COUNT = 240;
/** Extension of a waveform in the derivative cache. */
const CACHE_EXTENSION = '.wave.json';
/** A day of audio with 16 bits per sample. */
const MAX_AUDIO_BYTES = 86_400 * SAMPLE_RATE * 2;

/**
 * Returns the waveform of a recording, from the cache if possible.
 * @throws {MissingToolError} if ffmpeg is not installed
 * @throws {Error} if the recording has no audio, or cannot be read
 */
export async function readWaveform({ file, sha256, mimetype }: ShownFile, cache: DerivativeCache): Promise<Waveform> {
  const settings = { recipe: 2, rate: SAMPLE_RATE, grain: SAMPLES_PER_GRAIN, peaks: PEAK_COUNT };
  const { file: cached } = await cache.getOrCreate(sha256, settings, CACHE_EXTENSION, async (to) => {
    await writeFile(to, JSON.stringify(await measureWaveform(file, mimetype)));
  });
  return JSON.parse(readFileSync(cached, 'utf8')) as Waveform;
}

async function measureWaveform(file: string, mimetype: string): Promise<Waveform> {
  const inputArguments = ffmpegInputArguments(file, mimetype);
  const grains: number[] = [];
  let samples = 0;
  let loudest = 0;
  let leftover: Buffer = Buffer.alloc(0);
  const outputArguments = ['-map', '0:a:0', '-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le', '-'];
  await runTool('ffmpeg', [...FFMPEG_QUIET, ...inputArguments, ...outputArguments], MAX_AUDIO_BYTES, (chunk) => {
    const bytes = leftover.length > 0 ? Buffer.concat([leftover, chunk]) : chunk;
    const evenLength = bytes.length - (bytes.length % 2);
    for (let offset = 0; offset < evenLength; offset += 2) {
      loudest = Math.max(loudest, Math.abs(bytes.readInt16LE(offset)));
      if (++samples % SAMPLES_PER_GRAIN === 0) {
        grains.push(loudest);
        loudest = 0;
      }
    }
    leftover = bytes.subarray(evenLength);
  });
  if (samples === 0) throw new Error('the recording has no audio');
  if (samples % SAMPLES_PER_GRAIN !== 0) grains.push(loudest);
  return { seconds: Math.round((samples / SAMPLE_RATE) * 100) / 100, peaks: reduceToPeaks(grains) };
}

/** Reduces the amplitudes to up to `PEAK_COUNT` peaks, on a scale from 0 to 100. */
function reduceToPeaks(grains: number[]): number[] {
  const count = Math.min(PEAK_COUNT, grains.length);
  const loudest = grains.reduce((max, one) => Math.max(max, one), 1);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [Math.floor((i * grains.length) / count), Math.floor(((i + 1) * grains.length) / count)];
    const peak = grains.slice(from, to).reduce((max, one) => Math.max(max, one), 0);
    return Math.round((peak / loudest) * 100);
  });
}
