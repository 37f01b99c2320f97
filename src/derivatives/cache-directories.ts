/** The directories of the caches of builds and exports. */
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';

/** The environment variable that sets another directory for the caches. */
export const CACHE_VARIABLE = 'MICROFICHE_CACHE';
const DEFAULT_ROOT = '.microfiche/cache';

/** Returns the directory of all caches, as an absolute path. */
export const cacheRootDirectory = (): string => resolve(process.env[CACHE_VARIABLE] || DEFAULT_ROOT);

/** Returns the directory of the derivative cache, which all sites share. `root` is the directory of all caches. */
export const derivativesDirectory = (root: string): string => join(root, 'derivatives');

/** Returns the directory of the catalogues that shards share. */
export const cataloguesDirectory = (root: string): string => join(root, 'catalogues');

/**
 * Returns the directory of the cache of the site in the directory `out`, an absolute path without symbolic links. `part` names a
 * part of it that one of several machines builds: each of them may have another directory at the same path.
 */
export const siteCacheDirectory = (root: string, out: string, part = ''): string =>
  join(root, hash('sha256', part === '' ? out : `${out}\0${part}`).slice(0, 16));
