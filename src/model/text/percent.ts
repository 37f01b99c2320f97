/** Decodes percent-encoding that anyone may have written. Also used in browsers. */

/** Decodes percent-encoding. Text that is not valid percent-encoding is returned unchanged. */
export const decodePercent = (part: string): string => decodePercentStrictly(part) ?? part;

/** Decodes percent-encoding. Returns undefined if a text is not valid percent-encoding, or not UTF-8. */
export function decodePercentStrictly(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
