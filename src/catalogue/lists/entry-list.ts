/** Lists of records that are not in memory: entries are read when they are needed. */
import type { Model } from '../../model/ids.ts';
import type { ListedEntry } from '../entries.ts';

/** A list of records. */
export interface EntryList extends Iterable<ListedEntry> {
  readonly length: number;
  /** Returns the entries from a position, to before another one or to the end. */
  slice(from: number, to?: number): ListedEntry[];
  only(model: Model): EntryList;
  except(model: Model): EntryList;
  /** Returns the records that name media files. */
  withMedia(): EntryList;
  /** Returns the position of a record, by its ID; -1 if the list does not have it. */
  indexOf(id: string): number;
}

/** What lists need of a catalogue. Each record has a number. */
export interface NumberedEntries {
  entry(number: number): ListedEntry;
  numberOf(id: string): number | undefined;
  modelOf(number: number): Model;
  hasMedia(number: number): boolean;
}

/** Returns the list of the records with these numbers. */
export function createEntryList(numbers: Uint32Array, entries: NumberedEntries): EntryList {
  const select = (isSelected: (number: number) => boolean) => createEntryList(numbers.filter(isSelected), entries);
  return {
    length: numbers.length,
    slice: (from, to) => Array.from(numbers.subarray(from, to), entries.entry),
    only: (model) => select((number) => entries.modelOf(number) === model),
    except: (model) => select((number) => entries.modelOf(number) !== model),
    withMedia: () => select(entries.hasMedia),
    indexOf(id) {
      const number = entries.numberOf(id);
      return number === undefined ? -1 : numbers.indexOf(number);
    },
    *[Symbol.iterator]() {
      for (const number of numbers) yield entries.entry(number);
    },
  };
}
