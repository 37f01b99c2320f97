/** Detects the media type of a file from its bytes, regardless of its name and of what a server says. */
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';

/** Bytes at the beginning of a file that decide whether it is text or HTML. */
const TEXT_SAMPLE_BYTES = 512;

/** A detected media type. */
export interface FileType {
  mimetype: string;
  /** File extension, without a dot. */
  extension: string;
}

/** Other names of media types, and the names that browsers and records use. */
const ALIASES: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
  'video/x-m4v': 'video/mp4',
  'video/mp1s': 'video/mpeg',
  'video/mp2p': 'video/mpeg',
};

const PLAIN_TEXT: FileType = { mimetype: 'text/plain', extension: 'txt' };
const HTML: FileType = { mimetype: 'text/html', extension: 'html' };

/**
 * Detects the media type of a file, given as bytes or as a path. Text without control characters is plain text.
 * Returns undefined for an unknown type.
 */
export async function sniffType(file: Uint8Array | string): Promise<FileType | undefined> {
  const start = typeof file === 'string' ? await readStart(file) : Buffer.from(file.subarray(0, TEXT_SAMPLE_BYTES));
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|!--|html|head|body|script)(?![\w-])/i.test(start.toString('latin1'))) return HTML;
  // A file that is truncated inside its own header has no known type.
  const known = await (typeof file === 'string' ? fileTypeFromFile(file) : fileTypeFromBuffer(file)).catch(() => undefined);
  if (known) {
    const mimetype = (known.mime.split(';')[0] as string).toLowerCase();
    return { mimetype: ALIASES[mimetype] ?? mimetype, extension: known.ext };
  }
  return start.length > 0 && !start.some((byte) => byte < 9 || (byte > 13 && byte < 32)) ? PLAIN_TEXT : undefined;
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TEXT_SAMPLE_BYTES), 0, TEXT_SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Media types by extension of the files of the sample archive. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  tif: 'image/tiff',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogv: 'video/ogg',
  mpg: 'video/mpeg',
  pdf: 'application/pdf',
  html: 'text/html',
  vtt: 'text/vtt',
  txt: 'text/plain',
};

/** Returns the media type of a file that we made, by its extension. */
export function sampleFileType(path: string): string {
  return OWN_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}
