/** Removes illegible characters from UTF-8 without decoding text that has none, which is most text. */
import { stripIllegible } from '../model/legible.ts';

/**
 * A quick test for bytes that may contain what `stripIllegible` removes or replaces, each byte as one character: control characters, bidirectional
 * controls, noncharacters, and everything beyond the Basic Multilingual Plane. Surrogates have no bytes.
 */
const POSSIBLY_ILLEGIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]|[\xf0-\xf4]/;

/** Returns UTF-8 without characters that must not be shown. */
export function stripIllegibleBytes(utf8: Buffer): Buffer {
  return POSSIBLY_ILLEGIBLE.test(utf8.toString('latin1')) ? Buffer.from(stripIllegible(utf8.toString())) : utf8;
}
