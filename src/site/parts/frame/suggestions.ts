/** The attributes of a search form below which names are suggested, for the script src/reader/search/suggest.entry.ts. */
import { NAME_KINDS } from '../../../formats/search/names.ts';
import type { Site } from '../../site.ts';

/** Whether the site has a search index, and so suggests names. */
export function hasSearch({ searchForms }: Pick<Site, 'searchForms'>): boolean {
  return searchForms.index || searchForms.packs;
}

/** Returns the attributes; none if the site does not suggest names. */
export function suggestionsOf(site: Pick<Site, 'searchForms' | 'compact' | 'locale'>): Record<string, string> {
  if (!hasSearch(site)) return {};
  const { suggestions, nameKinds } = site.locale.t.frame;
  const kinds = NAME_KINDS.map((kind) => nameKinds[kind]).join('|');
  return { 'data-suggest': suggestions, 'data-kinds': kinds, ...(site.compact ? { 'data-compact': '' } : {}) };
}
