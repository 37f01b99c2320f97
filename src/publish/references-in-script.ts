/** The addresses that a script asks for, where they are written in it. What a script puts together while it runs cannot be seen here. */
import type { Reference } from './references.ts';

/** Functions that fetch the address that is their first argument, or send something there. */
const CALLS =
  'fetch|import|importScripts|Worker|SharedWorker|WebSocket|WebTransport|EventSource|sendBeacon|Request|open|Audio|FontFace';
/** Properties that, once set, make the browser fetch or go there. */
const PROPERTIES = 'src|href|srcset|action|formAction|poster|data|ping|location';
/** What stands before an absolute address in quotes: a call, an import, or a property that is set. */
const BEFORE = [
  `(?:\\b(?:${CALLS})|\\[\\s*["'](?:${CALLS})["']\\s*\\])\\s*\\(\\s*(?:["'](?:GET|POST|PUT|HEAD)["']\\s*,\\s*)?`,
  '\\bfrom\\s*',
  '\\bimport\\s*',
  `(?:\\.(?:${PROPERTIES})|\\[\\s*["'](?:${PROPERTIES})["']\\s*\\]|\\blocation)\\s*=\\s*`,
  '\\blocation\\s*\\.\\s*(?:assign|replace)\\s*\\(\\s*',
  `\\bsetAttribute\\s*\\(\\s*["'](?:${PROPERTIES})["']\\s*,\\s*`,
].join('|');
const IN_QUOTES = new RegExp(`(?:${BEFORE})(["'\`])((?:(?:https?|wss?|ftp):)?//[^"'\`\\s]+)\\1`, 'g');

/** Absolute addresses that a script names where it fetches, sends or goes somewhere. */
export function referencesInScript(script: string, where: string): Reference[] {
  return [...unescaped(script).matchAll(IN_QUOTES)].map((match): Reference => ({ href: match[2] ?? '', use: 'run', where }));
}

/** Escapes by which an address could hide from a reader: `\x2f`, `\u002f`, `\u{2f}`, `\/`. */
function unescaped(script: string): string {
  if (!script.includes('\\')) return script;
  return script.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,5})\}|(\/))/gi, (_, byte, unit, point, slash) =>
    slash === undefined ? String.fromCodePoint(Number.parseInt(byte ?? unit ?? point, 16)) : slash,
  );
}
