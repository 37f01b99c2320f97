/** Reads a sorted list that is divided into packs, each of which is loaded when it is first needed. */
import { cached } from './cached.ts';
import { findPack, type Ranges } from './pack-format.ts';

/** A sorted list in packs. All functions reject if a pack cannot be loaded; the next call tries again. */
export interface SortedPacks<Item> {
  /** Returns the items of the pack in which those with a key are. */
  at(key: string): Promise<Item[]>;
  /** Returns the items of all packs in which keys may begin with `prefix`; of the first `max` packs, if there are more. */
  from(prefix: string, max?: number): Promise<Item[]>;
  /** Returns all items. */
  all(): Promise<Item[]>;
}

/** Returns the list in the packs of `ranges`. `loadText` returns the text of a pack, and `decode` its items. */
export function openSortedPacks<Item>(
  ranges: Ranges,
  loadText: (pack: string) => Promise<string>,
  decode: (text: string) => Item[],
): SortedPacks<Item> {
  const load = cached(ranges.length, async (pack) => decode(await loadText(pack)));
  const loadAll = async (packs: Ranges) => (await Promise.all(packs.map(([, pack]) => load(pack)))).flat();
  return {
    async at(key) {
      const pack = findPack(key, ranges);
      return pack === undefined ? [] : load(pack);
    },
    from(prefix, max) {
      const firstPack = findPack(prefix, ranges);
      const first = ranges.findIndex(([, pack]) => pack === firstPack);
      const packs = ranges.slice(Math.max(0, first)).filter(([key], i) => i === 0 || key.startsWith(prefix));
      return loadAll(packs.slice(0, max));
    },
    all: () => loadAll(ranges),
  };
}
