/** Makes the sizes of every picture of a folder, as the build does. Arguments: the folder, where to, and which sizes. */
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { createCache } from '../../src/media/cache.ts';
import { makeSizes, type SizeName } from '../../src/media/derivatives.ts';
import { createSizes } from '../../src/media/sizes.ts';

const [from = '', to = '', ...sizes] = process.argv.slice(2);
const work = { cache: createCache(to), sizes: createSizes(to), format: 'webp' as const, result: { made: 0 } };
sharp.concurrency(1);
const queue = new PQueue({ concurrency: availableParallelism() });
await queue.addAll(
  readdirSync(from).map((name) => () => {
    const source = { sha256: hash('sha256', name), mimetype: 'image/jpeg' };
    return makeSizes(join(from, name), source, work, sizes as SizeName[]);
  }),
);
