/** Reads the packs of a site. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPack, type PackEntry, readPack } from '../../src/publish/packs/pack-writer.ts';

/** Returns all entries of the packs that `writePacks` wrote into a directory. */
export function* readPacks(directory: string): Generator<PackEntry> {
  for (const file of readdirSync(directory).sort())
    if (isPack(file)) yield* readPack(readFileSync(join(directory, file), 'utf8'));
}
