/** The hash of the program: under another one, nothing that a former build has cached can be used. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from '../../platform/module-file.ts';
import { listFiles } from '../../snapshot/directory-files.ts';

/** Returns a hash of the program: its files, its packages, and the version of Node. */
export function hashOfProgram(): string {
  programHash ??= hashFiles();
  return programHash;
}

/** The program does not change while it runs. */
let programHash: string | undefined;

function hashFiles(): string {
  const program = createHash('sha256').update(process.version);
  const others = ['package-lock.json', 'astro.config.mjs'].map((name) => [name, join(PROGRAM, name)] as const);
  const code = [...listFiles(join(PROGRAM, 'src')), ...listFiles(join(PROGRAM, 'public')), ...others];
  // A copy for development may lack some.
  for (const [, file] of code) if (existsSync(file)) program.update(readFileSync(file));
  return program.digest('hex');
}
