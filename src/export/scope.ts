/** What an export is limited to, for the texts in packages. */
import type { VisibleStore } from '../catalogue/read/visible-store.ts';
import type { Withholding } from '../catalogue/read/withholding.ts';
import { purgedIds } from '../snapshot/purged.ts';
import { readPackagedLists, type WithheldFile } from '../snapshot/withheld-file.ts';

/** What a package does not have of its snapshot. */
export interface ExportScope {
  /** IDs of the only collections that it has, sorted; undefined for all. */
  collections: readonly string[] | undefined;
  /** Whether the archive withholds something, or something was purged. */
  hasWithheld: boolean;
  /** What the archive withholds, without its names. */
  withheld?: WithheldFile | undefined;
}

/** Returns the scope of an export. */
export function scopeOf(
  store: VisibleStore,
  { records, fields, fieldsBelow, persons }: Withholding,
  collections: readonly string[] | undefined,
): ExportScope {
  const shown = collections && [...new Set(collections)].filter((id) => !store.filter.hides('object', id)).sort();
  return {
    collections: shown,
    hasWithheld:
      records.size + fields.size + fieldsBelow.size + persons.length > 0 ||
      purgedIds(store).length + readPackagedLists(store).length > 0,
  };
}

/** Whether a package has everything of its snapshot. */
export const isWhole = ({ collections, hasWithheld }: ExportScope): boolean => collections === undefined && !hasWithheld;

/** Returns sentences on what a package does not have; empty if it has everything. */
export function describeScope({ collections, hasWithheld }: ExportScope): string {
  return [
    ...(collections === undefined ? [] : [onlyCollections(collections)]),
    ...(hasWithheld ? ['What the archive withholds is left out.'] : []),
  ].join(' ');
}

function onlyCollections(ids: readonly string[]): string {
  return ids.length === 1 ? `Only the collection ${ids[0]} is included.` : `Only the collections ${ids.join(', ')} are included.`;
}

/** Returns the same for a package with the bodies of responses. */
export function describeBodies(scope: ExportScope): string {
  return isWhole(scope) ? '' : `${describeScope(scope)} Some bodies are redacted.`;
}

/** Returns the beginning of a sentence on a package without private records. */
export function publishedContent(scope: ExportScope): string {
  return isWhole(scope) ? 'Everything that the archive publishes' : 'What the archive publishes';
}

/** For the README of a package with the bodies of responses. */
export const PRIVATE_RECORDS =
  'It may contain records that the archive does not publish. Contact the archive before you share it.';

const MAX_LINE = 140;

/** Returns the text with line breaks between words. The lines after the first are indented. */
export function wrap(text: string, maxLength = MAX_LINE, indent = ''): string {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/)) {
    if (current !== '' && current.length + word.length + 1 > maxLength) {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}
