/** The view model of what precedes the contents in a finding aid: description, dates, creators, history and rights. */
import { contentsPath } from '../../catalogue/urls.ts';
import type { ObjectContent } from '../content.ts';
import { createLinkResolver } from '../links.ts';
import { toSafeHtml } from '../sanitize.ts';
import type { Site } from '../site.ts';
import { textLang } from '../text-lang.ts';
import type { ObjectContext } from './object-context.ts';
import { createFieldRows, type FieldRows } from './object-fields.ts';

/** What precedes the contents. */
export interface FrontMatter {
  /** HTML. */
  description: string | undefined;
  /** The description's language, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  fields: FieldRows;
  preferredCitation: string | undefined;
}

/** Returns what precedes the contents of a record. */
export function createFrontMatter({ record }: ObjectContent, context: ObjectContext, site: Site): FrontMatter {
  const { entry, linkedPages, mentionedIds, preferredCitation } = context;
  const path = contentsPath(entry.id);
  const resolve = createLinkResolver(path, (href) => (Object.hasOwn(linkedPages, href) ? linkedPages[href] : undefined));
  return {
    description: record.description && toSafeHtml(record.description, resolve),
    lang: textLang(record.description, site, entry),
    fields: createFieldRows(record, entry, { path, known: new Set(mentionedIds), resolve, site }),
    preferredCitation,
  };
}
