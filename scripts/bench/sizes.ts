/** Makes the sizes of every picture of a folder, as the build does. Arguments: the folder, where to, and which sizes. */
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { createCache } from '../../src/media/cache.ts';
import { makeSizes, onePictureACore, type SizeName } from '../../src/media/derivatives.ts';
import { createSizes } from '../../src/media/sizes.ts';
import { PICTURES_AT_ONCE } from '../../src/media/threads.ts';

const [from = '', to = '', ...sizes] = process.argv.slice(2);
const work = { cache: createCache(to), sizes: createSizes(to), format: 'webp' as const, result: { made: 0 } };
onePictureACore();
const queue = new PQueue({ concurrency: PICTURES_AT_ONCE });
await queue.addAll(
  readdirSync(from).map((name) => () => {
    const source = { sha256: hash('sha256', name), mimetype: 'image/jpeg' };
    return makeSizes(join(from, name), source, work, sizes as SizeName[]);
  }),
);
