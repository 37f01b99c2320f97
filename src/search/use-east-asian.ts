/** Makes all folding in this process know the spellings of Chinese and Japanese; a browser loads them for queries that need it. */
import { spellEastAsian } from '../formats/search/east-asian.ts';
import { eastAsian } from '../formats/search/fold-letters.ts';

eastAsian.spell = spellEastAsian;
