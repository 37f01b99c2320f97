/** Finds the languages that the texts of a record may be in. */
import { type Catalogue, itemLanguages } from './catalogue.ts';

/**
 * Returns a function that returns the languages of a record, by its ID: its own, else those of its nearest ancestor that names some, else
 * all that the archive names. They are BCP 47 tags.
 */
export function createLanguageLookup({
  objects,
  facts,
}: Pick<Catalogue, 'objects' | 'facts'>): (id: string) => readonly string[] {
  const entries = new Map(objects.map((entry) => [entry.id, entry]));
  return (id) => {
    const entry = entries.get(id);
    const ids = [id, ...(entry?.parent ? [entry.parent] : []), ...(entry?.ancestors ?? []).toReversed()];
    const own = ids.map((each) => entries.get(each)).map((each) => (each ? itemLanguages(each) : []));
    return own.find((languages) => languages.length > 0) ?? facts.languages;
  };
}
