/** Finds the languages that the texts of a record may be in. */
import { type Catalogue, itemLanguages } from '../catalogue.ts';

/**
 * Returns a function that returns the languages of a record, by its ID: its own, else those of its nearest ancestor that names
 * some, else all that the archive names. They are BCP 47 tags.
 */
export function createLanguageLookup({
  objects,
  facts,
}: Pick<Catalogue, 'objects' | 'facts'>): (id: string) => readonly string[] {
  return (id) => {
    const entry = objects.listed(id);
    const above = [...(entry?.parent ? [entry.parent] : []), ...(entry?.ancestors ?? []).toReversed()];
    const own = entry ? itemLanguages(entry) : [];
    if (own.length > 0) return own;
    const ofAncestors = above.flatMap((each) => objects.listed(each) ?? []).map(itemLanguages);
    return ofAncestors.find((languages) => languages.length > 0) ?? facts.languages;
  };
}
