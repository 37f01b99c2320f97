/** The citations on a record's page. */
import { titleOf } from '../../catalogue/object-entries.ts';
import { errorMessage } from '../../catalogue/page-problems.ts';
import type { ArchivalRecord } from '../../model/records.ts';
import { truncateWords } from '../../model/text.ts';
import { createCitations } from '../citation/citation.ts';
import { wordingOf } from '../citation/wording.ts';
import type { Site } from '../site.ts';
import { CITED_MODELS, type ObjectContext } from './object-context.ts';

/** Characters of a title in a citation. */
const MAX_CITED_TITLE = 500;

/** Citations, and those that are only plain ones, as clauses for the report of a build. */
export interface ObjectCitations {
  citations: Array<{ style: string; text: string }>;
  defects: string[];
}

/**
 * Returns the citations of a record; none for models without citations. The one that the archive prefers for the record is the first; one that it
 * states for an ancestor does not name the record, so that it is the second.
 */
export function createObjectCitations(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  url: string | undefined,
  { entry, trail, preferredCitation }: Pick<ObjectContext, 'entry' | 'trail' | 'preferredCitation'>,
  { facts, locale }: Pick<Site, 'facts' | 'locale'>,
): ObjectCitations {
  if (!CITED_MODELS.has(entry.model)) return { citations: [], defects: [] };
  const cited = {
    record,
    title: truncateWords(titleOf(record), MAX_CITED_TITLE),
    archive: facts.title,
    collection: entry.model === 'collection' ? undefined : trail[1]?.label,
    url,
    accessed: receivedAt,
  };
  const { texts, problems } = createCitations(cited, wordingOf(locale));
  const styles = texts.map(([style, text]) => ({ style, text }));
  const preferred = preferredCitation === undefined ? [] : [{ style: locale.t.object.preferred, text: preferredCitation }];
  const before = entry.preferredCitation === undefined ? 1 : 0;
  return {
    citations: [...styles.slice(0, before), ...preferred, ...styles.slice(before)],
    defects: problems.map(({ style, error }) => `its ${style} citation is a plain one: ${errorMessage(error)}`),
  };
}
