/** Finds words that are near others: loaded by the search page, with the spelling list, if no record has a word. */
import * as spelling from './spelling.ts';

window.microfichePack?.('spelling', spelling);
