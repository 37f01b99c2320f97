/** Creates the sample recordings with ffmpeg: a tone over a still, in four formats (docs/upstream-api.md, "Media metadata"). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A recording in one format. */
export interface Recording {
  format: 'mp3' | 'mp4' | 'mpg' | 'ogv';
  bytes: Buffer;
}

const CODECS: Record<Recording['format'], string[]> = {
  mp3: ['-vn', '-c:a', 'libmp3lame', '-b:a', '16k', '-ar', '16000'],
  mp4: [
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-crf',
    '40',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '16k',
    '-ar',
    '16000',
    '-movflags',
    '+faststart',
  ],
  mpg: ['-c:v', 'mpeg1video', '-r', '25', '-q:v', '28', '-c:a', 'mp2', '-b:a', '32k', '-ar', '32000'],
  ogv: ['-c:v', 'libtheora', '-q:v', '1', '-c:a', 'libvorbis', '-ar', '16000', '-q:a', '0'],
};

/** Returns an expression for ffmpeg's aevalsrc: a tone with the rhythm of speech. `pitch` is in hertz. */
function toneExpression(pitch: number): string {
  const syllables = `abs(sin(2*PI*1.3*t))*abs(sin(2*PI*${(2 + pitch / 400).toFixed(2)}*t))`;
  return `0.6*sin(2*PI*${pitch}*t)*(0.1+0.9*${syllables})`;
}

/**
 * Returns a recording in some formats. The same version of ffmpeg gives the same bytes for the same input. Another one may not,
 * and the checksums in the records change with them.
 */
export function makeRecordings(still: Buffer, pitch: number, formats: Recording['format'][]): Recording[] {
  const directory = mkdtempSync(join(tmpdir(), 'microfiche-sample-'));
  try {
    writeFileSync(join(directory, 'still.jpg'), still);
    return formats.map((format) => {
      const out = join(directory, `out.${format}`);
      execFileSync('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-loop',
        '1',
        '-framerate',
        format === 'mpg' ? '25' : '5',
        '-i',
        join(directory, 'still.jpg'),
        '-f',
        'lavfi',
        '-i',
        `aevalsrc=${toneExpression(pitch)}:d=2`,
        '-t',
        '2',
        '-vf',
        'scale=96:72',
        '-ac',
        '1',
        '-map_metadata',
        '-1',
        '-fflags',
        '+bitexact',
        '-flags:v',
        '+bitexact',
        '-flags:a',
        '+bitexact',
        ...CODECS[format],
        out,
      ]);
      return { format, bytes: readFileSync(out) };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
