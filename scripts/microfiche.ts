/** The program: `npx --no-install microfiche <command>`, which scripts/bin.mjs starts. */
import '../src/derivatives/thread-pool.ts';
import { runProgram } from './program.ts';

// A program that reads the output, such as head, may stop reading.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
process.exitCode = await runProgram(process.argv.slice(2));
