/** Checks that the detected media type of a file fits its kind, so that a login page is not stored as a photograph. */
import type { FileDeclaration } from '../model/fixity.ts';
import type { MediaKind } from '../model/media.ts';
import type { FileType } from '../model/sniff.ts';

const DOCUMENT_TYPES = 'application/(?:pdf|rtf|epub|msword|x-cfb|vnd\\.(?:openxml|oasis|ms-)[\\w.+-]*)';
const EXPECTED_TYPES: Readonly<Record<MediaKind, { noun: string; types: RegExp }>> = {
  thumb: { noun: 'an image', types: /^image\// },
  image: { noun: 'an image', types: /^image\// },
  audio: { noun: 'a recording', types: /^audio\/|^video\/(?:ogg|mp4|webm)$/ }, // containers that may contain only audio
  video: { noun: 'a recording', types: /^video\// },
  transcript: { noun: 'a transcript', types: new RegExp(`^text/|^${DOCUMENT_TYPES}$`) },
  original: { noun: 'an original', types: /^/ },
};

/** The type of a file whose content is not recognized. */
export const UNKNOWN_TYPE: FileType = { mimetype: 'application/octet-stream', extension: 'bin' };

/** Returns why a file cannot be what its record names; undefined if it can. */
export function typeProblem(
  kind: MediaKind,
  type: FileType | undefined,
  declarations: readonly FileDeclaration[],
): string | undefined {
  const { noun, types } = EXPECTED_TYPES[kind];
  const detected = type?.mimetype;
  const declaredType = declarations.find(({ mimetype }) => mimetype !== undefined)?.mimetype?.toLowerCase();
  if (kind === 'original') {
    // An original may be of any type, but a web page is probably an error page instead of the file.
    const [family, expected] = [typeFamily(detected), typeFamily(declaredType)];
    const wrong =
      declaredType === undefined ? family === 'page' : type !== undefined && expected !== 'other' && family !== expected;
    return wrong ? `the response is ${typeName(detected)}, not ${declaredType ?? noun}` : undefined;
  }
  return detected === undefined || !types.test(detected) ? `the response is ${typeName(detected)}, not ${noun}` : undefined;
}

function typeName(mimetype: string | undefined): string {
  return mimetype === 'text/html' ? 'a web page' : (mimetype ?? 'a file of unknown type');
}

/** Returns the group of a type. Records and programs often confuse the types of one group. */
function typeFamily(mimetype: string | undefined): 'image' | 'recording' | 'text' | 'page' | 'other' {
  if (mimetype === 'text/html' || mimetype === 'application/xhtml+xml') return 'page';
  if (mimetype?.startsWith('image/')) return 'image';
  if (/^(?:audio|video)\/|^application\/ogg/.test(mimetype ?? '')) return 'recording';
  return mimetype?.startsWith('text/') ? 'text' : 'other';
}
