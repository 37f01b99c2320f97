/** Selects the failures of a harvest that the site may name without revealing anything that is withheld. */

import { ancestorIdsByShape } from '../../model/ancestors.ts';
import { isObjectId } from '../../model/ids.ts';
import type { Failure } from '../../snapshot/read.ts';

/** Names of withheld resources. */
export interface WithheldNames {
  /** IDs of withheld records. */
  objects: ReadonlySet<string>;
  /** Names of unpublished authors. */
  authors: ReadonlySet<string>;
}

/**
 * Returns the failures that reveal nothing withheld. Leaves out withheld records and authors, the lists of such records,
 * everything below them, and all resources that have one of these as their referrer.
 */
export function publishableFailures(failures: readonly Failure[], withheld: WithheldNames): Failure[] {
  const isWithheld = (kind: string, name: string): boolean => {
    if (kind === 'author') return withheld.authors.has(name);
    if (kind !== 'object' && kind !== 'children' && kind !== 'files') return false;
    return idWithAncestors(name).some((id) => withheld.objects.has(id));
  };
  return failures.filter(({ kind, name, referrer }) => {
    const [, referringKind = '', referringName = ''] = /^([a-z]+):(.*?)(?:\?limit=\d+&offset=\d+)?$/s.exec(referrer ?? '') ?? [];
    return !isWithheld(kind, name) && !isWithheld(referringKind, referringName);
  });
}

/** Returns an ID and all of its ancestors, by the form of the ID. */
function idWithAncestors(id: string): string[] {
  return isObjectId(id) ? [id, ...ancestorIdsByShape(id).flatMap(idWithAncestors)] : [id];
}
