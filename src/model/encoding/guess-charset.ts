/** Guesses the charset of undeclared bytes that are not UTF-8: by statistics (chardet), checked against how text looks. */
import { analyse } from 'chardet';
import * as eastAsian from './east-asian.ts';
import { findWideCharset } from './wide-text.ts';

/** Bytes that are examined: more would take time, and add little. */
const SAMPLE_BYTES = 32_768;
/** chardet’s names of East Asian charsets. */
const CHARDET_NAMES: Readonly<Record<eastAsian.DoubleByte, string>> = {
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  big5: 'Big5',
  gb18030: 'GB18030',
};
/** By so much, likeness and evidence of a language count more than chardet’s confidence, which is up to 100. */
const WEIGHTS = { likeness: 100, evidence: 250 };
/** chardet’s names of charsets whose letters are not Latin. */
const NOT_LATIN = /^(?:KOI8-R|windows-125[1356]|ISO-8859-[5678])$/;
const LATIN = /^(?:ISO-8859-[12]|ISO-8859-9|windows-125[0247])$/;
const WESTERN = 'windows-1252';
/** By so much, of 100, another Latin charset must be more likely than the Western one. */
const LATIN_MARGIN = 10;

/**
 * Returns the most likely charset, as a name of the Encoding Standard. `languages` are those that the text may be in, as BCP 47
 * tags. Accepts any bytes, and never throws.
 */
export function guessCharset(bytes: Uint8Array, languages: readonly string[] = []): string {
  const sample = sampleOf(bytes);
  const unicode = guessUnicode(sample);
  if (unicode !== undefined) return unicode;
  if (eastAsian.isIso2022Jp(sample)) return 'iso-2022-jp';
  const confidences = new Map(analyse(sample).map(({ name, confidence }) => [name, confidence]));
  return guessDoubleByte(sample, confidences, languages) ?? guessSingleByte(sample, confidences);
}

/** Returns the beginning, from the first byte beyond ASCII if that comes late. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f || byte === 0 || byte === 0x1b);
  // Two-byte units remain whole.
  const start = first > SAMPLE_BYTES / 2 ? first - (first % 4) : 0;
  return bytes.subarray(start, start + SAMPLE_BYTES);
}

/** Returns UTF-16, in its byte order, if its characters or zero bytes show it, and UTF-8 if few characters are damaged. */
function guessUnicode(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [i, byte] of bytes.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const wide = findWideCharset(bytes);
  if (wide !== undefined) return wide;
  if (even + odd > bytes.length / 50) return even > odd ? 'utf-16be' : 'utf-16le';
  const text = new TextDecoder().decode(bytes);
  const invalid = eastAsian.countMatches(text, /\ufffd/g);
  const valid = eastAsian.countMatches(text, /[^\0-\x7f\ufffd]/gu);
  return valid > 10 * invalid ? 'utf-8' : undefined;
}

/** Returns the East Asian charset in which the bytes are most like text; undefined if they are like text in none. */
function guessDoubleByte(
  bytes: Uint8Array,
  confidences: ReadonlyMap<string, number>,
  languages: readonly string[],
): string | undefined {
  const ranked = eastAsian.DOUBLE_BYTE.flatMap((charset) => {
    const text = eastAsian.decodeStrictly(bytes, charset);
    const likeness = text === undefined ? undefined : eastAsian.likenessTo(charset, text);
    if (text === undefined || likeness === undefined) return [];
    const confidence = confidences.get(CHARDET_NAMES[charset]) ?? 0;
    const evidence = eastAsian.evidenceFor(charset, text, languages);
    return [{ charset, score: likeness * WEIGHTS.likeness + evidence * WEIGHTS.evidence + confidence }];
  }).sort((a, b) => b.score - a.score);
  return ranked[0]?.charset;
}

/** Returns a charset with one byte per character. Western is the default: it can decode everything. */
function guessSingleByte(bytes: Uint8Array, confidences: ReadonlyMap<string, number>): string {
  const best = (names: RegExp) =>
    [...confidences].filter(([name]) => names.test(name)).sort(([, a], [, b]) => b - a)[0] ?? [WESTERN, 0];
  const text = new TextDecoder(WESTERN).decode(bytes);
  const total = eastAsian.countMatches(text, /[^\0-\x7f]/gu);
  // Words of letters beyond ASCII alone are of another script.
  const inRuns = (text.match(/[\xc0-\xff]{3,}/gu) ?? []).join('').length;
  if (inRuns > total / 2 && best(NOT_LATIN)[1] > 0) return best(NOT_LATIN)[0].toLowerCase();
  const [name, confidence] = best(LATIN);
  const western = Math.max(confidences.get('ISO-8859-1') ?? 0, confidences.get(WESTERN) ?? 0);
  if (name !== 'ISO-8859-1' && confidence >= western + LATIN_MARGIN) return name.toLowerCase();
  const macintosh = new TextDecoder('macintosh').decode(bytes);
  return countMisplaced(text) > 2 * countMisplaced(macintosh) ? 'macintosh' : WESTERN;
}

/** Returns the number of characters inside words that are not lower-case letters: what accents become in a wrong charset. */
function countMisplaced(text: string): number {
  return (
    eastAsian.countMatches(text, /(?<=\p{Ll})[^\p{Ll}\p{M}\0-\x7f’‐–—](?=\p{Ll})/gu) +
    eastAsian.countMatches(text, /(?<=\p{Ll})[–—](?=\p{Ll})/gu) / 2
  );
}
