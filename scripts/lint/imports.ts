/** Finds what a module imports, in every form that TypeScript and Astro know, for the rule on layers. */
import { extname, posix } from 'node:path';
import ts from 'typescript';
import { blank } from './comments.ts';

/** One import of another file of the repository. */
export interface Import {
  /** Counted from 1. */
  line: number;
  /** The imported file, from the top of the repository. It may lack its extension; outside the repository it begins with `..`. */
  target: string;
}

const HTML_COMMENT = /<!--[\s\S]*?-->/g;
/** The frontmatter of a component, and the bodies of its scripts. */
const CODE = /(?<=^---[ \t]*$)[\s\S]*?(?=^---[ \t]*$)|(?<=<script\b(?:[^>]*[^/>])?>)[\s\S]*?(?=<\/script>)/gm;
/** What the markup of a component imports: `{await import('…')}` and `<script src="…">`. */
const IN_MARKUP = /\bimport\s*\(\s*['"`]([^'"`$]+)|<script\b[^>]*?\ssrc=["']([^"']+)/g;

/** Whether a file is one that imports. */
export const isModule = (path: string): boolean => /\.(?:[mc]?[jt]sx?|astro)$/.test(path);

/** Returns the imports of a module that name another file: not those of npm packages. */
export function listImports(path: string, text: string): Import[] {
  const found = extname(path) === '.astro' ? inComponent(text) : inScript(path, text);
  return found.flatMap(({ specifier, position }): Import[] => {
    const target = targetOf(path, specifier);
    return target === undefined ? [] : [{ line: text.slice(0, position).split('\n').length, target }];
  });
}

interface Found {
  specifier: string;
  position: number;
}

/** The path that a specifier names; undefined for an npm package. A `/` at its beginning is the repository, as in Vite. */
function targetOf(path: string, specifier: string): string | undefined {
  const name = specifier.replace(/[?#].*$/, '');
  if (name.startsWith('/')) return posix.normalize(name.slice(1));
  return /^\.\.?(?:\/|$)/.test(name) ? posix.join(posix.dirname(path), name) : undefined;
}

/** Its code is read as one script, in which all else is replaced by spaces, so that positions stay those of the file. */
function inComponent(text: string): Found[] {
  const source = text.replace(HTML_COMMENT, blank);
  const markup = source.replace(CODE, blank);
  const code = source.replace(/[^\n]/g, (character, at: number) => (markup[at] === character ? ' ' : character));
  const found = inScript('script.ts', code);
  for (const { 1: dynamic, 2: src, index } of markup.matchAll(IN_MARKUP))
    found.push({ specifier: dynamic ?? src ?? '', position: index });
  return found;
}

/** All literal texts of an expression count, so that `import(isDev ? … : …)` has two. Of a template, its beginning does. */
function inScript(path: string, text: string): Found[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = source.referencedFiles.map(({ fileName, pos }): Found => ({ specifier: fileName, position: pos }));
  const visit = (node: ts.Node, isNamed: boolean) => {
    if (isNamed && (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)))
      found.push({ specifier: node.text, position: node.getStart(source) });
    const named = moduleNameIn(node);
    ts.forEachChild(node, (child) => visit(child, isNamed || child === named));
  };
  visit(source, false);
  return found;
}

/** The part of a node that names another module, if it is an import of any form. */
function moduleNameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return node.argument;
  if (ts.isExternalModuleReference(node)) return node.expression; // import x = require('…')
  if (ts.isModuleDeclaration(node)) return ts.isStringLiteral(node.name) ? node.name : undefined; // adds to another module
  return ts.isCallExpression(node) && isLoad(node.expression) ? node.arguments[0] : undefined;
}

/** Whether a function loads the module that its argument names: `import`, `require`, and what resolves for them. */
function isLoad(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    /^(?:require|require\.resolve|import\.meta\.(?:resolve|glob))$/.test(callee.getText())
  );
}
