/** Recognizes UTF-16 without byte order mark: most of its characters are of one script, in one of the two byte orders. */
import { isAscii } from 'node:buffer';

/** Bytes that are examined. */
const SAMPLE_BYTES = 8_192;
/** Characters of which text consists, by script; each with the punctuation that it uses. */
const SCRIPTS = [
  /[\n\r\t\x20-\x7e\u3000-\u30ff\u4e00-\u9fff\uff01-\uff9f\u2010-\u203b·]/gu,
  /[\n\r\t\x20-\x7e\u00a0-\u024f\u2010-\u203b]/gu,
  /[\n\r\t\x20-\x7e\u0400-\u045f\u2010-\u203b«»№]/gu,
  /[\n\r\t\x20-\x7e\u0370-\u03ff\u1f00-\u1fff\u2010-\u203b«»·]/gu,
  /[\n\r\t\x20-\x7e\uac00-\ud7a3\u2010-\u203b\u3000-\u3020]/gu,
];
/** The share of such characters in a text. */
const MIN_SHARE = 0.9;
/** The share of kana in a text without line breaks and spaces. */
const MIN_KANA = 0.2;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const CONTROLS = /[\0-\x08\x0e-\x1f\ufffd\ufffe\uffff]/;

/**
 * Returns the byte order in which bytes are text in UTF-16; undefined if they are in neither. ASCII bytes count only if UTF-16
 * `isDeclared`, since they may be kana or plain text.
 */
export function findWideCharset(bytes: Uint8Array, isDeclared = false): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % 2)));
  if (sample.length < 4 || (isAscii(sample) && !sample.includes(0) && !isDeclared)) return undefined;
  const ranked = (['utf-16le', 'utf-16be'] as const)
    .map((name) => ({ name, share: shareOfText(new TextDecoder(name).decode(sample)) }))
    .sort((a, b) => b.share - a.share);
  return ranked[0] && ranked[0].share >= MIN_SHARE ? ranked[0].name : undefined;
}

/** Returns which share of the characters of a text are of one script; 0 if it is not text. */
function shareOfText(text: string): number {
  // Half a character may be at the end.
  const whole = text.replace(/\ufffd$/, '');
  if (whole === '' || CONTROLS.test(whole)) return 0;
  const count = (pattern: RegExp) => whole.match(pattern)?.length ?? 0;
  if (!/[\n\r ]/.test(whole) && count(/[\u3041-\u30ff]/g) < whole.length * MIN_KANA) return 0;
  return Math.max(...SCRIPTS.map(count)) / whole.length;
}
