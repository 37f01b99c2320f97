/** Loads the names that are suggested from the packs beside the script. */
import { comparableText, createNames, NAMES_DIRECTORY, NAMES_ENTRY, type Name, type Names } from '../../formats/search/names.ts';
import { loadPackTexts } from '../browser/pack-reader.ts';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;
let names: Promise<Names> | undefined;

/** Returns the URL of the directory of the script. */
export function assetsUrl(): string {
  return new URL('.', ownScript).href;
}

/**
 * Loads the list of packs when it is first needed.
 * @throws {Error} if it cannot be loaded; the next call tries again
 */
export function loadNames(): Promise<Names> {
  names ??= loadPackTexts(`${assetsUrl()}${NAMES_DIRECTORY}/`, NAMES_ENTRY).then(({ ranges, loadText }) =>
    createNames(ranges, loadText),
  );
  names.catch(() => {
    names = undefined;
  });
  return names;
}

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
