/** Detects the media type of a file from its bytes, regardless of its name and of what a server says. */
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import { lookup } from 'mime-types';
import { readStart } from '../../platform/read-start.ts';
import { decodeText, findCharset } from '../encoding/charset.ts';
import { findWideCharset } from '../encoding/wide-text.ts';
import { hasCaptions } from './captions.ts';
import { hasMpegFrames } from './mpeg-frames.ts';
import signatures from './signatures.json' with { type: 'json' };
import aliases from './type-aliases.json' with { type: 'json' };

/** Bytes at the beginning of a file that decide whether it is text or HTML. */
const TEXT_SAMPLE_BYTES = 512;

/** A detected media type. */
export interface FileType {
  mimetype: string;
  /** File extension, without a dot. */
  extension: string;
}

/** The type of a file whose content is not recognized. */
export const UNKNOWN_TYPE: FileType = { mimetype: 'application/octet-stream', extension: 'bin' };

/** Other names of media types, and the names that browsers and records use. */
const ALIASES: Readonly<Record<string, string>> = aliases;

const PLAIN_TEXT: FileType = { mimetype: 'text/plain', extension: 'txt' };
const HTML: FileType = { mimetype: 'text/html', extension: 'html' };
const CAPTIONS: FileType = { mimetype: 'text/vtt', extension: 'vtt' };
const JSON_TEXT: FileType = { mimetype: 'text/plain', extension: 'json' };
const SUBRIP: FileType = { mimetype: 'text/plain', extension: 'srt' };
/** Bytes at the beginning of an XML file in which its first element is looked for. */
const XML_SAMPLE_BYTES = 4096;
/** The first element of an XML file, after declarations and comments, and what follows its name. */
const XML_ROOT =
  /^\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->).)*-->\s*|<!DOCTYPE[^>[]*(?:\[(?:(?!\]\s*>).)*\]\s*)?>\s*)*<(?:[\w-]+:)?([\w.-]+)\b(.*)/is;
/** What services, such as S3 and those of SOAP, send instead of a file. */
export const ERROR_MESSAGE: FileType = signatures.elements.Error;
/** Types of XML files by the name of their first element. */
const XML_TYPES: Readonly<Record<string, FileType>> = signatures.elements;
/** HTML with the text of scanned pages. */
const HOCR: FileType = { mimetype: 'application/x-hocr+xml', extension: 'html' };
const HOCR_MARK = /\bclass\s*=\s*["']ocr_(?:page|document)\b|["']ocr-(?:system|capabilities)["']/i;
const OHMS: FileType = { mimetype: 'application/x-ohms+xml', extension: 'xml' };
/** The byte order marks of UTF-16 and UTF-32, as Latin-1. */
const WIDE_BOM = /^(?:\xff\xfe|\xfe\xff|\0\0\xfe\xff)/;
const HTML_START = /^\ufeff?\s*<(?:!doctype html|!--|html|head|body|script)(?![\w-])/i;
/** The escape sequences of ISO-2022-JP, whose control character is part of the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const ISO_2022 = /\x1b(?:\$[@B]|\([BIJ])/g;

/** The end of a text in DOS and CP/M. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for it
const DOS_END = /\x1a+$/;

/** Signatures that `file-type` does not know, in Latin-1. */
const SIGNATURES = signatures.starts.map(({ bytes, ...type }) => ({ pattern: new RegExp(bytes), type }));
const MP3: FileType = { mimetype: 'audio/mpeg', extension: 'mp3' };
/** Bytes at the beginning in which the first frames of MP3 are looked for. */
const MP3_SAMPLE_BYTES = 65_536;

/**
 * Detects the media type of a file, given as bytes or as a path. Text without control characters is plain text, in UTF-16 and
 * UTF-32 too. `declaredCharsets` are those that records declare for it. Returns undefined for an unknown type.
 */
export async function sniffType(
  file: Uint8Array | string,
  declaredCharsets: readonly string[] = [],
): Promise<FileType | undefined> {
  const known = await sniffKnown(file, declaredCharsets);
  return known ?? (hasMpegFrames(startOf(file, MP3_SAMPLE_BYTES)) ? MP3 : undefined);
}

const startOf = (file: Uint8Array | string, bytes: number): Buffer =>
  typeof file === 'string' ? readStart(file, bytes) : Buffer.from(file.subarray(0, bytes));

async function sniffKnown(file: Uint8Array | string, declaredCharsets: readonly string[]): Promise<FileType | undefined> {
  const beginning = startOf(file, XML_SAMPLE_BYTES);
  const start = beginning.subarray(0, TEXT_SAMPLE_BYTES);
  const xml = sniffXml(decodeText(beginning, findCharset(beginning).name));
  if (xml) return xml;
  if (HTML_START.test(start.toString('latin1').replace(/^\xef\xbb\xbf/, ''))) return HTML;
  if (WIDE_BOM.test(start.toString('latin1'))) {
    const marked = sniffWideText(start, findCharset(start).name);
    if (marked) return marked;
  }
  const signed = SIGNATURES.find(({ pattern }) => pattern.test(start.toString('latin1')));
  if (signed) return signed.type;
  // A file that is truncated inside its own header has no known type.
  const known = await (typeof file === 'string' ? fileTypeFromFile(file) : fileTypeFromBuffer(file)).catch(() => undefined);
  if (known) {
    const mimetype = (known.mime.split(';')[0] as string).toLowerCase();
    return { mimetype: ALIASES[mimetype] ?? mimetype, extension: known.ext };
  }
  const wide = declaredCharsets.filter((name) => /^utf-(?:16|32)/.test(name));
  const text = [...wide, findWideCharset(start, wide.length > 0)]
    .map((name) => (name === undefined ? undefined : sniffWideText(start, name)))
    .find((type) => type !== undefined);
  if (text || start.includes(0)) return text;
  const latin1 = start.toString('latin1');
  if (latin1 === '' || hasControls(latin1.replace(ISO_2022, '').replace(DOS_END, ''))) return undefined;
  return typeOfPlain(latin1.replace(/^\xef\xbb\xbf/, ''));
}

/** Returns the type of an XML file whose first element is known; undefined for any other file. */
function sniffXml(text: string): FileType | undefined {
  const [, root = '', rest = ''] = (text.trimStart().startsWith('<') && XML_ROOT.exec(text.replace(/^\ufeff/, ''))) || [];
  if (root === 'ROOT' && /<record\b/.test(rest) && /ohms|<(?:point|(?:vtt_)?transcript|sync)\b/i.test(rest)) return OHMS;
  if (/^html$/i.test(root)) return HOCR_MARK.test(rest) ? HOCR : HTML;
  return Object.hasOwn(XML_TYPES, root) ? XML_TYPES[root] : undefined;
}

/** Returns the type of text in UTF-16 or UTF-32, whose characters contain zero bytes; undefined for any other file. */
function sniffWideText(start: Buffer, name: string): FileType | undefined {
  if (!/^utf-(?:16|32)/.test(name) || start.length < 4) return undefined;
  // Half a character may be at the end.
  const text = decodeText(start.subarray(0, start.length - (start.length % 4)), name).replace(/[\ud800-\udfff\ufffd]$/, '');
  if (text === '' || hasControls(text) || /[\ufffd\p{Cn}\p{Co}]/u.test(text)) return undefined;
  if (HTML_START.test(text)) return HTML;
  if (text.startsWith('<?xml')) return undefined; // XML has types of its own
  return typeOfPlain(text);
}

function typeOfPlain(text: string): FileType {
  if (/^\ufeff?\s*WEBVTT(?:\s|$)/.test(text)) return CAPTIONS;
  if (hasCaptions(text)) return SUBRIP;
  return /^\s*(?:\[\s*)?\{\s*"/.test(text) ? JSON_TEXT : PLAIN_TEXT;
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  return /[\0-\x08\x0e-\x1f]/.test(text);
}

/** Returns the media type of a file that we made, by its extension. */
export const sampleFileType = (path: string): string => lookup(path) || UNKNOWN_TYPE.mimetype;
