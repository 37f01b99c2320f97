/** The citations on a record's page. */
import type { ListedEntry } from '../../../catalogue/entries.ts';
import { errorMessage } from '../../../catalogue/page-problems.ts';
import { titleOf } from '../../../catalogue/read/object-entries.ts';
import type { CitationStyle } from '../../../formats/citation-styles.ts';
import type { ArchivalRecord } from '../../../model/records.ts';
import { truncateWords } from '../../../model/text/text.ts';
import { type Citations, createCitations } from '../../citation/citation.ts';
import { CITED_MODELS } from '../../citation/item.ts';
import { wordingOf } from '../../citation/wording.ts';
import type { ObjectContext } from '../../pages/object/object-context.ts';
import type { Site } from '../../site.ts';

/** Characters of a title in a citation. */
const MAX_CITED_TITLE = 500;

/** A citation on a page. */
export interface PageCitation {
  style: CitationStyle;
  /** The style, as the page names it. */
  label: string;
  text: string;
}

/**
 * Returns the citations of a record; none for models without citations. The one that the archive prefers for the record is the
 * first; one that it states for an ancestor does not name the record, so that it is the second. `defects` are those that are only
 * plain ones, for the report of a build.
 */
export function createObjectCitations(
  record: ArchivalRecord,
  receivedAt: string | undefined,
  url: string | undefined,
  { entry, trail, preferredCitation }: { entry: ListedEntry } & Pick<ObjectContext, 'trail' | 'preferredCitation'>,
  { facts, locale }: Pick<Site, 'facts' | 'locale'>,
) {
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
  const styles = toPageCitations(texts);
  const preferred: PageCitation[] =
    preferredCitation === undefined ? [] : [{ style: 'preferred', label: locale.t.object.preferred, text: preferredCitation }];
  const before = entry.preferredCitation === undefined ? 1 : 0;
  return {
    citations: [...styles.slice(0, before), ...preferred, ...styles.slice(before)],
    defects: problems.map(({ style, error }) => `its ${style} citation is a plain one: ${errorMessage(error)}`),
  };
}

/** Returns citations as a page shows them: styles and formats have the same names in all languages. */
export function toPageCitations(texts: Citations['texts']): PageCitation[] {
  return texts.map(([style, text]) => ({ style, label: style, text }));
}
