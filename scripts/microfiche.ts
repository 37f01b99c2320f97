/** The program: `npx --no-install microfiche <command>`. Compiled code is cached in the user's cache directory, so that the next start is faster. */
import '../src/derivatives/thread-pool.ts';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheDirectory } from '../src/platform/user-directories.ts';

enableCompileCache(join(cacheDirectory(), 'compiled')); // without a writable directory, the program starts without the cache
const { runProgram } = await import('./program.ts');
// A program that reads the output, such as head, may stop reading.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
process.exitCode = await runProgram(process.argv.slice(2));
