import { type PackEntry, writePack, writePacks } from '../../src/publish/packs/pack-writer.ts';

/** Writes entries, in any order, into packs of about `size` bytes. */
export function writeAllPacks(out: string, entries: readonly PackEntry[], size: number): void {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const sized = sorted.map((entry) => ({ ...entry, length: entry.data.length }));
  writePacks(out, sized, size, (pack, own) => writePack(out, pack, own));
}
