/** Extracts URLs that a script fetches, if they are literals. URLs that a script composes at run time are not found. */
import type { Reference } from './reference.ts';

/** Functions that fetch the URL in their first argument, or send something there. */
const FETCHING_FUNCTIONS =
  'fetch|import|importScripts|Worker|SharedWorker|WebSocket|WebTransport|EventSource|sendBeacon|Request|open|Audio|FontFace';
/** Properties that make the browser fetch or open the URL that they are set to. */
const FETCHING_PROPERTIES = 'src|href|srcset|action|formAction|poster|data|ping|location';
/** What precedes an absolute URL in quotes: a call, an import, or an assignment to a property. */
const PRECEDING = [
  `(?:\\b(?:${FETCHING_FUNCTIONS})|\\[\\s*["'](?:${FETCHING_FUNCTIONS})["']\\s*\\])\\s*\\(\\s*(?:["'](?:GET|POST|PUT|HEAD)["']\\s*,\\s*)?`,
  '\\bfrom\\s*',
  '\\bimport\\s*',
  `(?:\\.(?:${FETCHING_PROPERTIES})|\\[\\s*["'](?:${FETCHING_PROPERTIES})["']\\s*\\]|\\blocation)\\s*=\\s*`,
  '\\blocation\\s*\\.\\s*(?:assign|replace)\\s*\\(\\s*',
  `\\bsetAttribute\\s*\\(\\s*["'](?:${FETCHING_PROPERTIES})["']\\s*,\\s*`,
].join('|');
const QUOTED_URL = new RegExp(`(?:${PRECEDING})(["'\`])((?:(?:https?|wss?|ftp):)?//[^"'\`\\s]+)\\1`, 'g');

/** Returns the absolute URLs that a script fetches, sends to, or opens. `where` becomes part of the result. */
export function findScriptReferences(script: string, where: string): Reference[] {
  return [...decodeEscapes(script).matchAll(QUOTED_URL)].map((match): Reference => ({ href: match[2] ?? '', use: 'run', where }));
}

/** Decodes escapes that could hide a URL: `\x2f`, `\u002f`, `\u{2f}`, `\/`. */
function decodeEscapes(script: string): string {
  if (!script.includes('\\')) return script;
  return script.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,5})\}|(\/))/gi, (_, byte, unit, point, slash) =>
    slash === undefined ? String.fromCodePoint(Number.parseInt(byte ?? unit ?? point, 16)) : slash,
  );
}
