/** The view model of what precedes the contents in a finding aid: description, dates, creators, history and rights. */
import type { ObjectEntry } from '../../../catalogue/entries.ts';
import { contentsPath } from '../../../catalogue/urls.ts';
import type { ObjectContent } from '../../content.ts';
import { createFieldRows, type FieldRows } from '../../parts/fields/object-fields.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, findLinkedPages } from '../../text/links.ts';
import { toSafeHtml } from '../../text/sanitize.ts';
import { textLang } from '../../text/text-lang.ts';
import { findPreferredCitation } from '../object/object-context.ts';

/** What precedes the contents. */
export interface FrontMatter {
  /** HTML. */
  description: string | undefined;
  /** The description's language, if it is not the page's: a BCP 47 tag. */
  lang: string | undefined;
  fields: FieldRows;
  /** That of an ancestor, if the record does not state its own among its fields. */
  preferredCitation: string | undefined;
  /** When the record was harvested, in a sentence. */
  receivedNotice: string | undefined;
}

/** Returns what precedes the contents of a record. */
export function createFrontMatter({ record, receivedAt }: ObjectContent, entry: ObjectEntry, site: Site): FrontMatter {
  const path = contentsPath(entry.id);
  const linkedPages = findLinkedPages(entry.linkTargets, site);
  const resolve = createLinkResolver(path, (href) => linkedPages.get(href));
  const known = new Set(entry.mentions.filter(site.relations.has));
  return {
    description: record.description && toSafeHtml(record.description, resolve),
    lang: textLang(record.description, site, entry),
    fields: createFieldRows(record, entry, { path, known, resolve, site }),
    preferredCitation: entry.preferredCitation === undefined ? findPreferredCitation(entry, site) : undefined,
    receivedNotice: receivedAt && site.locale.t.object.harvestedOn(site.locale.formatDate(receivedAt)),
  };
}
