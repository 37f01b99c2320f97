/** Checks font files: their format, and that they are whole. */

/** First bytes by extension: https://www.w3.org/TR/WOFF2/, https://www.w3.org/TR/WOFF/, https://learn.microsoft.com/typography/opentype/spec/otff. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  '.woff2': ['774f4632'],
  '.woff': ['774f4646'],
  '.ttf': ['00010000', '74727565'],
  '.otf': ['4f54544f'],
};
/** Of the header of WOFF and WOFF2: the file's length. */
const LENGTH_AT = 8;
/** Of other fonts: the number of tables, and the entries of the tables: tag, checksum, offset and length. */
const [TABLE_COUNT_AT, TABLES_AT, ENTRY_SIZE] = [4, 12, 16];
/** Tables that a browser needs. */
const REQUIRED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];

/** Returns whether a browser can use a file as a font. `extension` is in lower case, with its dot. */
export function isFont(bytes: Buffer, extension: string): boolean {
  if (!SIGNATURES[extension]?.includes(bytes.subarray(0, 4).toString('hex'))) return false;
  if (bytes.length < TABLES_AT) return false;
  return extension.startsWith('.woff') ? bytes.readUInt32BE(LENGTH_AT) === bytes.length : hasTables(bytes);
}

function hasTables(bytes: Buffer): boolean {
  const count = bytes.readUInt16BE(TABLE_COUNT_AT);
  if (TABLES_AT + count * ENTRY_SIZE > bytes.length) return false;
  const entries = Array.from({ length: count }, (_, i) =>
    bytes.subarray(TABLES_AT + i * ENTRY_SIZE, TABLES_AT + (i + 1) * ENTRY_SIZE),
  );
  const tags = entries.map((entry) => entry.toString('latin1', 0, 4));
  const isWhole = entries.every((entry) => entry.readUInt32BE(8) + entry.readUInt32BE(12) <= bytes.length);
  return isWhole && REQUIRED.every((tag) => tags.includes(tag));
}
