/** Loads the table of Chinese and Japanese spellings, which is too large for searches that do not need it. */
import { eastAsian } from '../../formats/search/one-spelling.ts';
import { loadScript } from '../browser/load-script.ts';

declare global {
  interface Window {
    /** Set by east-asian.entry.ts. */
    microficheSpell?: (folded: string) => string;
  }
}

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Makes queries fold as the index does, if `typed` has letters with several spellings. `root` is the relative path to the top.
 * @throws {Error} if the table cannot be loaded; the next call tries again
 */
export async function loadEastAsian(typed: string, root: string): Promise<void> {
  if (!EAST_ASIAN.test(typed.normalize('NFKC'))) return;
  if (!window.microficheSpell) await loadScript(`${root}assets/east-asian.js`);
  eastAsian.spell = window.microficheSpell ?? eastAsian.spell;
}
