/** The `lang` attributes of the archive's texts on a page, which is in the language of the interface. */
import { itemLanguages } from '../../catalogue/catalogue.ts';
import type { ListedEntry } from '../../catalogue/entries.ts';
import { toPlainText } from '../../model/text/text.ts';
import { detectLanguage, primaryOf } from '../../model/text/text-language.ts';
import { isUntitled, titleIn } from '../fields/record-title.ts';
import type { Site } from '../site.ts';

/** The part of a site that decides the language of a text. */
export type TextLangContext = Pick<Site, 'archiveLanguages' | 'locale'>;

/** Characters of markup from which the language is read. */
const MAX_MARKUP = 5_000;

/** Returns a text's or HTML's `lang` attribute; undefined if it is the page's. `item` is the record described, if any. */
export function textLang(
  text: string | undefined,
  { archiveLanguages, locale }: TextLangContext,
  item?: Pick<ListedEntry, 'facets'>,
): string | undefined {
  if (!text) return undefined;
  const plain = toPlainText(text.slice(0, MAX_MARKUP));
  const tag = detectLanguage(plain, archiveLanguages, item ? itemLanguages(item) : []);
  return tag === undefined || primaryOf(tag) === primaryOf(locale.language) ? undefined : tag;
}

/** Returns the `lang` attribute of a record's title, or of the part of it that is shown. */
export function titleLang(entry: ListedEntry, site: TextLangContext, shown = entry.title): string | undefined {
  return isUntitled(entry) || titleIn(entry, site.locale.language) ? undefined : textLang(shown, site, entry);
}
