/** What a file is by its own bytes, whatever its name or its server says. */
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';

/** Bytes from a file's beginning by which text is told. */
const START = 512;

export interface FileType {
  mimetype: string;
  /** Without a dot. */
  extension: string;
}

/** Types under the name that browsers and records use. */
const USUAL: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
  'video/x-m4v': 'video/mp4',
  'video/mp1s': 'video/mpeg',
  'video/mp2p': 'video/mpeg',
};

const PLAIN: FileType = { mimetype: 'text/plain', extension: 'txt' };
const PAGE: FileType = { mimetype: 'text/html', extension: 'html' };

/** What a file is, by all of its bytes or by where it stands; undefined for what is not known. Text without control characters counts as plain text. */
export async function sniffType(file: Uint8Array | string): Promise<FileType | undefined> {
  const start = typeof file === 'string' ? await beginningOf(file) : Buffer.from(file.subarray(0, START));
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|!--|html|head|body|script)(?![\w-])/i.test(start.toString('latin1'))) return PAGE;
  // A file that breaks off in the middle of its own description is of no known type.
  const known = await (typeof file === 'string' ? fileTypeFromFile(file) : fileTypeFromBuffer(file)).catch(() => undefined);
  if (known) {
    const mimetype = (known.mime.split(';')[0] as string).toLowerCase();
    return { mimetype: USUAL[mimetype] ?? mimetype, extension: known.ext };
  }
  return start.length > 0 && !start.some((byte) => byte < 9 || (byte > 13 && byte < 32)) ? PLAIN : undefined;
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START), 0, START, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The types of the files of which the sample archive is made, by their extensions. */
const OWN: Readonly<Record<string, string>> = {
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

/** The type of a file of our own making. */
export function typeOfOwnFile(path: string): string {
  return OWN[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}
