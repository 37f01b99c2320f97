/** Finds the comments of a source file, for rules that check only comments, and those that are too wide. */
import { extname } from 'node:path';
import ts from 'typescript';
import type { Finding } from './finding.ts';

/** One line of a comment. */
export interface CommentLine {
  /** Counted from 1. */
  line: number;
  text: string;
}

/** Comments in the markup, styles and scripts of a component. The lookbehind skips `https://`. */
const IN_COMPONENT = /<!--[\s\S]*?-->|\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/.*$/gm;
/** Comments in files of other types, by extension. */
const PATTERNS: Readonly<Record<string, RegExp>> = { '.css': /\/\*[\s\S]*?\*\//g, '.sql': /--.*$|\/\*[\s\S]*?\*\//gm };
/** The script at the top of a component, between two lines `---`. */
const FRONTMATTER = /^---[ \t]*$([\s\S]*?)^---[ \t]*$/m;
const CODE_BLOCK = /^( *)```[\s\S]*?^\1```$/gm;

/** Returns a file's comments by line; of Markdown, all text outside code blocks. Files of unknown types have none. */
export function listCommentLines(path: string, text: string): CommentLine[] {
  const extension = extname(path);
  if (extension === '.ts' || extension === '.mjs') return linesOf(text, rangesInScript(text));
  if (extension === '.md') return linesOf(text.replace(CODE_BLOCK, blank), [[0, text.length]]);
  if (extension === '.astro') {
    const script = FRONTMATTER.exec(text)?.[1] ?? '';
    const before = blank(text.slice(0, text.indexOf(script)));
    const others = rangesMatching(IN_COMPONENT, text.replace(script, blank));
    return [...linesOf(before + script, rangesInScript(before + script)), ...linesOf(text, others)];
  }
  const pattern = PATTERNS[extension];
  return pattern ? linesOf(text, rangesMatching(pattern, text)) : [];
}

type Range = readonly [start: number, end: number];

/** Replaces text by spaces, so that lines and positions stay the same. */
export const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function linesOf(text: string, ranges: readonly Range[]): CommentLine[] {
  return ranges.flatMap(([start, end]) => {
    const first = text.slice(0, start).split('\n').length;
    return text
      .slice(start, end)
      .split('\n')
      .map((line, i) => ({ line: first + i, text: line }));
  });
}

function rangesMatching(pattern: RegExp, text: string): Range[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }): Range => [index, index + match.length]);
}

/** Reads the comments before each token. The parser finds tokens, so that strings and regular expressions are not searched. */
function rangesInScript(text: string): Range[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const ranges = new Map<number, number>();
  const visit = (node: ts.Node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    for (const child of node.getChildren(source)) visit(child);
    for (const { pos, end } of [
      ...(ts.getTrailingCommentRanges(text, node.pos) ?? []),
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
    ])
      ranges.set(pos, end);
  };
  visit(source);
  return [...ranges].sort(([a], [b]) => a - b);
}

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
