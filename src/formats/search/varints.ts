/** Numbers from 0 in as few bytes as each needs: seven bits a byte, the lowest first; the high bit says that more follow. */

/** Bytes that grow. */
export type ByteWriter = ReturnType<typeof createByteWriter>;

/** Returns an empty writer. */
export function createByteWriter() {
  let data = new Uint8Array(1 << 12);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= data.length) return;
    const larger = new Uint8Array(Math.max(2 * data.length, length + more));
    larger.set(data.subarray(0, length));
    data = larger;
  };
  return {
    get length() {
      return length;
    },
    number(value: number) {
      reserve(8);
      let rest = value;
      while (rest > 127) {
        data[length++] = (rest % 128) | 128;
        rest = Math.floor(rest / 128);
      }
      data[length++] = rest;
    },
    bytes(values: ArrayLike<number>) {
      reserve(values.length);
      data.set(values, length);
      length += values.length;
    },
    /** Returns the bytes, which the next writing may replace. */
    view: () => data.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}

/** Returns the number of bytes that a number takes. */
export function sizeOfNumber(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}

/** Returns a function that reads the next number, from a position on. */
export function readNumbers(bytes: Uint8Array, start = 0): () => number {
  let at = start;
  return () => {
    let byte = bytes[at++] as number;
    let value = byte & 127;
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = bytes[at++] as number;
      value += (byte & 127) * factor;
    }
    return value;
  };
}
