/** Where a record is in the archive: its parent and ancestors, as it declares them or as its ID shows. */
import { isFileRole, isObjectId, itemOfFileRole, parseId } from './ids.ts';
import type { ArchivalRecord } from './records.ts';

/**
 * Returns the IDs from the collection down to the record itself, from its breadcrumbs, or from the form of its ID if it has none.
 * File roles are left out.
 */
export function idsFromCollection(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string[] {
  const fromCrumbs = record.breadcrumbs.map((crumb) => crumb.id).filter((id) => id !== record.id && !isFileRole(id));
  if (fromCrumbs.length > 0) return [...fromCrumbs, record.id];
  const chain = [record.id];
  let next = isObjectId(record.parent_id) ? itemOfFileRole(record.parent_id) : parseId(record.id).parent;
  while (next && next.split('-').length >= 3 && !chain.includes(next)) {
    chain.unshift(next);
    next = parseId(next).parent;
  }
  return chain;
}

/**
 * Returns the ID of the parent: as the record declares it, else from its breadcrumbs, else from the form of its ID. A file role
 * is replaced by its item.
 */
export function parentOf(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string | undefined {
  if (isObjectId(record.parent_id) && record.parent_id !== record.id) return itemOfFileRole(record.parent_id);
  const chain = idsFromCollection(record);
  return chain.length > 1 ? chain[chain.length - 2] : parseId(record.id).parent;
}

/**
 * Returns the IDs of a record's ancestors: from its breadcrumbs, its parent and the form of its ID. Ancestors further up may be
 * named only in the records of these.
 */
export function ancestorIds(record: Pick<ArchivalRecord, 'id' | 'breadcrumbs' | 'parent_id'>): string[] {
  const ancestors = [...idsFromCollection(record), parentOf(record) ?? '', ...ancestorIdsByShape(record.id)];
  return [...new Set(ancestors)].filter((id) => id !== record.id && isObjectId(id));
}

/** Returns the parent's ID by the form of an ID, as a list; empty for a repository. Further ancestors follow from the parent. */
export function ancestorIdsByShape(id: string): string[] {
  const { parent } = parseId(id);
  return parent === undefined ? [] : [parent];
}

/** Returns the file role in a record's breadcrumbs, such as `mezzanine`, between its item and itself, or undefined. */
export function fileRoleAbove(record: Pick<ArchivalRecord, 'breadcrumbs'>): string | undefined {
  const role = record.breadcrumbs.findLast((crumb) => isFileRole(crumb.id));
  return role && parseId(role.id).role;
}
