/** Makes the site's pictures from the snapshot's media: a thumbnail for lists and a larger one for the record's page, without their metadata. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { parseId } from '../model/ids.ts';
import { fileName } from '../model/portable.ts';
import { mediaRows, type StoredMedia } from '../snapshot/read.ts';
import type { Store } from '../snapshot/store.ts';

/** Edge lengths in pixels; a smaller picture is never enlarged. */
const SIZES = {
  thumb: { folder: 'thumbs', edge: 400, quality: 72 },
  page: { folder: 'media', edge: 1600, quality: 80 },
} as const;
type Size = keyof typeof SIZES;
/** A picture with more pixels is not opened. */
const MAX_PIXELS = 200_000_000;
/** Raised when the settings above change, so that nothing made by older ones is taken again. */
const RECIPE = 1;

export interface Derivative {
  /** Below dist. */
  path: string;
  width: number;
  height: number;
}

export interface Derivatives {
  /** By the address upstream. */
  pictures: Record<string, Record<Size, Derivative>>;
  /** What to put into dist: path below dist → file on disk. */
  files: Map<string, string>;
  problems: Array<{ url: string; owner: string; cause: string }>;
  /** How many had to be made anew. */
  made: number;
}

/** Makes every wanted picture that is not in the cache folder yet. A picture that cannot be read is a problem in the report, and no picture. */
export async function makeDerivatives(
  store: Store,
  cache: string,
  wanted: (row: StoredMedia) => boolean,
  onProgress?: (done: number, total: number) => void,
): Promise<Derivatives> {
  mkdirSync(cache, { recursive: true });
  const sizesFile = join(cache, 'sizes.json');
  const known = existsSync(sizesFile)
    ? (JSON.parse(readFileSync(sizesFile, 'utf8')) as Record<string, { width: number; height: number }>)
    : {};
  const rows = mediaRows(store).filter(
    (row) => row.state === 'stored' && row.path !== null && row.mimetype?.startsWith('image/') && wanted(row),
  );
  const result: Derivatives = { pictures: {}, files: new Map(), problems: [], made: 0 };
  const queue = new PQueue({ concurrency: availableParallelism() });
  const threads = sharp.concurrency();
  sharp.concurrency(1); // one picture a core outruns one picture on all cores
  let done = 0;
  for (const row of rows) {
    void queue.add(async () => {
      try {
        const thumb = await derive(row, 'thumb', join(store.dir, row.path as string), cache, known, result);
        const page = isSmall(thumb)
          ? thumb
          : await derive(row, 'page', join(store.dir, row.path as string), cache, known, result);
        result.pictures[row.url] = { thumb, page };
      } catch (error) {
        result.problems.push({ url: row.url, owner: row.owner, cause: reason(error) });
      }
      onProgress?.(++done, rows.length);
    });
  }
  await queue.onIdle();
  sharp.concurrency(threads);
  writeFileSync(sizesFile, JSON.stringify(known));
  result.pictures = Object.fromEntries(Object.entries(result.pictures).sort(([a], [b]) => (a < b ? -1 : 1)));
  result.problems.sort((a, b) => (a.url < b.url ? -1 : 1));
  return result;
}

/** A picture that was not made smaller for the list is no larger on its own page. */
function isSmall({ width, height }: Derivative): boolean {
  return Math.max(width, height) < SIZES.thumb.edge;
}

async function derive(
  row: StoredMedia,
  size: Size,
  source: string,
  cache: string,
  known: Record<string, { width: number; height: number }>,
  result: Derivatives,
): Promise<Derivative> {
  const { folder, edge, quality } = SIZES[size];
  const key = `${row.sha256}-${RECIPE}-${size}.webp`;
  const file = join(cache, key);
  let dimensions = existsSync(file) ? known[key] : undefined;
  if (!dimensions) {
    const { width, height } = await sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate() // as EXIF says; sharp leaves all metadata behind, and converts to sRGB
      .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
      .webp({ quality })
      .toFile(`${file}.part`);
    await rename(`${file}.part`, file);
    dimensions = { width, height };
    known[key] = dimensions;
    result.made++;
  }
  const path = `${folder}/${fileName(parseId(row.owner).collection ?? row.owner)}/${fileName(row.owner)}${row.kind === 'thumb' ? '.thumb' : ''}.webp`;
  result.files.set(path, file);
  return { path, ...dimensions };
}

function reason(error: unknown): string {
  return (error as Error).message.split('\n')[0]?.replace(/^Input file/, 'the file') ?? 'it cannot be read';
}
