/**
 * A column of whole numbers as compact bytes: the width of a number, then the lowest bytes of all numbers, then the next ones. Similar bytes are
 * together, so they compress well.
 */

/** Returns numbers from 0 to 2³² − 1 as bytes. */
export function encodeNumbers(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  let max = 0;
  for (let i = 0; i < numbers.length; i++) max = Math.max(max, numbers[i] ?? 0);
  const width = max < 2 ** 8 ? 1 : max < 2 ** 16 ? 2 : max < 2 ** 24 ? 3 : 4;
  const bytes = new Uint8Array(1 + width * numbers.length);
  bytes[0] = width;
  for (let byte = 0; byte < width; byte++) {
    const start = 1 + byte * numbers.length;
    for (let i = 0; i < numbers.length; i++) bytes[start + i] = ((numbers[i] ?? 0) >>> (8 * byte)) & 0xff;
  }
  return bytes;
}

/** Returns the numbers that `encodeNumbers` encoded. */
export function decodeNumbers(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
  const width = bytes[0] ?? 1;
  const numbers = new Uint32Array((bytes.length - 1) / width);
  for (let byte = 0; byte < width; byte++) {
    const start = 1 + byte * numbers.length;
    for (let i = 0; i < numbers.length; i++) numbers[i] = ((numbers[i] ?? 0) | ((bytes[start + i] ?? 0) << (8 * byte))) >>> 0;
  }
  return numbers;
}
