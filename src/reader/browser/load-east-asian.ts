/** Loads the spellings of Chinese and Japanese when what a reader types needs them. */
import { cached } from '../../formats/cached.ts';
import { eastAsian } from '../../formats/search/fold-letters.ts';
import { loadContent } from './pack-reader.ts';

const ownScript = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : document.baseURI;
const loadSpell = cached(1, (url) => loadContent(url) as Promise<typeof eastAsian.spell>);

const isEastAsian = (typed: string) => /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(typed.normalize('NFKC'));

/** Makes what is typed in Chinese or Japanese fold as the index does. Rejects if what that needs cannot be loaded. */
export async function loadEastAsian(typed: string): Promise<void> {
  if (isEastAsian(typed)) eastAsian.spell = await loadSpell(new URL('east-asian.js', ownScript).href);
}

/** Runs an action that compares what is typed: at once, unless that needs spellings; without them if they cannot be loaded. */
export function whenFolding(typed: string, action: () => void): void {
  if (isEastAsian(typed)) void loadEastAsian(typed).catch(console.warn).then(action);
  else action();
}
