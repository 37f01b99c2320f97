/** What a collection (or what stands above one) contains, as a tree: each part with what is below it. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import { contentsPath, objectPath } from '../../catalogue/urls.ts';
import type { Site } from '../site.ts';
import { crumbsAbove, type Page, pageCount, slice } from './page.ts';
import type { Branch } from './tree.ts';

export interface ContentsView extends Page {
  /** The object whose contents these are. */
  id: string;
  page: number;
  pages: number;
  branches: Branch[];
}

/** Parts of a part that the tree names; the rest stand on its own page. */
const MOST_BELOW = 8;

/** Models whose contents have a tree of their own. */
export function hasTree({ id, model }: ObjectEntry, { relations }: Pick<Site, 'relations'>): boolean {
  return ['repository', 'organization', 'collection'].includes(model) && relations.children(id).length > 0;
}

/** The numbers of the pages of an object's tree; none for what has no tree. */
export function treePages(entry: ObjectEntry, site: Pick<Site, 'relations'>): number[] {
  if (!hasTree(entry, site)) return [];
  return Array.from({ length: pageCount(site.relations.children(entry.id).length) }, (_, i) => i + 1);
}

export function contentsView(entry: ObjectEntry, page: number, site: Site): ContentsView {
  const { relations, edition: locale } = site;
  const { t } = locale;
  const children = relations.children(entry.id);
  return {
    path: contentsPath(entry.id, page),
    title: t.object.findingAidOf(entry.title),
    description: t.object.findingAidOf(entry.title),
    trail: [
      ...crumbsAbove(entry, relations),
      { label: entry.title, path: objectPath(entry.id) },
      { label: t.object.findingAid, path: undefined },
    ],
    id: entry.id,
    page,
    pages: pageCount(children.length),
    branches: slice(children, page).map((child) => branchOf(child, site)),
  };
}

function branchOf(entry: ObjectEntry, { relations, edition: locale }: Site): Branch {
  const below = [...relations.children(entry.id), ...relations.files(entry.id)];
  const named = below.slice(0, MOST_BELOW).map((part) => leaf(part, relations.children(part.id).length));
  const more = below.length - named.length;
  const rest = more > 0 ? [{ ...leaf(entry, 0), label: locale.t.object.more(more) }] : [];
  return { ...leaf(entry, below.length), branches: [...named, ...rest] };
}

function leaf({ id, title, role }: ObjectEntry, count: number): Branch {
  return { label: role === undefined ? title : `${title} (${role})`, path: objectPath(id), count, branches: [] };
}
