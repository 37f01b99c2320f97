/** The people and organizations that share records with someone. */
import type { EntryList } from '../../catalogue/entry-list.ts';
import type { PersonEntry } from '../../catalogue/person-entries.ts';
import { personPath } from '../../catalogue/urls.ts';
import type { Site } from '../site.ts';
import { personLabel } from './person-names.ts';

/** Someone who shares records with the person of a page. */
export interface Companion {
  label: string;
  path: string;
  /** How many records name both; undefined if not all records were read. */
  count: number | undefined;
}

const MAX_COMPANIONS = 8;
/** Of someone with more records, the first are read: the page is then made in about the same time. */
const MAX_RECORDS = 200;

/** Returns those who share most records with a person, in the records that the person created or is mentioned in. */
export function findCompanions(
  { slug }: Pick<PersonEntry, 'slug'>,
  lists: readonly EntryList[],
  { relations, locale }: Site,
): Companion[] {
  const ids = new Set(lists.flatMap((list) => list.slice(0, MAX_RECORDS).map(({ id }) => id)));
  const counts = new Map<string, number>();
  for (const id of ids) {
    const { creator = [], person = [] } = relations.entry(id)?.facets ?? {};
    const named = new Set([...creator, ...person].map((value) => value.slug));
    for (const other of named) if (other !== slug) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const isComplete = lists.every(({ length }) => length <= MAX_RECORDS);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .flatMap(([other, count]) => {
      const person = relations.person(other);
      return person
        ? [{ label: personLabel(person, { locale }), path: personPath(other), count: isComplete ? count : undefined }]
        : [];
    })
    .slice(0, MAX_COMPANIONS);
}
