/** QR codes, for links that a kiosk does not open. */
import { encode } from 'uqr';

/** For longer URLs, QR codes are too dense for a phone to read from a screen. */
const MAX_URL_LENGTH = 600;
/** Width of the empty border of a QR code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Returns a QR code (ISO/IEC 18004) as an SVG path of strokes that are one module wide. `size` is its edge length in modules,
 * with the border. Returns undefined if the text is too long for a phone to read.
 */
export function qrPath(text: string): { path: string; size: number } | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const { data, size } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_ZONE });
  let path = '';
  for (const [y, row] of data.entries()) {
    let pen: number | undefined;
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += pen === undefined ? `M${start} ${y}.5` : `m${start - pen} 0`;
      pen = x + 1;
      path += `h${pen - start}`;
    }
  }
  return { path, size };
}
