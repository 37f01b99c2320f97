/** `npm run lint`, after Biome: the rules that it does not have: words, width and citations of comments, docstrings, layers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDeadCitations } from './cited-files.ts';
import { findWideComments } from './comments.ts';
import { findMissingDocstrings } from './docstrings.ts';
import { listFiles } from './files.ts';
import { type Finding, formatFinding } from './finding.ts';
import { isModule, listImports } from './imports.ts';
import { findUpwardImports } from './layers.ts';
import { findWords } from './words.ts';

const READ = /^(?!content\/(?!drawing\/)).*\.(?:[mc]?[jt]sx?|astro|css|sql|md|json)$/;
/** Files whose exports need a docstring. Tests, and declarations for npm packages, need none. */
const DOCUMENTED = /^(?:src|scripts|content\/drawing)\/.*(?<!\.test|\.d)\.ts$/;

/** Returns all findings in the repository at `root`. */
export function lintRepository(root: string): Finding[] {
  const files = listFiles(root);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return files
    .filter((path) => READ.test(path))
    .flatMap((path) => {
      const text = read(path);
      return [
        ...findWords(path, text),
        ...findWideComments(path, text),
        ...findDeadCitations(path, text, { files, read }),
        ...findUpwardImports(path, isModule(path) ? listImports(path, text) : []),
        ...(DOCUMENTED.test(path) ? findMissingDocstrings(path, text) : []),
      ];
    });
}

if (import.meta.main) {
  const findings = lintRepository(process.cwd());
  for (const finding of findings) console.log(formatFinding(finding));
  process.exitCode = findings.length > 0 ? 1 : 0;
}
