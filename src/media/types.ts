/** Whether a file's first bytes are of the kind that its record names: a login page is no photograph. */
import type { Declaration } from '../model/fixity.ts';
import type { MediaKind } from '../model/media.ts';
import type { FileType } from '../model/sniff.ts';

const WORDS = 'application/(?:pdf|rtf|epub|msword|x-cfb|vnd\\.(?:openxml|oasis|ms-)[\\w.+-]*)';
const EXPECTED: Readonly<Record<MediaKind, { noun: string; types: RegExp }>> = {
  thumb: { noun: 'a picture', types: /^image\// },
  image: { noun: 'a picture', types: /^image\// },
  audio: { noun: 'a recording', types: /^audio\/|^video\/(?:ogg|mp4|webm)$/ }, // containers that may hold sound alone
  video: { noun: 'a recording', types: /^video\// },
  transcript: { noun: 'a transcript', types: new RegExp(`^text/|^${WORDS}$`) },
  original: { noun: 'an original', types: /^/ },
};

/** What a file of no known type counts as. */
export const UNKNOWN: FileType = { mimetype: 'application/octet-stream', extension: 'bin' };

/** Why a file cannot be what its record names; undefined where it can. */
export function typeProblem(
  kind: MediaKind,
  type: FileType | undefined,
  declarations: readonly Declaration[],
): string | undefined {
  const { noun, types } = EXPECTED[kind];
  const is = type?.mimetype;
  const said = declarations.find(({ mimetype }) => mimetype !== undefined)?.mimetype?.toLowerCase();
  if (kind === 'original') {
    // An original may be anything, but not a web page in the place of something else.
    const [family, expected] = [familyOf(is), familyOf(said)];
    const wrong = said === undefined ? family === 'page' : type !== undefined && expected !== 'other' && family !== expected;
    return wrong ? `the answer is ${nameOf(is)}, not ${said ?? noun}` : undefined;
  }
  return is === undefined || !types.test(is) ? `the answer is ${nameOf(is)}, not ${noun}` : undefined;
}

function nameOf(mimetype: string | undefined): string {
  return mimetype === 'text/html' ? 'a web page' : (mimetype ?? 'something unknown');
}

/** Types that records and programs call by each other's names. */
function familyOf(mimetype: string | undefined): 'picture' | 'recording' | 'text' | 'page' | 'other' {
  if (mimetype === 'text/html' || mimetype === 'application/xhtml+xml') return 'page';
  if (mimetype?.startsWith('image/')) return 'picture';
  if (/^(?:audio|video)\/|^application\/ogg/.test(mimetype ?? '')) return 'recording';
  return mimetype?.startsWith('text/') ? 'text' : 'other';
}
