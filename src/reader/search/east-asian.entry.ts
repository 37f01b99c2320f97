/** Gives words one spelling: loaded by the search page for queries in Chinese or Japanese. */
import { spellEastAsian } from '../../formats/search/east-asian.ts';

window.microfichePack?.('east-asian', spellEastAsian);
