/** Reads a sorted list that is divided into packs, each of which is loaded when it is first needed. */
import { cached } from '../cached.ts';
import { findPack, type Ranges } from '../pack-format.ts';

/** Returns the list in the packs of `ranges`. `loadText` returns the text of a pack, and `decode` its items. */
export function openSortedPacks<Item>(
  ranges: Ranges,
  loadText: (pack: string) => Promise<string>,
  decode: (text: string) => Item[],
) {
  const load = cached(ranges.length, async (pack) => decode(await loadText(pack)));
  return {
    /** Returns the items of all packs in which keys may begin with `prefix`; of the first `max` packs, if there are more. */
    async from(prefix: string, max?: number) {
      const firstPack = findPack(prefix, ranges);
      const first = ranges.findIndex(([, pack]) => pack === firstPack);
      const packs = ranges.slice(Math.max(0, first)).filter(([key], i) => i === 0 || key.startsWith(prefix));
      return (await Promise.all(packs.slice(0, max).map(([, pack]) => load(pack)))).flat();
    },
  };
}
