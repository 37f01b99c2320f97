/** A finding aid's view model: the contents of a collection, organization or repository, with what is directly below each. */
import type { ListedEntry, ObjectEntry } from '../../../catalogue/entries.ts';
import { contentsPath, objectPath } from '../../../catalogue/urls.ts';
import { isAboveItems } from '../../../model/ids.ts';
import type { ObjectContent } from '../../content.ts';
import { shortTitle, shownTitle } from '../../fields/record-title.ts';
import { createFieldRows } from '../../parts/fields/object-fields.ts';
import { ancestorCrumbs, pageCount, pageSlice, recordCrumb } from '../../parts/frame/page-parts.ts';
import { createNoticeViews } from '../../parts/notices/notices.ts';
import type { Site } from '../../site.ts';
import { createLinkResolver, findLinkedPages } from '../../text/links.ts';
import { toSafeHtml } from '../../text/sanitize.ts';
import { textLang, titleLang } from '../../text/text-lang.ts';
import { findPreferredCitation } from '../object/object-context.ts';

/** One page of a finding aid. */
export type ContentsView = ReturnType<typeof createContentsView>;

/** Records shown below a record. */
const MAX_BELOW = 8;

/** Whether a record has a finding aid. */
export function hasFindingAid({ id, model }: ListedEntry, { relations }: Pick<Site, 'relations'>): boolean {
  return isAboveItems(model) && relations.children(id).length > 0;
}

/** Returns the number of pages of a record's finding aid; 0 if it has none. */
export function countContentsPages(entry: ListedEntry, site: Pick<Site, 'relations'>): number {
  return hasFindingAid(entry, site) ? pageCount(site.relations.children(entry.id).length) : 0;
}

/** Returns one page of a record's finding aid. */
export function createContentsView(entry: ListedEntry, page: number, site: Site) {
  const { relations, locale } = site;
  const { t } = locale;
  const children = relations.children(entry.id);
  const recordTitle = shownTitle(entry, locale);
  return {
    title: t.object.findingAidOf(recordTitle),
    trail: [...ancestorCrumbs(entry, site), recordCrumb(entry, site), { label: t.object.findingAid, path: undefined }],
    /** The ID of the record whose contents these are. */
    id: entry.id,
    recordTitle,
    notices: createNoticeViews(entry, site),
    /** How many records are directly below it, in words. */
    counts: countBelow(entry, site),
    /** The number of pages. */
    pages: pageCount(children.length),
    entries: pageSlice(children, page).map((child) => createEntry(child, site)),
  };
}

function createEntry(entry: ListedEntry, site: Site) {
  const children = site.relations.children(entry.id);
  const below = children.slice(0, MAX_BELOW);
  const rest = children.length - below.length;
  return {
    ...createLine(entry, site),
    /** The first records below it, without files; its own page has all of them. */
    below: below.map((record) => createLine(record, site)),
    /** That there are more of them, in words. */
    more: rest > 0 ? site.locale.t.object.more(rest) : undefined,
  };
}

/** Returns a record without what is below it. */
function createLine(entry: ListedEntry, site: Site) {
  const { formatRecordDate } = site.locale;
  const { id, date } = entry;
  const title = shortTitle(entry, site);
  return {
    id,
    path: objectPath(id),
    /** Of a segment below its interview, without the name of the interview. */
    title,
    /** The language of the title, if it is not the page’s: a BCP 47 tag. */
    lang: titleLang(entry, site, title),
    date: date && formatRecordDate(date),
    counts: countBelow(entry, site),
  };
}

/** Returns how many records of which kind are below a record, in words: “4 segments”. */
function countBelow({ id, model }: ListedEntry, { relations, locale }: Site): string[] {
  const { counts } = locale.t.object;
  const children = relations.children(id);
  const segments = isAboveItems(model) ? 0 : children.only('segment').length;
  const others = model === 'repository' ? counts.organization : model === 'organization' ? counts.collection : counts.item;
  const numbers = [
    [segments, counts.segment],
    [children.length - segments, others],
    [relations.files(id).length, counts.file],
  ] as const;
  return numbers.flatMap(([n, inWords]) => (n > 0 ? [inWords(n)] : []));
}

/** Returns what precedes the contents of a record. */
export function createFrontMatter({ record, receivedAt }: ObjectContent, entry: ObjectEntry, site: Site) {
  const path = contentsPath(entry.id);
  const linkedPages = findLinkedPages(entry.linkTargets, site);
  const resolve = createLinkResolver(path, (href) => linkedPages.get(href));
  const known = new Set(entry.mentions.filter(site.relations.has));
  return {
    /** HTML. */
    description: record.description && toSafeHtml(record.description, resolve),
    /** The description's language, if it is not the page's: a BCP 47 tag. */
    lang: textLang(record.description, site, entry),
    fields: createFieldRows(record, entry, { path, known, resolve, site }),
    /** That of an ancestor, if the record does not state its own among its fields. */
    preferredCitation: entry.preferredCitation === undefined ? findPreferredCitation(entry, site) : undefined,
    /** When the record was harvested, in a sentence. */
    receivedNotice: receivedAt && site.locale.t.object.harvestedOn(site.locale.formatDate(receivedAt)),
  };
}
