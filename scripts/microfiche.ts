/** Starts the command line. What was compiled once is kept for the next start, in the user's own cache folder. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../src/platform/user-state.ts';

enableCompileCache(join(cacheFolder(), 'compiled')); // without it everything works, and starts later
await import('./program.ts');
