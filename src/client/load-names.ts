/** Loads the names that are suggested from the packs beside the script. */
import { createNames, NAMES_DIRECTORY, NAMES_ENTRY, type Names } from './names.ts';
import { DIRECTORY, type Ranges } from './pack-format.ts';
import { loadContent, loadPack } from './pack-reader.ts';

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
  const directory = `${assetsUrl()}${NAMES_DIRECTORY}/`;
  names ??= loadContent(`${directory}${DIRECTORY}.js`).then((ranges) =>
    createNames(ranges as Ranges, async (pack) =>
      new TextDecoder().decode((await loadPack(`${directory}${pack}.js`)).get(NAMES_ENTRY)),
    ),
  );
  names.catch(() => {
    names = undefined;
  });
  return names;
}
