/** Whether a file's first bytes are of the kind that its record names: a login page is no photograph. */
import type { FileDeclaration } from '../model/fixity.ts';
import type { MediaKind } from '../model/media.ts';
import type { FileType } from '../model/sniff.ts';

const DOCUMENT_TYPES = 'application/(?:pdf|rtf|epub|msword|x-cfb|vnd\\.(?:openxml|oasis|ms-)[\\w.+-]*)';
const EXPECTED_TYPES: Readonly<Record<MediaKind, { noun: string; types: RegExp }>> = {
  thumb: { noun: 'a picture', types: /^image\// },
  image: { noun: 'a picture', types: /^image\// },
  audio: { noun: 'a recording', types: /^audio\/|^video\/(?:ogg|mp4|webm)$/ }, // containers that may hold sound alone
  video: { noun: 'a recording', types: /^video\// },
  transcript: { noun: 'a transcript', types: new RegExp(`^text/|^${DOCUMENT_TYPES}$`) },
  original: { noun: 'an original', types: /^/ },
};

/** What a file of no known type counts as. */
export const UNKNOWN_TYPE: FileType = { mimetype: 'application/octet-stream', extension: 'bin' };

/** Why a file cannot be what its record names; undefined where it can. */
export function typeProblem(
  kind: MediaKind,
  type: FileType | undefined,
  declarations: readonly FileDeclaration[],
): string | undefined {
  const { noun, types } = EXPECTED_TYPES[kind];
  const is = type?.mimetype;
  const declaredTypes = declarations.find(({ mimetype }) => mimetype !== undefined)?.mimetype?.toLowerCase();
  if (kind === 'original') {
    // An original may be anything, but not a web page in the place of something else.
    const [family, expected] = [typeFamily(is), typeFamily(declaredTypes)];
    const wrong =
      declaredTypes === undefined ? family === 'page' : type !== undefined && expected !== 'other' && family !== expected;
    return wrong ? `the answer is ${typeName(is)}, not ${declaredTypes ?? noun}` : undefined;
  }
  return is === undefined || !types.test(is) ? `the answer is ${typeName(is)}, not ${noun}` : undefined;
}

function typeName(mimetype: string | undefined): string {
  return mimetype === 'text/html' ? 'a web page' : (mimetype ?? 'something unknown');
}

/** Types that records and programs call by each other's names. */
function typeFamily(mimetype: string | undefined): 'picture' | 'recording' | 'text' | 'page' | 'other' {
  if (mimetype === 'text/html' || mimetype === 'application/xhtml+xml') return 'page';
  if (mimetype?.startsWith('image/')) return 'picture';
  if (/^(?:audio|video)\/|^application\/ogg/.test(mimetype ?? '')) return 'recording';
  return mimetype?.startsWith('text/') ? 'text' : 'other';
}
