/** Encodes text in the charsets of old files. Node only decodes: what it decodes is looked up the other way round. */

/** The bytes of a text in a charset that `TextDecoder` knows, or in UTF-32. */
export function encodeText(text: string, charset: string): Buffer {
  const name = charset.replace(/^CP(?=125\d$)/, 'windows-');
  const [, bits, order] = /^UTF-(16|32)([LB]E)$/.exec(name) ?? [];
  if (name === 'UTF-8') return Buffer.from(text);
  if (name === 'ISO-2022-JP') return encodeIso2022(text);
  if (bits !== undefined) {
    const bytes = bits === '16' ? Buffer.from(text, 'utf16le') : Buffer.from(Uint32Array.from(text, codeOf).buffer);
    if (order === 'BE') bits === '16' ? bytes.swap16() : bytes.swap32();
    return bytes;
  }
  return Buffer.from(Array.from(text, (character) => bytesOf(character, name)).flat());
}

const codeOf = (character: string) => character.codePointAt(0) as number;

/** The sequences of one or two bytes of each charset, by what they are decoded to. */
const tables = new Map<string, Map<string, number[]>>();

function bytesOf(character: string, charset: string): number[] {
  const table = tables.get(charset) ?? createTable(charset);
  tables.set(charset, table);
  const bytes = table.get(character);
  if (bytes === undefined) throw new Error(`${charset} does not have ${character}.`);
  return bytes;
}

function createTable(charset: string): Map<string, number[]> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number[]>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (!text.includes('\ufffd') && [...text].length === 1 && !table.has(text)) table.set(text, bytes);
  };
  const all = Array.from({ length: 0x1_00 }, (_, byte) => byte);
  for (const byte of all) add(byte);
  for (const first of all.slice(0x80)) for (const second of all.slice(0x40)) add(first, second);
  return table;
}

/** The bytes of EUC-JP without their highest bit, between the escape sequences of JIS X 0208 and of ASCII. */
function encodeIso2022(text: string): Buffer {
  const escaped = text.replace(/[^\0-\x7f]+/g, (run) => {
    const bytes = Array.from(encodeText(run, 'EUC-JP'), (byte) => byte & 0x7f);
    return `\x1b$B${String.fromCharCode(...bytes)}\x1b(B`;
  });
  return Buffer.from(escaped, 'latin1');
}
