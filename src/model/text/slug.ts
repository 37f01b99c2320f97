/** Makes file names from names and codes: legal and distinct on every file system, no matter what else the archive has. */
import { shortHash } from '../../platform/short-hash.ts';
import { capitalize } from './capitalize.ts';
import { comparisonForm, toPlainText } from './text.ts';

const LOWERCASE_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'de', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);
const MAX_BASE_LENGTH = 60;
/** Device names of Windows, and the file name of lists. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|index|com\d|lpt\d)$/;

/**
 * Returns a slug that depends on the name alone, in its `comparisonForm`. If the name can be restored from the slug (`Jane Doe` ⇄
 * `jane-doe`), the slug has no hash. Any other name (with accents, apostrophes, other scripts, unusual capitals) gets a hash
 * after `--`. So each name has its own slug, and no slug changes when a name is added to the archive.
 */
export function slugOf(text: string): string {
  const name = comparisonForm(text);
  const base = simplify(name);
  if (base !== '' && base.length <= MAX_BASE_LENGTH && restoreName(base) === name) return base;
  return hashedSlug(name);
}

/** Returns the slug of a name that may be HTML: an entity, or a tag, makes no other name. */
export const nameSlug = (name: string): string => slugOf(toPlainText(name));

function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** Returns the one name that has `base` as its slug; undefined if that name needs a hash. */
function restoreName(base: string): string | undefined {
  if (!/^[a-z]/.test(base) || RESERVED_NAME.test(base)) return undefined;
  const words = base.split('-');
  return words.map((word, i) => (i > 0 && LOWERCASE_WORDS.has(word) ? word : capitalize(word))).join(' ');
}

/** Returns a slug that always has a hash. It cannot collide with a slug without one. */
export function hashedSlug(name: string): string {
  return `${simplify(name).slice(0, MAX_BASE_LENGTH).replace(/-+$/, '') || 'x'}--${shortHash(name)}`;
}

/** Returns a code such as `photograph` or `baseball_card` unchanged, and a slug with a hash for any other text. */
export function codeSlug(code: string): string {
  return /^[a-z][a-z0-9_]{0,59}$/.test(code) && !RESERVED_NAME.test(code) ? code : hashedSlug(code);
}

/** A number, or a URL of a place in the Getty Thesaurus of Geographic Names (TGN), which has several forms. */
const NUMBERED_ID =
  /^(?:tgn:|(?:https?:)?\/\/(?:vocab|www)\.getty\.edu\/(?:(?:page|resource)\/)?(?:tgn\/|vow\/tgn\w*\?(?:.*&)?subjectid=))?(?<number>\d{1,12})(?:-place)?(?:\.(?:html?|json(?:ld)?|n3|nt|rdf|ttl|xml))?\/?(?:[?#&].*)?$/i;

/** Returns a term's slug: the number of its ID if it has one, a hash of any other ID, or the slug of its text without ID. */
export function termSlug(term: { id: string | undefined; term: string }): string {
  if (term.id === undefined) return nameSlug(term.term);
  return NUMBERED_ID.exec(term.id)?.groups?.['number'] ?? `u--${shortHash(term.id)}`;
}
