/** The program: `npx --no-install microfiche <command>`, which scripts/bin.mjs starts. */
import '../src/derivatives/thread-pool.ts';
import { EXIT_CODES } from '../src/model/exit-codes.ts';
import { runProgram } from './program.ts';

// A program that reads the output, such as head, may stop reading. The disk that it is written to may be full.
for (const output of [process.stdout, process.stderr])
  output.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const reason = code === 'ENOSPC' ? 'no space left on the device' : message;
    if (output === process.stdout) console.error(`microfiche: The output cannot be written: ${reason}.`);
    process.exit(EXIT_CODES.failure);
  });
process.exitCode = await runProgram(process.argv.slice(2));
