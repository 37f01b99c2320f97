/** Decodes percent-encoding that anyone may have written. Also used in browsers. */

/** Decodes percent-encoding. Text that is not valid percent-encoding is returned unchanged. */
export function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not percent-encoding: the text itself is the name
  }
}
