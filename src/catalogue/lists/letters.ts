/** The headings of A–Z lists, and the order of names, by the language of the page. */
import { foldLetters } from '../../model/text/fold-letters.ts';
import { memoized } from '../../platform/lazy.ts';
import alphabets from './alphabets.json' with { type: 'json' };
import ownLetters from './own-letters.json' with { type: 'json' };

/** The alphabets of scripts, by their codes in ISO 15924; of kana (Hrkt), the rows. Han characters have only their script. */
const SCRIPTS = Object.entries(alphabets).map(([code, letters]) => {
  const pattern = code === 'Hrkt' ? '\\p{Script=Hira}|\\p{Script=Kana}' : `\\p{Script=${code}}`;
  return { code, pattern: new RegExp(`^(?:${pattern})`, 'u'), letters: [...letters] };
});
/** Scripts of languages that are written in several, or that have several codes. */
const SCRIPTS_IN: Readonly<Record<string, string>> = { Jpan: 'Hrkt Hani', Kore: 'Hang Hani', Hans: 'Hani', Hant: 'Hani' };
const OWN: Readonly<Record<string, string>> = ownLetters;
const LATIN = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = '0–9';
const OTHER = 'Other';

/** A heading: Latin includes diacritics and strokes; `Other` is for scripts without a heading, and signs. */
export type Letter = string;

/** Returns whether a heading is that of a script. */
export const isScript = (letter: Letter): boolean => letter in alphabets;

/**
 * Returns how lists are sorted in a language, and the headings of its A–Z lists. Letters and order are the language's own: Å is
 * after Z in Swedish, Ñ after N in Spanish. The script of the language comes first.
 */
export const createAlphabet = memoized((language: string) => {
  // Without English, a language that ICU does not know would have the order of the machine's.
  const { compare } = new Intl.Collator([language, 'en'], { sensitivity: 'base' });
  const collator = new Intl.Collator([language, 'en'], { numeric: true });
  const { language: name, script = 'Latn' } = new Intl.Locale(language).maximize();
  const own = (OWN[language] ?? OWN[name] ?? '').split(' ').filter(Boolean);
  const [isLatin, ownScripts] = [script === 'Latn', (SCRIPTS_IN[script] ?? script).split(' ')];
  const latin = isLatin ? [...LATIN, ...own].sort(compare) : LATIN;
  const scripts = SCRIPTS.map(({ code, pattern, letters: all }) => {
    const owned = code === ownScripts[0] ? own : [];
    const others = all.filter((letter) => owned.every((each) => compare(letter, each) !== 0));
    return { code, pattern, letters: [...owned, ...others].sort(compare) };
  });
  const first = scripts.filter(({ code }) => ownScripts.includes(code));
  const rest = scripts.filter((each) => !first.includes(each));
  const headingsOf = (all: typeof scripts) => all.flatMap((each) => [...each.letters, each.code]);
  const isOwn = (text: string) => first.some(({ pattern }) => pattern.test(text));
  return {
    /** The headings in order. After the letters of a script is its code, for all that is before its first letter. */
    letters: [...headingsOf(first), ...latin, DIGITS, ...headingsOf(rest), OTHER],
    /** The headings that lists show also without names. */
    usualLetters: new Set([...(isLatin ? latin : own), DIGITS, OTHER]),
    /** Returns the heading that a sort key belongs to. */
    letterOf(sortKey: string): Letter {
      const start = sortKey
        .slice(0, MAX_PREFIX)
        .normalize('NFKC')
        .replace(/\p{Cf}+/gu, '');
      const text = start.replace(/^(?:[^\p{L}\p{N}]|[ʻʼʾʿ])+/u, '');
      const bare = text.normalize('NFKD').replace(/\p{M}+/gu, '');
      const [initial = ''] = foldLetters(bare.toLowerCase()).toUpperCase();
      const prefixes = isLatin ? [3, 2, 1].map((length) => [...text].slice(0, length).join('')) : [];
      const letter = prefixes.flatMap((prefix) => own.find((each) => compare(each, prefix) === 0) ?? [])[0];
      if (letter !== undefined || /[A-Z]/.test(initial)) return letter ?? initial;
      if (/\d/.test(initial)) return DIGITS;
      const found = scripts.find(({ pattern }) => pattern.test(text));
      const lastUpTo = (other: string) => found?.letters.findLast((each) => compare(each, other) <= 0);
      return lastUpTo(text) ?? lastUpTo(bare) ?? found?.code ?? OTHER;
    },
    /** Compares by the language's sort order, its own script first; numbers by value. */
    compare: (a: string, b: string) => Number(isOwn(b)) - Number(isOwn(a)) || collator.compare(a, b),
  };
});

/** Characters among which a letter or digit is looked for. */
const MAX_PREFIX = 200;
