/** Alternative texts of images: what a reader hears who does not see them. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { isAboveItems } from '../../../model/ids.ts';
import { capitalize } from '../../../model/text/capitalize.ts';
import { codeLabel } from '../../language/locale.ts';
import type { Site } from '../../site.ts';

/**
 * Returns the alternative text of a record's image, in the language of the page: what it is, and its title, such as “Photograph:
 * The quay”. A title that begins with the kind stays alone. A file that has no title but its name is described by the title of
 * its item.
 */
export function describeImage(
  entry: Pick<ListedEntry, 'id' | 'model' | 'title' | 'genre' | 'format' | 'parent'>,
  { locale, relations }: Pick<Site, 'locale' | 'relations'>,
): string {
  const { t } = locale;
  const isOnlyName = entry.model === 'file' && (/\.[a-z\d]{2,4}$/i.test(entry.title) || entry.title === `[${entry.id}]`);
  const item = isOnlyName && entry.parent !== undefined ? relations.object(entry.parent) : undefined;
  const title = (item ?? entry).title;
  const kind = kindOf(item ?? entry, t);
  return title.toLowerCase().startsWith(kind.toLowerCase()) ? title : t.object.imageOf(kind, title);
}

/** Returns what a record is, such as “Photograph”: an item by its genre or format, other records by their model. */
export function kindLabel(entry: Pick<ListedEntry, 'model' | 'genre' | 'format'>, t: Site['locale']['t']): string {
  return entry.model === 'entity' && (entry.genre ?? entry.format) !== undefined
    ? kindOf(entry, t)
    : codeLabel(t.codes.model, entry.model);
}

/** Returns the name of one such item: by its genre, else by its format. A genre without a label is the archive's own word. */
function kindOf({ model, genre, format }: Pick<ListedEntry, 'model' | 'genre' | 'format'>, t: Site['locale']['t']): string {
  if (isAboveItems(model)) return t.codes.model[model];
  if (genre !== undefined) return capitalize(codeLabel(t.codes.item, genre));
  const { kinds } = t.object;
  const labels: Readonly<Record<string, string>> = kinds;
  return format !== undefined && Object.hasOwn(labels, format) ? codeLabel(labels, format) : kinds.img;
}
