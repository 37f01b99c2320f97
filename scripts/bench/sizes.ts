/** Makes derivatives of images as the build does. Arguments: target directory, names of sizes, and the image files. */
import { hash } from 'node:crypto';
import PQueue from 'p-queue';
import { createCache } from '../../src/derivatives/cache.ts';
import { makeSizes, onePictureACore, type SizeName } from '../../src/derivatives/derivatives.ts';
import { createScale } from '../../src/derivatives/scale.ts';
import { createSizes } from '../../src/derivatives/sizes.ts';
import { PICTURES_AT_ONCE } from '../../src/derivatives/threads.ts';

const [to = '', sizes = '', ...files] = process.argv.slice(2);
const work = {
  cache: createCache(to),
  sizes: createSizes(to),
  scale: createScale(),
  format: 'webp' as const,
  result: { made: 0 },
};
onePictureACore();
const queue = new PQueue({ concurrency: PICTURES_AT_ONCE });
await queue.addAll(
  files.map((file) => () => {
    const source = { sha256: hash('sha256', file), mimetype: 'image/jpeg' };
    return makeSizes(file, source, work, sizes.split(',') as SizeName[]);
  }),
);
