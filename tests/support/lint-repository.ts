/** Runs our own rules of `npm run lint` on files of a test, as if they were the repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatFinding } from '../../scripts/lint/finding.ts';
import { lintRepository } from '../../scripts/lint/lint.ts';
import { createTestDirectory } from './commands.ts';

/** Makes a directory with these files, as a repository to lint. */
export function repositoryOf(files: Record<string, string>): string {
  const directory = createTestDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** What our own rules find in these files, one line each. */
export function findingsIn(files: Record<string, string>): string[] {
  return lintRepository(repositoryOf(files)).map(formatFinding);
}
