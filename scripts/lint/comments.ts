/** Finds the comments of a source file, for rules that check only comments, and those that are too wide. */
import { extname } from 'node:path';
import type { Finding } from './finding.ts';

/** One line of a comment. */
export interface CommentLine {
  /** Counted from 1. */
  line: number;
  text: string;
}

/** A string or a regular expression, which are skipped, or a comment. A `//` after a colon or a backslash is part of a URL. */
const STRING_OR_COMMENT = new RegExp(
  [
    String.raw`(['"])(?:\\.|(?!\1)[^\\\n])*\1|(\`)(?:\\[\s\S]|[^\\\`])*\``,
    String.raw`((?<=[=(,:[!&|?{;>]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/)`,
    String.raw`<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|(?<![:\w\\/])\/\/.*$`,
  ].join('|'),
  'gm',
);
/** Comments in files that are no scripts, by extension; of Markdown, all text. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  '.css': /\/\*[\s\S]*?\*\//g,
  '.sql': /--.*$|\/\*[\s\S]*?\*\//gm,
  '.md': /.+/g,
};
const CODE_BLOCK = /^( *)```[\s\S]*?^\1```$/gm;

/** Returns a file's comments by line; of Markdown, all text outside code blocks. Files of unknown types have none. */
export function listCommentLines(path: string, text: string): CommentLine[] {
  const pattern = /\.(?:ts|mjs|astro)$/.test(path) ? STRING_OR_COMMENT : PATTERNS[extname(path)];
  if (!pattern) return [];
  const searched = path.endsWith('.md') ? text.replace(CODE_BLOCK, blank) : text;
  const comments = [...searched.matchAll(pattern)].filter(([, ...skipped]) => skipped.every((each) => each === undefined));
  return comments.flatMap(({ index, 0: comment }) => {
    const first = text.slice(0, index).split('\n').length;
    return comment.split('\n').map((line, i) => ({ line: first + i, text: line }));
  });
}

/** Replaces text by spaces, so that lines and positions stay the same. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** As for code (`lineWidth` in .biome.json), which Biome breaks to fit. Indentation counts. */
const MAX_COLUMNS = 130;

/** Returns the lines of a script, component or style sheet that have a comment and are too long. Other files have none. */
export function findWideComments(path: string, text: string): Finding[] {
  if (!/\.(?:ts|mjs|astro|css)$/.test(path)) return [];
  const lines = text.split('\n');
  const wide = listCommentLines(path, text).filter(({ line }) => (lines[line - 1] ?? '').length > MAX_COLUMNS);
  const message = `a line with a comment may have at most ${MAX_COLUMNS} columns`;
  return [...new Set(wide.map(({ line }) => line))].map((line) => ({ path, line, message }));
}
