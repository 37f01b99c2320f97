/** The characters with which a pattern can begin, so that a place in a text need not try every rule. */

/** The key of all digits. */
const DIGIT = '0';

/** Texts of hostile authors may have any number of characters. */
const MAX_CACHED = 500;

/** The initials of a pattern, digits as one; undefined if they are not known. */
type Initials = Set<string> | undefined;

/**
 * Returns a function that gives the entries whose pattern can begin with a character, in their order. The patterns may use what
 * the rules of dates use; for any other syntax an entry is given for every character.
 */
export function indexByInitial<T extends readonly [RegExp, ...unknown[]]>(entries: readonly T[]): (character: string) => T[] {
  const initials = entries.map(([pattern]) => initialsOf(pattern.source));
  const cache = new Map<string, T[]>();
  return (character) => {
    const key = /\d/.test(character) ? DIGIT : character;
    const known = cache.get(key);
    if (known) return known;
    const found = entries.filter((_, i) => initials[i]?.has(key) ?? true);
    if (cache.size < MAX_CACHED) cache.set(key, found);
    return found;
  };
}

/** Returns the initials of a pattern's source. */
export function initialsOf(source: string): Initials {
  return union(splitAlternatives(source).map(initialsOfSequence));
}

function union(sets: readonly Initials[]): Initials {
  return sets.some((set) => set === undefined) ? undefined : new Set(sets.flatMap((set) => [...(set as Set<string>)]));
}

function initialsOfSequence(sequence: string): Initials {
  if (sequence === '') return undefined;
  const atom = atomAt(sequence);
  const rest = sequence.slice(atom.length);
  if (/^\(\?<?[=!]/.test(atom)) return initialsOfSequence(rest);
  const ofAtom = initialsOfAtom(atom);
  const quantifier = /^(?:[?*+]|\{\d+(?:,\d*)?\})\??/.exec(rest)?.[0] ?? '';
  const isOptional = /^(?:[?*]|\{0)/.test(quantifier);
  return isOptional ? union([ofAtom, initialsOfSequence(rest.slice(quantifier.length))]) : ofAtom;
}

function initialsOfAtom(atom: string): Initials {
  if (atom.startsWith('(')) return initialsOf(atom.replace(/^\((?:\?:)?/, '').slice(0, -1));
  if (atom === '\\d') return new Set([DIGIT]);
  if (atom.startsWith('[')) return /^\[[^\\^-]+\]$/.test(atom) ? new Set([...atom.slice(1, -1)].map(toKey)) : undefined;
  if (atom.startsWith('\\')) return /^\\[^\w]$/.test(atom) ? new Set([atom.slice(1)]) : undefined;
  return /^[.^$]$/.test(atom) ? undefined : new Set([toKey(atom)]);
}

const toKey = (character: string) => (/\d/.test(character) ? DIGIT : character);

/** The first element of a sequence: a group, a class, an escape or a character. */
function atomAt(sequence: string): string {
  if (sequence.startsWith('(')) return sequence.slice(0, groupEnd(sequence));
  const [atom = ''] = /^(?:\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\.|.)/su.exec(sequence) ?? [];
  return atom;
}

/** Returns the index after the group at the beginning. */
function groupEnd(sequence: string): number {
  let depth = 0;
  for (let at = 0; at < sequence.length; ) {
    const [atom = ''] = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|.)/su.exec(sequence.slice(at)) ?? [];
    at += atom.length;
    depth += atom === '(' ? 1 : atom === ')' ? -1 : 0;
    if (depth === 0) return at;
  }
  return sequence.length;
}

/** Splits a pattern at the “|” that are in no group. */
function splitAlternatives(source: string): string[] {
  const alternatives = [''];
  for (let at = 0; at < source.length; ) {
    const atom = atomAt(source.slice(at));
    at += atom.length;
    if (atom === '|') alternatives.push('');
    else alternatives[alternatives.length - 1] += atom;
  }
  return alternatives;
}
