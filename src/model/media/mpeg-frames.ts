/** Finds the frames of MP3 in a file that begins with something else: zeros of a recorder, a cut file, a broken tag. */

/** Frames in a row that are no accident. */
const MIN_FRAMES = 5;
/** Kilobits per second of layer III in MPEG 1, and in MPEG 2 and 2.5. */
const [BITRATES, LOWER_BITRATES] = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const HERTZ = [44_100, 48_000, 32_000];

/** Whether bytes have frames of MP3 that follow one another. */
export function hasMpegFrames(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (hasFrames(bytes, at, MIN_FRAMES)) return true;
  return false;
}

function hasFrames(bytes: Buffer, at: number, count: number): boolean {
  const size = frameSize(bytes, at);
  return size > 0 && (count === 1 || hasFrames(bytes, at + size, count - 1));
}

/** Returns the bytes of the frame at a position; 0 if there is none. */
function frameSize(bytes: Buffer, at: number): number {
  const [sync = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const version = (second >> 3) & 3;
  if (sync !== 0xff || second < 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return 0;
  const [samples, rates, part] = version === 3 ? [144_000, BITRATES, 1] : [72_000, LOWER_BITRATES, version === 2 ? 2 : 4];
  const size = Math.floor((samples * (rates[third >> 4] ?? 0) * part) / (HERTZ[(third >> 2) & 3] ?? Number.POSITIVE_INFINITY));
  return size === 0 ? 0 : size + ((third >> 1) & 1);
}
