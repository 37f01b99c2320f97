/** File names for things that have only a name: legal and distinct on every file system, and stable whatever else is in the archive. */
import { shortHash } from '../platform/short-hash.ts';

const SMALL_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'de', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);
const MAX_BASE = 60;
/** Device names of Windows, and the name that lists take for themselves. */
const RESERVED = /^(?:con|prn|aux|nul|index|com\d|lpt\d)$/;

/**
 * A slug that depends on the name alone. Where the slug can be read back to exactly this name (`Jane Doe` ⇄ `jane-doe`)
 * it stands bare; any other name (accents, apostrophes, other scripts, unusual capitals) keeps a hash of itself behind `--`,
 * so that no two names share a slug and none changes when another name joins the archive.
 */
export function slugOf(name: string): string {
  const base = readable(name);
  if (base !== '' && base.length <= MAX_BASE && readBack(base) === name) return base;
  return hashedSlug(name);
}

function readable(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/** The one name that a bare slug stands for; undefined where a bare slug is not allowed. */
function readBack(base: string): string | undefined {
  const words = base.split('-');
  if (!/^[a-z]/.test(base) || words.length < 1) return undefined;
  if (RESERVED.test(base)) return undefined;
  return words.map((word, i) => (i > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(' ');
}

/** A slug that always carries its hash: for codes that are no file names, so that none can meet a bare slug. */
export function hashedSlug(name: string): string {
  const short = readable(name).slice(0, MAX_BASE).replace(/-+$/, '');
  return `${short === '' ? 'x' : short}--${shortHash(name)}`;
}

/** A code such as `photograph` or `baseball_card` as its own file name; any other text gets a hash. */
export function codeSlug(code: string): string {
  return /^[a-z][a-z0-9_]{0,59}$/.test(code) && !RESERVED.test(code) ? code : hashedSlug(code);
}

/** A controlled term: by its number where it has one, by the hash of any other id, else by its words. */
export function termSlug(term: { id: string | undefined; term: string }): string {
  if (term.id === undefined) return slugOf(term.term);
  return /^\d{1,12}$/.test(term.id) ? term.id : `u--${shortHash(term.id)}`;
}
