/** Chooses from related records those that are shown: one of each title, and first those of the same kind and decade. */
import type { ListedEntry, ObjectEntry } from '../../catalogue/entries.ts';
import { dateSortKey } from '../../model/dates/coverage.ts';
import { readDate } from '../../model/dates/read.ts';

const MAX_SHOWN = 6;

/** What is compared. */
type Compared = Pick<ListedEntry, 'title' | 'genre' | 'date'>;

/** A related record, with the number of related records of its title. */
export interface ChosenRecord<T> {
  related: T;
  count: number;
}

/** Returns the related records that a page shows. `all` are in their order: those that share most with `entry` come first. */
export function chooseRelated<T extends { entry: Compared }>(
  entry: Pick<ObjectEntry, 'title' | 'genre' | 'date'>,
  all: readonly T[],
): Array<ChosenRecord<T>> {
  const decade = decadeKey(entry);
  const rankOf = ({ entry: other }: T) =>
    (other.title === entry.title ? 4 : 0) -
    (other.genre === entry.genre ? 1 : 0) -
    (decade !== undefined && decadeKey(other) === decade ? 1 : 0);
  const ranked = all.map((related) => ({ related, rank: rankOf(related) })).sort((a, b) => a.rank - b.rank);
  const ofTitle = Map.groupBy(ranked, ({ related }) => related.entry.title);
  return [...ofTitle.values()].slice(0, MAX_SHOWN).flatMap((same) => {
    const [first] = same;
    return first ? [{ related: first.related, count: same.length }] : [];
  });
}

/** Returns the first three digits of the year; undefined without a date. */
function decadeKey({ date }: Compared): string | undefined {
  const reading = readDate(date);
  return typeof reading === 'object' ? dateSortKey(reading).slice(0, 3) : undefined;
}
