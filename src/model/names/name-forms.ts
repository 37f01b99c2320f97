/** Whether two forms of a name may be of one person: “Vane, Leif” and “Leif Vane”; “Ōta Jirō” and “太田次郎”. */
import { generationalSuffix, type Name } from './names.ts';

/** Returns what the forms of one name have in common, in any order; of a name that is not divided, all of it. */
export function comparableName(name: Name): string {
  const { literal, family, given } = name;
  const suffix = generationalSuffix(name)?.replace(/\./g, '') ?? '';
  const text = family === undefined || given === undefined ? literal : `${family}|${given}|${suffix}`;
  return text.normalize('NFC').toLowerCase();
}

/** Returns the words of a name, and all of them as one, without marks. */
export function wordsOfName(name: string): Set<string> {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = folded.split(/[^\p{L}]+/u).filter((word) => word.length > 1);
  return new Set([...words, words.join('')].filter((word) => word !== ''));
}

const SCRIPTS = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai', 'Devanagari'];
const PATTERNS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const);

/** Returns the scripts in which a name is written. */
export function scriptsOfName(name: string): Set<string> {
  return new Set(PATTERNS.flatMap(([script, pattern]) => (pattern.test(name) ? [script] : [])));
}

/** Returns whether two names of one ID may be one person's: they share a word or differ in script. Else the ID may be wrong. */
export function mayBeOnePerson(a: string, b: string): boolean {
  return !wordsOfName(a).isDisjointFrom(wordsOfName(b)) || scriptsOfName(a).isDisjointFrom(scriptsOfName(b));
}
