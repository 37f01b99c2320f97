/** What every page has: its own address, its title, and the trail that leads to it. */
import type { ObjectEntry } from '../../catalogue/entries.ts';
import type { Relations } from '../../catalogue/relations.ts';
import { objectPath } from '../../catalogue/urls.ts';
import type { Edition } from '../language/edition.ts';

export interface Crumb {
  label: string;
  /** Undefined for the page itself, and for what has no page. */
  path: string | undefined;
}

/** What stands above an object, from the collection down; linked where it has a page. A file role is text. */
export function crumbsAbove(
  { ancestors, fileRoleAbove }: Pick<ObjectEntry, 'ancestors' | 'fileRoleAbove'>,
  { object }: Pick<Relations, 'object'>,
): Crumb[] {
  const crumbs = ancestors.map((id): Crumb => {
    const ancestor = object(id);
    return { label: ancestor?.title ?? id, path: ancestor && objectPath(id) };
  });
  return fileRoleAbove === undefined ? crumbs : [...crumbs, { label: fileRoleAbove, path: undefined }];
}

/** What a page says at its top where the living archive has no longer what it shows; nothing where it has. */
export function goneNotices(goneAt: string | undefined, { t, date }: Edition): string[] {
  return goneAt === undefined ? [] : [t.object.removed(date(goneAt))];
}

export interface Page {
  path: string;
  title: string;
  /** Plain text for the description tag. */
  description: string;
  trail: Crumb[];
}

/** Entries on one page of a list. */
export const PAGE_SIZE = 50;

/** One page of a longer list. */
export interface Paging {
  /** From 1. */
  number: number;
  count: number;
  /** Address of the page with a number. */
  at: (number: number) => string;
}

export function pageCount(entries: number): number {
  return Math.max(1, Math.ceil(entries / PAGE_SIZE));
}

export function slice<T>(entries: T[], page: number): T[] {
  return entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
}

/** The numbers of the pages after the first. */
export function furtherPages(pages: number): number[] {
  return Array.from({ length: pages - 1 }, (_, i) => i + 2);
}
