/** Loads the names that are suggested from the packs beside the script. */
import { cached } from '../../formats/cached.ts';
import { comparableText, createNames, NAMES_DIRECTORY, NAMES_ENTRY, type Name, type Names } from '../../formats/search/names.ts';
import { loadPackTexts } from '../browser/pack-reader.ts';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;

/** Returns the URL of the directory of the script. */
export function assetsUrl(): string {
  return new URL('.', ownScript).href;
}

/**
 * Loads the list of packs when it is first needed.
 * @throws {Error} if it cannot be loaded; the next call tries again
 */
export function loadNames(): Promise<Names> {
  return namesIn(`${assetsUrl()}${NAMES_DIRECTORY}/`);
}

const namesIn = cached(1, async (directory) => {
  const { ranges, loadText } = await loadPackTexts(directory, NAMES_ENTRY);
  return createNames(ranges, loadText);
});

/** What follows the name of a place: the place that it is in. */
const AFTER_NAME = /[,(].*$/su;

/** Whether a word is the name of a place or facility, as in “Hirado, Japan”; false if the names cannot be loaded. */
export async function isPlaceName(word: string): Promise<boolean> {
  try {
    const found = await (await loadNames()).find(word);
    const isPlace = ({ kind }: Name) => kind === 'place' || kind === 'facility';
    return found.some((name) => isPlace(name) && comparableText(name.label.replace(AFTER_NAME, '')) === word);
  } catch (error) {
    console.warn(error);
    return false;
  }
}
