/** Finds lines that a comment makes too long. Biome breaks code to fit, but not comments. */
import { listCommentLines } from './comments.ts';
import type { Finding } from './finding.ts';

/** As for code (`lineWidth` in .biome.json). Indentation counts. */
const MAX_COLUMNS = 130;

/** Returns the lines of a script, component or style sheet that have a comment and are too long. Other files have none. */
export function findWideComments(path: string, text: string): Finding[] {
  if (!/\.(?:ts|mjs|astro|css)$/.test(path)) return [];
  const lines = text.split('\n');
  const wide = listCommentLines(path, text).filter(({ line }) => (lines[line - 1] ?? '').length > MAX_COLUMNS);
  const message = `a line with a comment may have at most ${MAX_COLUMNS} columns`;
  return [...new Set(wide.map(({ line }) => line))].map((line) => ({ path, line, message }));
}
