/** Makes derivatives of images as the build does. Arguments: target directory, names of sizes, and the image files. */
import { hash } from 'node:crypto';
import pMap from 'p-map';
import { createDerivativeCache } from '../../src/derivatives/derivative-cache.ts';
import { limitSharpConcurrency } from '../../src/derivatives/image-derivatives.ts';
import { createImageSizes } from '../../src/derivatives/image-sizes.ts';
import { createResizedImages, type SizeName } from '../../src/derivatives/resized-images.ts';
import { MAX_CONCURRENT_IMAGES } from '../../src/derivatives/thread-pool.ts';

const [to = '', sizes = '', ...files] = process.argv.slice(2);
const work = {
  cache: createDerivativeCache(to),
  sizes: createImageSizes(to),
  format: 'webp' as const,
  result: { newCount: 0 },
};
limitSharpConcurrency();
const resize = (file: string) => {
  const source = { sha256: hash('sha256', file), mimetype: 'image/jpeg' };
  return createResizedImages(file, source, work, sizes.split(',') as SizeName[]);
};
await pMap(files, resize, { concurrency: MAX_CONCURRENT_IMAGES });
