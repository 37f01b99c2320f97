/** Decodes a text in every charset in which someone might read it, so that no wrong declaration or guess hides what it says. */
import { isAscii, isUtf8 } from 'node:buffer';
import { decodeText } from './charset.ts';

/** Charsets in which ASCII bytes are ASCII characters. Others of the Encoding Standard are read by the same decoders. */
const CHARSETS =
  `shift_jis euc-jp gb18030 big5 euc-kr windows-1252 macintosh windows-1250 windows-1251 windows-1253 windows-1254 windows-1255
  windows-1256 windows-1257 windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10
  iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u ibm866 x-mac-cyrillic`.split(/\s+/);
const WIDE_CHARSETS = ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];
const ESCAPE = 0x1b;
/** Minimum bytes from which valid UTF-8 with characters beyond ASCII is certainly UTF-8. */
const SURELY_UTF8_BYTES = 1_000;

/** Yields the text of a file in every charset that its bytes may be in, the most likely first. Never throws. */
export function* everyReading(bytes: Uint8Array): Generator<string> {
  yield decodeText(bytes, 'utf-8');
  for (const charset of WIDE_CHARSETS) yield decodeText(bytes, charset);
  if (bytes.includes(ESCAPE)) yield decodeText(bytes, 'iso-2022-jp');
  if (isAscii(bytes) || (bytes.length >= SURELY_UTF8_BYTES && isUtf8(bytes))) return;
  for (const charset of CHARSETS) yield decodeText(bytes, charset);
}
