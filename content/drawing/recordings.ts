/**
 * Creates the sample recordings with ffmpeg: a tone, or murmuring, over a still, in four formats (docs/upstream-api.md, "Media
 * metadata").
 */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cue } from '../../src/model/media/captions.ts';

const AUDIO = '-b:a 16k -ar 16000';
/** Options of ffmpeg by format. */
const CODECS = {
  mp3: `-vn -c:a libmp3lame ${AUDIO}`,
  mp4: `-c:v libx264 -preset veryslow -crf 40 -pix_fmt yuv420p -c:a aac ${AUDIO} -movflags +faststart`,
  mpg: '-c:v mpeg1video -r 25 -q:v 28 -c:a mp2 -b:a 32k -ar 32000',
  ogv: '-c:v libtheora -q:v 1 -c:a libvorbis -ar 16000 -q:a 0',
};
const SAME_BYTES = '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact';

/** Returns an expression for ffmpeg's aevalsrc: a tone with the rhythm of speech. `pitch` is in hertz. */
function toneExpression(pitch: number): string {
  const syllables = `abs(sin(2*PI*1.3*t))*abs(sin(2*PI*${(2 + pitch / 400).toFixed(2)}*t))`;
  return `0.6*sin(2*PI*${pitch}*t)*(0.1+0.9*${syllables})`;
}

/**
 * Returns an expression for aevalsrc: two voices that murmur while captions are shown. The first one to speak asks, and is higher
 * than the narrator. `pitch` is in hertz.
 */
function murmurExpression(pitch: number, cues: readonly Cue[]): string {
  let speaker = cues[0]?.voice;
  const voices = Map.groupBy(cues, ({ voice = speaker }) => {
    speaker = voice;
    return voice === cues[0]?.voice;
  });
  const murmurs = Array.from(voices, ([asks, said]) => {
    const hertz = (asks ? 1.7 : 1) * (90 + pitch / 20);
    const hum = [1, 2, 3].map((n) => `sin(2*PI*${n * hertz}*t+2*sin(2*PI*0.4*t))/${n}`).join('+');
    return `(${hum})*(${said.map(({ start, end }) => `between(t,${start},${end})`).join('+')})`;
  });
  return `0.2*(${murmurs.join('+')})*(0.1+0.9*abs(sin(2*PI*2.1*t)*sin(2*PI*0.7*t)))`;
}

/** What is heard in a recording, for a length in seconds. Long ones have the least possible bit rate. */
export type Sound = { seconds: number; pitch: number; cues: readonly Cue[] };
const LONG = 30;

/**
 * Returns a recording in a format. The same version of ffmpeg gives the same bytes for the same input; another one may not, and
 * the checksums in the records change with them.
 */
export function makeRecording(still: Buffer, { seconds, pitch, cues }: Sound, format: keyof typeof CODECS): Buffer {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'microfiche-sample-'));
  const [image, out] = [join(directory.path, 'still.jpg'), join(directory.path, `out.${format}`)];
  writeFileSync(image, still);
  const rate = format === 'mpg' ? 25 : 5;
  const isLong = seconds > LONG;
  const sound = isLong ? `'${murmurExpression(pitch, cues)}':s=8000` : toneExpression(pitch);
  const codec = isLong ? CODECS[format].replace(AUDIO, '-b:a 8k -ar 8000') : CODECS[format];
  execFileSync('ffmpeg', [
    ...`-v error -y -loop 1 -framerate ${rate} -i`.split(' '),
    image,
    ...`-f lavfi -i aevalsrc=${sound}:d=${seconds} -t ${seconds} -vf scale=96:72 -ac 1 ${SAME_BYTES} ${codec}`.split(' '),
    out,
  ]);
  return readFileSync(out);
}
