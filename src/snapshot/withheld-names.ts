/** Finds withheld names in media files, which cannot be redacted: neither a site nor `serve` may contain such a file. */
import { isAscii, isUtf8 } from 'node:buffer';
import { decodeText } from '../model/encoding/charset.ts';
import { MAX_FILE_TEXT_LENGTH } from '../model/text/limits.ts';
import { toPlainText } from '../model/text/text.ts';
import { isTextType, readTranscript } from '../model/transcripts/read-transcript.ts';
import type { TranscriptText } from '../model/transcripts/transcript-text.ts';
import { readStart } from '../platform/read-start.ts';
import type { Store } from './store.ts';

/** Media types in whose bytes no text can be read: they are images or sound, or compressed. */
const NOT_TEXT =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|ogg|zip|gzip|epub\+zip|x-(?:7z-compressed|bzip2)|vnd\.(?:openxmlformats|oasis)[\w.-]*)$)/;
const TEXT = /^text\/|[/+](?:xml|json)$/;

/**
 * Returns whether a media file contains a withheld name, in any charset that its bytes may be in. The beginnings of files of
 * other and unknown types are examined too, since they may be texts that were not recognized.
 * @throws {Error} if the file cannot be read
 */
export function containsWithheldNames({ filter }: Pick<Store, 'filter'>, file: string, mimetype: string | null): boolean {
  const redact = filter?.redactText;
  const type = mimetype?.toLowerCase() ?? '';
  if (!redact || NOT_TEXT.test(type)) return false;
  const isText = TEXT.test(type);
  const isNamed = (text: string) => redact(text) !== text;
  for (const text of everyReading(readStart(file, isText ? Number.POSITIVE_INFINITY : MAX_FILE_TEXT_LENGTH))) {
    // Markup or entities may be in the middle of a name.
    if (isNamed(text) || (isText && /[<&]/.test(text) && isNamed(toPlainText(text)))) return true;
    // Words may be elements, attributes or captions of their own, or divided at the ends of lines.
    if (isTextType(type) && readTranscript(text, type).some((each) => isNamed(wordsOf(each)))) return true;
  }
  return false;
}

const wordsOf = ({ text, cues }: TranscriptText) => [text, ...cues.map((cue) => cue.text)].join(' ');

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
function* everyReading(bytes: Uint8Array): Generator<string> {
  yield decodeText(bytes, 'utf-8');
  for (const charset of WIDE_CHARSETS) yield decodeText(bytes, charset);
  if (bytes.includes(ESCAPE)) yield decodeText(bytes, 'iso-2022-jp');
  if (isAscii(bytes) || (bytes.length >= SURELY_UTF8_BYTES && isUtf8(bytes))) return;
  for (const charset of CHARSETS) yield decodeText(bytes, charset);
}
