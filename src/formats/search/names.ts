/**
 * The names that are suggested while a reader types: people, places, topics, facilities, and titles. They are in packs, which are
 * loaded as needed, sorted by the text from each beginning of a word on. Names precede titles, of which there are many more.
 */
import { cached } from '../cached.ts';
import { findPack, type Ranges } from '../pack-format.ts';
import { foldWithSigns } from './fold-text.ts';
import { isTitleKind, NAME_KINDS, type Name, type NameKind } from './name-kinds.ts';
import { ARTICLE, foldText } from './searchable-text.ts';
import { isStopWord } from './stop-words.ts';

/** A name by one of its keys. */
export interface KeyedName extends Name {
  key: string;
  /** Where in the comparable text of the label the key begins; undefined if it is another form of the name. */
  at?: number;
}

/** The directory of the packs, in `assets/`. */
export const NAMES_DIRECTORY = 'names';
/** The name of the only entry of each pack. */
export const NAMES_ENTRY = 'names';

/** What the keys of names begin with, so that they precede those of titles. No comparable text begins with it. */
const NAME_SIGN = '!';
const MAX_KEY_LENGTH = 40;
/** Beginnings in one label. */
const MAX_STARTS = 40;
/** Packs that are loaded for one key: names that begin with one letter are in many. */
const MAX_PACKS = 3;
const IS_ASCII = /^[\0-\x7f]*$/;
/** A character before which a word may begin, in scripts that are written without spaces. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Returns a text as names are compared: words without case, accents and punctuation, those in Chinese and Japanese in their own
 * spelling, which a browser need not know to read a pack.
 */
export function comparableText(text: string): string {
  const folded = IS_ASCII.test(text) ? text.toLowerCase() : foldWithSigns(text, true).folded.replace(/[ʻʼʾʿ]/g, '');
  return folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
}

/** Returns a text as names are compared, with the signs in its words and without them: Ch‘oe, Choe. */
export const comparableForms = (text: string): Set<string> => new Set([comparableText(text), comparableText(foldText(text))]);

/**
 * Returns where words begin in comparable text, also after an Arabic article, and all characters of East Asian scripts. In a
 * title, words that say little begin nothing, except the first.
 */
export function startsOf(comparable: string, isTitle: boolean): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const word of comparable.split(' ')) {
    if (word !== '' && (at === 0 || !isTitle || !isStopWord(word))) starts.push(at);
    const [article] = ARTICLE.exec(word) ?? [];
    if (article !== undefined) starts.push(at + article.length);
    if (!IS_ASCII.test(word))
      for (const { index } of word.matchAll(new RegExp(EAST_ASIAN, 'gu'))) if (index > 0) starts.push(at + index);
    at += word.length + 1;
  }
  return starts.slice(0, MAX_STARTS);
}

/** Returns the key of a name of a kind from a position of its comparable text. */
export function keyAt(kind: NameKind, comparable: string, at = 0): string {
  return (isTitleKind(kind) ? '' : NAME_SIGN) + comparable.slice(at, at + MAX_KEY_LENGTH);
}

/** Returns names as text, one per line. A key follows from the label and the position in it, except for other forms. */
export function encodeNames(names: readonly KeyedName[]): string {
  return names
    .map(({ key, at, kind, count, path, label }) =>
      [at === undefined ? key : at.toString(36), NAME_KINDS.indexOf(kind), count || '', path, label].join('\t'),
    )
    .join('\n');
}

/** Returns the names from the text that `encodeNames` made. */
export function decodeNames(text: string): KeyedName[] {
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const [position = '', number = '', count = '', path = '', label = ''] = line.split('\t');
    const kind = NAME_KINDS[Number(number)] ?? 'item';
    const name = { kind, count: Number(count), path, label };
    if (position.startsWith(NAME_SIGN)) return { key: position, ...name };
    const at = Number.parseInt(position, 36);
    return { key: keyAt(kind, comparableText(label), at), at, ...name };
  });
}

/** A name that was found, and how well it matches. */
interface FoundName {
  name: KeyedName;
  /** 0: it is what was typed; 1: it begins so; 2: a later word of it does. */
  rank: 0 | 1 | 2;
}

/** Finds names. */
export type Names = ReturnType<typeof createNames>;

/** Returns the names in the packs of `ranges`. `loadText` returns the text of a pack. */
export function createNames(ranges: Ranges, loadText: (pack: string) => Promise<string>) {
  const load = cached(ranges.length, async (pack) => decodeNames(await loadText(pack)));
  return {
    /**
     * Returns names in which a word begins as typed, with all that follows; the best ones first.
     * @throws {Error} if a pack cannot be loaded
     */
    async find(typed: string) {
      const found = await Promise.all([...comparableForms(typed)].map(findComparable));
      return rank(found.flat());
    },
  };

  async function findComparable(text: string): Promise<FoundName[]> {
    if (text === '') return [];
    // Within titles, keys begin with words that say something.
    const words = text.split(' ');
    const first = words.findIndex((word) => !isStopWord(word));
    const keyed = words.slice(Math.max(0, first)).join(' ');
    const lookups = [keyAt('person', text), ...new Set([text, keyed].map((own) => keyAt('item', own)))];
    const found = await Promise.all(
      lookups.map(async (key) => {
        const names = await Promise.all(packsFrom(key, ranges).map(load));
        return names.flat().filter((name) => name.key.startsWith(key));
      }),
    );
    return found.flat().flatMap((name) => match(name, text, text.length - keyed.length));
  }
}

/** Matches all of the text with a name that has its beginning, or that from `skipped` on. */
function match(name: KeyedName, text: string, skipped: number): FoundName[] {
  const { at } = name;
  const comparable = comparableText(name.label);
  if (comparable === text) return [{ name, rank: 0 }];
  if (at === undefined || comparable.startsWith(text)) return [{ name, rank: 1 }];
  const isWithin = [at, at - skipped].some(
    (start) => comparable.startsWith(text, start) && (start === at || comparable[start - 1] === ' '),
  );
  return isWithin ? [{ name, rank: 2 }] : [];
}

/** Returns each page once: the best matches first, then names before titles, by number of records and kind. */
function rank(found: readonly FoundName[]): Name[] {
  const best = new Map<string, FoundName>();
  for (const each of found) if (each.rank < (best.get(each.name.path)?.rank ?? 3)) best.set(each.name.path, each);
  const isTitle = ({ kind }: Name) => (isTitleKind(kind) ? 1 : 0);
  return [...best.values()]
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        isTitle(a.name) - isTitle(b.name) ||
        b.name.count - a.name.count ||
        NAME_KINDS.indexOf(a.name.kind) - NAME_KINDS.indexOf(b.name.kind) ||
        (a.name.label < b.name.label ? -1 : 1),
    )
    .map(({ name }) => name);
}

/** Returns the first packs in which keys may begin with `prefix`. Each is loaded when it is first needed. */
function packsFrom(prefix: string, ranges: Ranges): string[] {
  const firstPack = findPack(prefix, ranges);
  const first = ranges.findIndex(([, pack]) => pack === firstPack);
  const packs = ranges.slice(Math.max(0, first)).filter(([key], i) => i === 0 || key.startsWith(prefix));
  return packs.slice(0, MAX_PACKS).map(([, pack]) => pack);
}
