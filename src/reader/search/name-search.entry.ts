/** Finds names: loaded when a reader first types into a search field, so that no page is larger for it. */
import { findText } from '../../formats/search/fold-text.ts';
import type { Name } from '../../formats/search/name-kinds.ts';
import { loadEastAsian } from '../browser/load-east-asian.ts';
import { loadNames } from './load-names.ts';

/** What the script gives to the page. */
export interface NameSearch {
  /** Rejects if what it needs cannot be loaded. */
  find(typed: string): Promise<Name[]>;
  /** Returns where a label has what was typed. */
  findText: typeof findText;
}

const nameSearch: NameSearch = {
  async find(typed) {
    await loadEastAsian(typed);
    return (await loadNames()).find(typed);
  },
  findText,
};
window.microfichePack?.('name-search', nameSearch);
