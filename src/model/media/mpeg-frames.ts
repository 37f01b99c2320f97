/** Finds the frames of MP3 in a file that begins with something else: zeros of a recorder, a cut file, a broken tag. */

/** Frames in a row that are no accident. */
const MIN_FRAMES = 5;
/** Kilobits per second of layer III, and hertz, in MPEG 1; MPEG 2 and 2.5 have other rates, and half or a quarter of the hertz. */
const BITRATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const LOWER_BITRATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ = [44_100, 48_000, 32_000];

/** Whether bytes have frames of MP3 that follow one another. */
export function hasMpegFrames(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    let [frame, count] = [at, 0];
    for (let size = frameSize(bytes, frame); size > 0 && count < MIN_FRAMES; size = frameSize(bytes, frame)) {
      frame += size;
      count++;
    }
    if (count === MIN_FRAMES) return true;
  }
  return false;
}

/** Returns the bytes of the frame at a position; 0 if there is none. */
function frameSize(bytes: Buffer, at: number): number {
  const [sync = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  if (sync !== 0xff || second < 0xe0 || version === 1 || layer !== 1) return 0;
  const isFirst = version === 3;
  const bitrate = (isFirst ? BITRATES : LOWER_BITRATES)[third >> 4] ?? 0;
  const hertz = (HERTZ[(third >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  return bitrate === 0 || hertz === 0 ? 0 : Math.floor(((isFirst ? 144_000 : 72_000) * bitrate) / hertz) + ((third >> 1) & 1);
}
