/** Lists the records that changed, with their titles. */
import { createVisibleStore } from '../../catalogue/visible-store.ts';
import type { Withholding } from '../../catalogue/withholding.ts';
import { readArticle, readSource } from '../../model/guide.ts';
import { parseRecord } from '../../model/records.ts';
import type { ResourceKind } from '../../model/resources.ts';
import { toPlainText, truncateWords } from '../../model/text.ts';
import { changesSince } from '../../snapshot/changes.ts';
import { readPayload } from '../../snapshot/read.ts';
import type { Store } from '../../snapshot/store.ts';
import { type ChangedRecord, type Listed, type ListedChanges, MAX_LISTED } from './update-report.ts';

/**
 * Returns what changed since a time (ISO 8601 in UTC). A report may be sent on: titles of records that are withheld or that the archive does not
 * publish are left out.
 */
export function listChanges(store: Store, since: string, withholding: Withholding): ListedChanges {
  const changes = changesSince(store, since);
  const visible = createVisibleStore(store, { withholding, publicOnly: true });
  const list = (keys: readonly string[]): Listed<ChangedRecord> => ({
    count: keys.length,
    first: keys.slice(0, MAX_LISTED).map((key) => ({ key, title: readTitle(visible, key) || null })),
  });
  return {
    since,
    new: list(changes.new),
    changed: list(changes.changed),
    restored: list(changes.returned),
    removed: list(changes.gone),
  };
}

/** Maximum characters of a title. */
const MAX_TITLE_LENGTH = 300;

/** Returns the title of a resource; undefined or empty if it has none, or if it is not visible. */
function readTitle(store: Store, key: string): string | undefined {
  const colon = key.indexOf(':');
  const [kind, name] = [key.slice(0, colon) as ResourceKind, key.slice(colon + 1)];
  const payload = readPayload(store, kind, name);
  if (payload === undefined) return undefined;
  const title =
    kind === 'object'
      ? parseRecord(payload)?.title
      : kind === 'article'
        ? readArticle(payload)?.title
        : kind === 'source'
          ? readSource(payload)?.caption
          : name;
  return title && truncateWords(toPlainText(title), MAX_TITLE_LENGTH);
}
