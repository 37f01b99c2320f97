/** The view model of a finding aid: the contents of a collection, organization or repository as a tree of two levels. */
import type { ListedEntry } from '../../catalogue/entries.ts';
import { contentsPath, objectPath } from '../../catalogue/urls.ts';
import { isAboveItems } from '../../model/ids.ts';
import type { Locale } from '../language/locale.ts';
import { shownTitle } from '../record-title.ts';
import type { Site } from '../site.ts';
import { ancestorCrumbs, type PageHead, pageCount, pageSlice, recordCrumb } from './page-parts.ts';
import type { Branch } from './tree.ts';

/** One page of a finding aid. */
export interface ContentsView extends PageHead {
  /** The ID of the record whose contents these are. */
  id: string;
  recordTitle: string;
  /** The number of records directly below it. */
  count: number;
  /** From 1. */
  page: number;
  /** The number of pages. */
  pages: number;
  branches: Branch[];
}

/** Records shown below a child. The child's own page has the others. */
const MAX_BELOW = 8;

/** Whether a record has a finding aid. */
export function hasTree({ id, model }: ListedEntry, { relations }: Pick<Site, 'relations'>): boolean {
  return isAboveItems(model) && relations.children(id).length > 0;
}

/** Returns the page numbers of a record's finding aid; none if it has no finding aid. */
export function treePages(entry: ListedEntry, site: Pick<Site, 'relations'>): number[] {
  if (!hasTree(entry, site)) return [];
  return Array.from({ length: pageCount(site.relations.children(entry.id).length) }, (_, i) => i + 1);
}

/** Returns one page of a record's finding aid. */
export function createContentsView(entry: ListedEntry, page: number, site: Site): ContentsView {
  const { relations, locale } = site;
  const { t } = locale;
  const children = relations.children(entry.id);
  const recordTitle = shownTitle(entry, t);
  return {
    path: contentsPath(entry.id, page),
    title: t.object.findingAidOf(recordTitle),
    description: t.object.findingAidOf(recordTitle),
    trail: [...ancestorCrumbs(entry, site), recordCrumb(entry, site), { label: t.object.findingAid, path: undefined }],
    id: entry.id,
    recordTitle,
    count: children.length,
    page,
    pages: pageCount(children.length),
    branches: pageSlice(children, page).map((child) => createBranch(child, site)),
  };
}

function createBranch(entry: ListedEntry, { relations, locale }: Site): Branch {
  const [children, files] = [relations.children(entry.id), relations.files(entry.id)];
  const count = children.length + files.length;
  const below = [...children.slice(0, MAX_BELOW), ...files.slice(0, Math.max(0, MAX_BELOW - children.length))];
  const listed = below.map((record) => createLeaf(record, relations.children(record.id).length, locale));
  const more = count - listed.length;
  const rest = more > 0 ? [{ ...createLeaf(entry, 0, locale), note: undefined, label: locale.t.object.more(more) }] : [];
  return { ...createLeaf(entry, count, locale), branches: [...listed, ...rest] };
}

function createLeaf(entry: ListedEntry, count: number, { t, formatListedDate }: Locale): Branch {
  const { id, model, role, date } = entry;
  const title = shownTitle(entry, t);
  const label = role === undefined ? title : `${title} (${role})`;
  const isFile = model === 'file' ? { isFile: true } : {};
  return { label, path: objectPath(id), count, branches: [], note: date && formatListedDate(date), ...isFile };
}
