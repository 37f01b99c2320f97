/** Which failures of a harvest the site may name: none that would tell of something withheld. */
import { isObjectId } from '../model/ids.ts';
import { idsAboveByShape } from '../model/records.ts';
import type { Failure } from '../snapshot/read.ts';

export interface WithheldNames {
  /** Ids of records that are withheld. */
  objects: ReadonlySet<string>;
  /** Authors whose entries are not published. */
  authors: ReadonlySet<string>;
}

/** The failures that have nothing to do with a withheld record or author: not its own, not its lists, not its parts, and not what it alone is known to name. */
export function nameable(failures: readonly Failure[], withheld: WithheldNames): Failure[] {
  const isWithheld = (kind: string, name: string): boolean => {
    if (kind === 'author') return withheld.authors.has(name);
    if (kind !== 'object' && kind !== 'children' && kind !== 'files') return false;
    return chainOf(name).some((id) => withheld.objects.has(id));
  };
  return failures.filter(({ kind, name, referrer }) => {
    const [, referringKind = '', referringName = ''] = /^([a-z]+):(.*?)(?:\?limit=\d+&offset=\d+)?$/s.exec(referrer ?? '') ?? [];
    return !isWithheld(kind, name) && !isWithheld(referringKind, referringName);
  });
}

/** An id and those above it by its shape. */
function chainOf(id: string): string[] {
  return isObjectId(id) ? [id, ...idsAboveByShape(id).flatMap(chainOf)] : [id];
}
