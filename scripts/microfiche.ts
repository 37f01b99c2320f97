/** Starts the command line. Compiled code is cached in the user's cache directory, so that the next start is faster. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from '../src/platform/user-state.ts';

enableCompileCache(join(cacheDirectory(), 'compiled')); // without a writable directory, the program starts without the cache
await import('./program.ts');
