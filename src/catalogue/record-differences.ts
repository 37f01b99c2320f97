/** Notes what differs between a catalogue and the earlier one in the same file, record by record. */
import { objectFileName } from '../platform/portability.ts';
import { FACETS, type Facet } from './facets.ts';
import { READS } from './read-keys.ts';
import { parseFacets, type RecordColumns } from './record-rows.ts';

/** Numbers of records that a site shows now and did not show before, that it shows differently, and that it does not show any more. */
export interface RecordChanges {
  added: number;
  changed: number;
  removed: number;
}

/** Lists of a catalogue that may differ from those of the earlier one. */
export type Differing = Facet | 'siblings' | 'narrators' | 'livePages' | 'positions';

/** The columns of a record in the earlier catalogue, and of its people, which are null if it names none. */
export type EarlierRow = RecordColumns & { number: number; named: string | null; identified: string | null };

/** What differs from the earlier catalogue. Of a new file, nothing is compared. */
export interface Differences {
  /** The keys of reads whose results differ. */
  changed: Set<string>;
  /** Compares a record, except its people. `row` is undefined for a new record. Returns whether its row has to be written. */
  compare(id: string, row: EarlierRow | undefined, now: RecordColumns): boolean;
  /** Notes the number of a record that was compared. */
  noteNumber(number: number, row: EarlierRow | undefined, now: RecordColumns): void;
  /** Whether lists with a record may differ even if they have the same numbers: it is new, or lists select it by something that differs. */
  isListedDifferently(number: number): boolean;
  /** Notes that a record shows other people than before. */
  notePeople(id: string): void;
  /** Notes that a record shows a place on another page than before. */
  notePlace(id: string): void;
  /** Notes a record that is removed. It may have been added since the earlier catalogue. */
  noteRemoved(id: string, row: EarlierRow): void;
  /** Whether the order of records may differ, or what is known of them by number. */
  isReordered(): boolean;
  /** Whether a list may differ: any, if a record is listed differently. */
  differs(list: Differing): boolean;
  changes(): RecordChanges;
}

/** Begins a comparison. `isNew`: nothing was in the file before. */
export function createDifferences(isNew: boolean): Differences {
  const [changed, differing] = [new Set<string>(), new Set<Differing>()];
  const [added, altered] = [new Set<string>(), new Set<string>()];
  let removedCount = 0;
  const listedDifferently = new Set<number>();

  function noteChanged(id: string): void {
    if (!added.has(id)) altered.add(id);
    changed.add(READS.entry(id));
  }

  function noteListsOfPeople(): void {
    for (const list of ['creator', 'person', 'narrators'] as const) differing.add(list);
  }

  return {
    changed,
    compare(id, row, now) {
      if (isNew) return true;
      if (!row) {
        added.add(id);
        changed.add(READS.has(id)).add(READS.page(now.page)).add(READS.entry(id)).add(READS.listed(id));
        return true;
      }
      for (const list of differingLists(row, now)) differing.add(list);
      if (now.listed !== row.listed) changed.add(READS.listed(id));
      if (now.listed === row.listed && now.own === row.own && now.facets === row.facets) return false;
      noteChanged(id);
      return true;
    },
    noteNumber(number, row, now) {
      if (!isNew && isSelectedDifferently(row, now)) listedDifferently.add(number);
    },
    isListedDifferently: (number) => listedDifferently.has(number),
    notePeople(id) {
      if (isNew) return;
      noteListsOfPeople();
      noteChanged(id);
    },
    notePlace(id) {
      if (!isNew) noteChanged(id);
    },
    noteRemoved(id, row) {
      if (isNew || added.delete(id)) return;
      altered.delete(id);
      removedCount++;
      differing.add('siblings').add('livePages');
      if (row.positions !== null) differing.add('positions');
      if (row.named !== null) noteListsOfPeople();
      for (const facet of Object.keys(parseFacets(row.facets))) differing.add(facet as Facet);
      changed
        .add(READS.entry(id))
        .add(READS.listed(id))
        .add(READS.has(id))
        .add(READS.page(objectFileName(id)));
    },
    isReordered: () => isNew || listedDifferently.size > 0 || removedCount > 0,
    differs: (list) => isNew || listedDifferently.size > 0 || differing.has(list),
    changes: () => ({ added: added.size, changed: altered.size, removed: removedCount }),
  };
}

/** Whether a record is new, or has another model or parent than before, or names media files and did not, or the other way round. */
function isSelectedDifferently(before: RecordColumns | undefined, now: RecordColumns): boolean {
  return before?.model !== now.model || before.parent !== now.parent || before.has_media !== now.has_media;
}

/** Yields the lists that differ because of one record. */
function* differingLists(before: RecordColumns, now: RecordColumns): Generator<Differing> {
  if (now.sort !== before.sort || now.parent !== before.parent || now.model !== before.model) yield 'siblings';
  if (now.live_url !== before.live_url || now.is_partial !== before.is_partial) yield 'livePages';
  if (now.positions !== before.positions) yield 'positions';
  if (now.facets === before.facets) return;
  const [earlier, current] = [parseFacets(before.facets), parseFacets(now.facets)];
  for (const facet of FACETS) if (JSON.stringify(earlier[facet]) !== JSON.stringify(current[facet])) yield facet;
}
