/** Finds source files and functions that are too long to be read at once. */
import { extname } from 'node:path';
import ts from 'typescript';
import { FRONTMATTER } from './comments.ts';
import type { Finding } from './finding.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
/** Tests and style sheets may be of any length. */
const MEASURED = /^(?:src|scripts)\/.*(?<!\.test|\.d)\.(?:ts|mjs|astro)$/;

/** Files that may be longer, and why. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/site/language/en.ts': 'a dictionary',
  'src/site/language/es.ts': 'a dictionary',
  'src/site/language/ja.ts': 'a dictionary',
};

/** Returns a file that has more than 300 lines, and its functions of more than 60. */
export function findLongParts(path: string, text: string): Finding[] {
  if (!MEASURED.test(path)) return [];
  const lines = text.replace(/\n$/, '').split('\n').length;
  const message = `has ${lines} lines, more than ${MAX_FILE_LINES}`;
  const isLong = lines > MAX_FILE_LINES && !(path in LONG_FILES);
  return [...(isLong ? [{ path, line: 1, message, counter: 'size:file' }] : []), ...findLongFunctions(path, text)];
}

function findLongFunctions(path: string, text: string): Finding[] {
  const source = ts.createSourceFile('file.ts', scriptOf(path, text), ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const findings: Finding[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineAt(node.getStart(source));
      const lines = lineAt(node.end) - line + 1;
      const message = `${nameOf(node)} has ${lines} lines, more than ${MAX_FUNCTION_LINES}`;
      if (lines > MAX_FUNCTION_LINES) findings.push({ path, line, message, counter: 'size:function' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

/** The TypeScript of a file, with the same line numbers. */
function scriptOf(path: string, text: string): string {
  if (extname(path) !== '.astro') return text;
  const frontmatter = FRONTMATTER.exec(text);
  const before = text.slice(0, frontmatter?.index).split('\n').length;
  return frontmatter ? '\n'.repeat(before - 1) + frontmatter[1] : '';
}

/** The name of a function, or of what it is the value of. */
function nameOf(node: ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return 'the constructor';
  const { parent } = node;
  const isValue = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  const name = node.name ?? (isValue ? parent.name : undefined);
  return name?.getText() ?? 'a function';
}
