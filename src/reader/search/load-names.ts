/** Loads the names that are suggested from the packs beside the script. */
import { cached } from '../../formats/cached.ts';
import type { Name } from '../../formats/search/name-kinds.ts';
import { comparableText, createNames, NAMES_DIRECTORY, NAMES_ENTRY, type Names } from '../../formats/search/names.ts';
import { loadPackTexts } from '../browser/pack-reader.ts';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;

/** Returns the URL of the directory of the script. */
export const assetsUrl = (): string => new URL('.', ownScript).href;

/**
 * Loads the list of packs when it is first needed.
 * @throws {Error} if it cannot be loaded; the next call tries again
 */
export const loadNames = (): Promise<Names> => namesIn(`${assetsUrl()}${NAMES_DIRECTORY}/`);

const namesIn = cached(1, async (directory) => {
  const { ranges, loadText } = await loadPackTexts(directory, NAMES_ENTRY);
  return createNames(ranges, loadText);
});

/** What follows the name of a place: the place that it is in. */
const AFTER_NAME = /[,(].*$/su;

/**
 * Returns a folded word as it is written in the names of people, or as the entire name of a place or facility: “Hirado, Japan”.
 * Undefined if there is none, or if the names cannot be loaded.
 */
export async function findInNames(word: string, named: 'place' | 'person'): Promise<string | undefined> {
  const partsOf = ({ kind, label }: Name) =>
    (kind === 'facility' ? 'place' : kind) === named ? label.split(named === 'person' ? /[^\p{L}\p{M}]+/u : AFTER_NAME) : [];
  try {
    const found = await (await loadNames()).find(word);
    return found.flatMap(partsOf).find((part) => comparableText(part) === word);
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}
