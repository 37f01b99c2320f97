/** Spells words as search compares them in Chinese and Japanese. The search page loads this script for queries in these. */
import { spellEastAsian } from '../../formats/search/east-asian.ts';

window.microficheSpell = spellEastAsian;
