/** Finds what a module imports, for the rule on layers. */
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
  const found = extname(path) === '.astro' ? inComponent(text) : inScript(text);
  return found.flatMap(({ fileName, pos }): Import[] => {
    const target = targetOf(path, fileName);
    return target === undefined ? [] : [{ line: text.slice(0, pos).split('\n').length, target }];
  });
}

type Found = Pick<ts.FileReference, 'fileName' | 'pos'>;

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
  const inMarkup = Array.from(markup.matchAll(IN_MARKUP), ({ 1: dynamic = '', 2: src, index }) => ({
    fileName: src ?? dynamic,
    pos: index,
  }));
  return [...inScript(code), ...inMarkup];
}

/** Finds imports and exports with literal names, also at run time. Patterns of Vite (`import.meta.glob`) are not found. */
function inScript(text: string): Found[] {
  const { importedFiles, referencedFiles } = ts.preProcessFile(text, true, true);
  return [...referencedFiles, ...importedFiles];
}
