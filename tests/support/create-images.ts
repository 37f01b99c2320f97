/** The derivatives of one image. */
import { createDerivatives } from '../../src/derivatives/image-derivatives.ts';
import type { ShownFile } from '../../src/derivatives/shown-files.ts';
import { sha256OfFile } from '../../src/snapshot/directory-files.ts';
import { createTestDirectory } from './commands.ts';

/** Creates the images of one file that records name by these URLs, of these kinds. */
export async function createImages(file: string, mimetype: string, named: ReadonlyArray<readonly [url: string, kind: string]>) {
  const sha256 = await sha256OfFile(file);
  const rows = named.map(([url, kind]) => ({ url, kind, owner: 'demo-org-1-1', file, sha256, mimetype }) as ShownFile);
  return createDerivatives(rows, { cacheDirectory: createTestDirectory(), format: 'webp', imagesByRecord: [] });
}
