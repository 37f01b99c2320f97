/** Says where an own component cannot be compiled, and why. */
import { stripVTControlCharacters } from 'node:util';
import { type Plugin, transformWithOxc } from 'vite';
import { toPrintable } from '../platform/text-lines.ts';
import { pathFrom } from './bundled-parts.ts';
import { isOfProgram, withoutQuery } from './components-module.ts';
import type { ReadComponents } from './read-components.ts';

/** What is read of the errors of Astro, Vite and Rolldown. */
interface CompileError {
  message: string;
  /** The module. */
  id?: string;
  loc?: { file?: string; line?: number };
  /** The errors that this one consists of. */
  errors?: readonly CompileError[];
}

const UNRESOLVED = /failed to resolve import "([^"]+)" from "([^"]+)"/;
/** The module behind `microfiche/components`, as Rolldown names it. */
const PUBLIC_MODULE = /"[^"]*own-components\.[jt]s"/;

/** Returns a sentence; undefined if the cause of an error is not in a file of the project. */
export function describeCompileError(error: unknown, { directory }: ReadComponents): string | undefined {
  for (const one of causesOf(error as CompileError)) {
    const message = stripVTControlCharacters(one.message);
    const [, missing, importer] = UNRESOLVED.exec(message) ?? [];
    const file = withoutQuery(importer ?? one.loc?.file ?? one.id ?? '');
    if (file === '' || isOfProgram(file)) continue;
    const where = `${pathFrom(directory, file)}${one.loc?.line === undefined ? '' : `, line ${one.loc.line}`}`;
    return `${where}: ${missing === undefined ? toSentence(message) : `"${toPrintable(missing, 200)}" cannot be found. Is the package installed?`}`;
  }
  return undefined;
}

function causesOf(error: CompileError): CompileError[] {
  const inner = error.errors ?? [];
  return inner.length > 0 ? inner.flatMap(causesOf) : [error];
}

/** Returns the first line of a message, without the code before it. */
function toSentence(message: string): string {
  const [line = ''] = message.trim().split('\n');
  const plain = toPrintable(line.replace(/^\[[A-Z_]+\] /, '').replace(PUBLIC_MODULE, '"microfiche/components"'), 400);
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Returns a Vite plugin that parses the scripts of a project, because the errors of Vite's own transform do not name the file. */
export function checkSyntax(): Plugin {
  return {
    name: 'microfiche-syntax',
    enforce: 'pre',
    async transform(code, id) {
      const file = withoutQuery(id);
      if (!id.startsWith('\0') && !isOfProgram(file) && !file.includes('node_modules') && SCRIPT.test(file))
        await transformWithOxc(code, file);
      return null;
    },
  };
}
