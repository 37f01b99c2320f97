/** Finds the charset of a text file and decodes it: by its byte order mark, as UTF-8, as declared, or else by a guess. */
import { isAscii, isUtf8 } from 'node:buffer';
import { attempt } from '../../platform/expected-errors.ts';
import { keyByWord } from '../../platform/key-by-word.ts';
import labels from './charset-labels.json' with { type: 'json' };
import { isOtherEastAsian } from './east-asian.ts';
import { guessCharset } from './guess-charset.ts';
import { findWideCharset } from './wide-text.ts';

/**
 * How the charset of a text is known: from a byte order mark; because the bytes are valid UTF-8; as the record, or the file's own
 * markup, declares it; or only by a guess from the bytes.
 */
export type CharsetEvidence = 'bom' | 'utf-8' | 'declared' | 'markup' | 'guess';

/** The charset of a text. */
export interface Charset {
  /** A name for `decodeText`: an encoding of the WHATWG Encoding Standard in lower case, or `utf-32le` or `utf-32be`. */
  name: string;
  evidence: CharsetEvidence;
  /** For a guess: the declared charset, if there is one in which the bytes are not text. */
  rejected?: string;
}

const BYTE_ORDER_MARKS: ReadonlyArray<[name: string, bytes: readonly number[]]> = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
];

/** Names that records and old programs use, and the Encoding Standard does not have. Without hyphens, spaces and underscores. */
const OTHER_LABELS = keyByWord(labels.otherLabels);

/** Windows charsets that have characters where ISO's have controls. The Encoding Standard itself does this for Western ones. */
const WINDOWS_CHARSETS: Readonly<Record<string, string>> = labels.windowsCharsets;

/** Returns the name of the charset of a label, such as `shift_jis` for `SJIS`; undefined if it cannot be decoded. */
export function charsetNamed(label: string): string | undefined {
  const short = label.toLowerCase().replace(/[\s_-]/g, '');
  const labels = [label, label.replace(/[\s_]+/g, '-'), short];
  return OTHER_LABELS.get(short) ?? labels.map(encodingNamed).find((name) => name !== undefined);
}

/** Undefined for what is no label of the Encoding Standard, or that of an encoding that cannot be decoded safely. */
const encodingNamed = (label: string): string | undefined => attempt(() => new TextDecoder(label).encoding);

/** Returns the charset that a media type or note declares, such as `text/plain; charset=Shift_JIS`; undefined if none. */
export function charsetDeclaredIn(text: string): string | undefined {
  const label = /\b(?:charset|character set|(?:character )?encoding|encoded (?:as|in))\b[\s:="'“]*([\w][\w.:-]*)/i.exec(
    text,
  )?.[1];
  return label === undefined ? undefined : charsetNamed(label.replace(/[.:-]+$/, ''));
}

/** Bytes at the beginning of a file in which its markup may declare a charset. */
const MARKUP_BYTES = 4096;
/** Bytes in which text of another charset is looked for. */
const SAMPLE_BYTES = 32_768;
/** Of the characters beyond ASCII, the share that may be invalid in a declared charset: a damaged file. */
const MAX_INVALID = 0.02;

/**
 * Returns the charset of a text file. `declared` are names from its record, the most reliable first; `languages` are those that
 * the text may be in, as BCP 47 tags, for a guess. Never throws.
 */
export function findCharset(bytes: Uint8Array, declared: readonly string[] = [], languages: readonly string[] = []): Charset {
  const mark = BYTE_ORDER_MARKS.find(([, start]) => start.every((byte, i) => bytes[i] === byte));
  if (mark) return { name: mark[0], evidence: 'bom' };
  const inMarkup = charsetInMarkup(bytes);
  const candidates = [
    ...declared.flatMap((name) => candidatesFor(name, 'declared')),
    ...(inMarkup === undefined ? [] : candidatesFor(inMarkup, 'markup')),
  ];
  // Kana in UTF-16 are also ASCII.
  if (isUtf8Text(bytes) && !candidates.some(({ name }) => isWide(name) && findWideCharset(bytes, true) === name))
    return { name: 'utf-8', evidence: 'utf-8' };
  const accepted = candidates.find(({ name }) => isDecodable(bytes, name));
  if (accepted) return accepted;
  const name = guessCharset(bytes, languages);
  const [rejected] = candidates;
  const guess: Charset = { name, evidence: 'guess', ...(rejected && { rejected: rejected.name }) };
  return candidates.find((candidate) => candidate.name === name) ?? guess;
}

function candidatesFor(name: string, evidence: CharsetEvidence): Charset[] {
  const windows = WINDOWS_CHARSETS[name];
  return [{ name, evidence }, ...(windows === undefined ? [] : [{ name: windows, evidence }])];
}

const ESCAPE = 0x1b;

/** Returns whether bytes are UTF-8, but for a cut-off last character. Long texts in other charsets are never valid UTF-8. */
function isUtf8Text(bytes: Uint8Array): boolean {
  if (bytes.includes(0) || bytes.includes(ESCAPE)) return false;
  if (isAscii(bytes) || isUtf8(bytes)) return true;
  const end = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const isCutOff = end >= 0 && bytes.length - end < 4 && (bytes[end] ?? 0) >= 0xc0;
  const whole = bytes.subarray(0, end);
  return isCutOff && isUtf8(whole) && whole.some((byte) => byte > 0x7f);
}

/** Returns the charset that HTML or XML declares at its beginning. Not UTF-16: the declaration could not have been read. */
function charsetInMarkup(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, MARKUP_BYTES)).toString('latin1').trimStart();
  if (!start.startsWith('<')) return undefined;
  const markup = start.replace(/<!--.*?-->/gs, '');
  const label =
    /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]+)/i.exec(markup)?.[1] ??
    /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(markup)?.[1];
  const name = label === undefined ? undefined : charsetNamed(label);
  return name?.startsWith('utf-16') || name?.startsWith('utf-32') ? undefined : name;
}

const isWide = (name: string): boolean => name.startsWith('utf-16');

/** Returns whether bytes are text in a charset, except for some damaged characters. */
function isDecodable(bytes: Uint8Array, name: string): boolean {
  if (isWide(name) && (findWideCharset(bytes, true) ?? name) !== name) return false; // the other byte order
  const text = decodeText(bytes, name);
  // The controls beyond ASCII are what bytes become that a charset does not have.
  const invalid = text.match(/[\x80-\x84\x86-\x9f\ufffd]/g)?.length ?? 0;
  if (name.startsWith('utf-') && text.includes('\0')) return false; // the other byte order, or not this encoding at all
  const isDamaged =
    invalid <= 1 ? invalid > 0 && text.length <= 100 : invalid > MAX_INVALID * (text.match(/[^\0-\x7f]/g)?.length ?? 0);
  return !isDamaged && !isOtherEastAsian(bytes.subarray(0, SAMPLE_BYTES), name);
}

/** Decodes bytes in a charset from `findCharset`, without a byte order mark. Invalid bytes become U+FFFD. Never throws. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const text = charset.startsWith('utf-32') ? decodeUtf32(bytes, charset === 'utf-32le') : new TextDecoder(charset).decode(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittleEndian);
    parts.push(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code));
  }
  return parts.join('');
}
