/** Finds comments that cite a file that is not in the repository, or a heading that a document does not have. */
import { posix } from 'node:path';
import { listCommentLines } from './comments.ts';
import { isIgnored } from './files.ts';
import type { Finding } from './finding.ts';

/** What a citation can refer to. */
export interface Repository {
  /** Paths of all files, relative to the repository. */
  files: readonly string[];
  read(path: string): string;
}

/** Marks a line with an intended citation, and says why. */
const ALLOWED = /\bcited-ok: \S/;
const URL_TEXT = /\b[a-z]+:\/\/[^\s)>'"`]*/g;
/** A word with a slash or a file extension. `…`, `<`, `{`, `$` and `*` make a word a pattern, not a path. */
const WORD = /(?<![\w@…<>{}$*/.:#-])[\w.[\]-]*(?:\/[\w.[\]-]+)*\/?(?![\w@…<>{}$*/])/g;
/** Files of a project that mirrors an archive, and modules under their public names, which the repository does not have. */
const OF_A_PROJECT =
  /^(?:microfiche\.config\.ts|content\/(?:pages|exhibits)\/[\w-]+\.md|(?:\.\/)?src\/[A-Z]\w*\.astro|microfiche-archive\/components\/\w+\.astro)$/;
/** Extensions of source files. Other names, such as `offline.json`, may be files that a build writes. */
const SOURCE = /\.(?:ts|md|astro|mjs|sql|njk)$/;
/** `docs/glossary.md, “Harvest” and “Fixity”` */
const HEADINGS = /([\w./-]+\.md), ((?:“[^”]+”(?:, | and )?)+)/g;

/** Returns the citations in the comments of `path` that have no target. */
export function findDeadCitations(path: string, text: string, repository: Repository): Finding[] {
  const findings: Finding[] = [];
  for (const { line, text: comment } of listCommentLines(path, text)) {
    if (ALLOWED.test(comment)) continue;
    const add = (message: string) => findings.push({ path, line, message });
    const plain = comment.replace(URL_TEXT, '');
    for (const word of plain.match(WORD) ?? []) {
      const cited = word.replace(/\.+$/, '');
      if (isCitation(cited, repository) && !exists(cited, path, repository))
        add(`cites ${cited}, which the repository does not have`);
    }
    for (const [, cited = '', headings = ''] of plain.matchAll(HEADINGS))
      for (const [, heading = ''] of headings.matchAll(/“([^”]+)”/g))
        if (repository.files.includes(cited) && !hasHeading(repository.read(cited), heading))
          add(`cites “${heading}” of ${cited}, which has no such heading`);
  }
  return findings;
}

/** Whether a word in a comment names a file or directory of the repository: by its path, or by the name of a source file. */
function isCitation(word: string, { files }: Repository): boolean {
  if (OF_A_PROJECT.test(word)) return false;
  if (SOURCE.test(word)) return !word.startsWith('.') || word.startsWith('./') || word.startsWith('../');
  const [top, ...rest] = word.split('/');
  return rest.length > 0 && top !== '' && !isIgnored(word) && files.some((file) => file.startsWith(`${top}/`));
}

/** Whether a citation has a target: relative to the repository, to the file that cites it, or, without a directory, by name. */
function exists(cited: string, from: string, { files }: Repository): boolean {
  const path = posix.normalize(cited).replace(/\/$/, '');
  const beside = posix.join(posix.dirname(from), path);
  return files.some(
    (file) =>
      file === path ||
      file === beside ||
      file.startsWith(`${path}/`) ||
      file.startsWith(`${beside}/`) ||
      (!path.startsWith('.') && SOURCE.test(path) && file.endsWith(`/${path}`)),
  );
}

function hasHeading(markdown: string, heading: string): boolean {
  return markdown.split('\n').some((line) => /^#+ /.test(line) && line.replace(/^#+ /, '').trim() === heading);
}
