/** Sizes libuv's thread pool so that every core can decode an image. Import it first: the first use fixes the size. */
import { availableParallelism } from 'node:os';

/** Number of images that are processed at the same time: one per core, and two more so that no core is idle. */
export const MAX_CONCURRENT_IMAGES = availableParallelism() + 2;

/** Node's own default for UV_THREADPOOL_SIZE. */
const DEFAULT_THREADS = 4;

process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(DEFAULT_THREADS, MAX_CONCURRENT_IMAGES + 2));
