/** Loads the names that are suggested from the packs beside the script. */
import { createNames, NAMES_DIRECTORY, NAMES_ENTRY, type Names } from '../../formats/search/names.ts';
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
