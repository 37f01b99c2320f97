/** What a file is by its first bytes, whatever its name or its server says. */

const SIGNATURES: Array<{ type: string; at: number; bytes: number[] | string }> = [
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/gif', at: 0, bytes: 'GIF8' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { type: 'image/tiff', at: 0, bytes: [0x49, 0x49, 0x2a, 0x00] },
  { type: 'image/tiff', at: 0, bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
  { type: 'video/mpeg', at: 0, bytes: [0x00, 0x00, 0x01, 0xba] },
  { type: 'video/ogg', at: 0, bytes: 'OggS' },
  { type: 'video/webm', at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { type: 'audio/wav', at: 8, bytes: 'WAVE' },
  { type: 'audio/flac', at: 0, bytes: 'fLaC' },
  { type: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { type: 'audio/mpeg', at: 0, bytes: [0xff, 0xfb] },
  { type: 'audio/mpeg', at: 0, bytes: [0xff, 0xf3] },
  { type: 'audio/mpeg', at: 0, bytes: [0xff, 0xf2] },
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
  { type: 'text/vtt', at: 0, bytes: 'WEBVTT' },
  { type: 'text/vtt', at: 3, bytes: 'WEBVTT' }, // behind a byte order mark
];

const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/tiff': 'tif',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'video/mpeg': 'mpg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/vtt': 'vtt',
  'text/html': 'html',
};

/** The media type, or undefined for what is not known; plain UTF-8 without control characters counts as text. */
export function sniffType(bytes: Uint8Array): string | undefined {
  for (const { type, at, bytes: signature } of SIGNATURES) {
    const wanted = typeof signature === 'string' ? Array.from(signature, (letter) => letter.charCodeAt(0)) : signature;
    if (bytes.length >= at + wanted.length && wanted.every((byte, i) => bytes[at + i] === byte)) return type;
  }
  const start = Buffer.from(bytes.subarray(0, 512));
  if (/^\s*<(?:!doctype html|html|head|body|script)\b/i.test(start.toString('latin1'))) return 'text/html';
  return start.length > 0 && !start.some((byte) => byte < 9 || (byte > 13 && byte < 32)) ? 'text/plain' : undefined;
}

/** The file-name extension of a type; undefined where `sniffType` does not know it. */
export function extensionOf(type: string | undefined): string | undefined {
  return type === undefined ? undefined : EXTENSIONS[type];
}
