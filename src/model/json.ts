/** Parses untrusted bytes as JSON, as tolerantly as possible and without a crash. The bytes are stored as received. */
import { isUtf8 } from 'node:buffer';
import { attempt } from '../platform/expected-errors.ts';

/**
 * Decodes a response body. JSON is UTF-8. A body that is not valid UTF-8 is decoded with the charset of its Content-Type, if that
 * names another one, else as UTF-8 with U+FFFD for each invalid byte. A byte order mark is dropped.
 */
export function decodeBody(body: Uint8Array, contentType?: string): string {
  // Without a mark, UTF-16 begins with a bracket or white space, and NUL.
  const [first = 0, second = 0] = body;
  const isStart = (byte: number) => OPENING_BRACKETS.has(byte) || /\s/.test(String.fromCharCode(byte));
  if ((first === 0xff && second === 0xfe) || (isStart(first) && body[1] === 0)) return new TextDecoder('utf-16le').decode(body);
  if ((first === 0xfe && second === 0xff) || (body[0] === 0 && isStart(second))) return new TextDecoder('utf-16be').decode(body);
  const declared = isUtf8(body) ? undefined : /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  return decoderFor(declared).decode(body);
}

/**
 * Parses JSON; undefined if the text is not JSON. What JSON forbids but some programs write is accepted: raw control characters,
 * NaN and infinite numbers, which become null, other forms of numbers and constants, superfluous commas, unknown escapes,
 * comments, single quotes, names without quotes, code around a value, and messages of programs around one that has fields.
 */
export function parseJson(text: string): unknown {
  const parsed = tryParse(text);
  if (parsed !== undefined) return parsed;
  const start = Math.max(0, text.search(/[[{]/));
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1;
  const [before, value, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  // A page that says what failed may have brackets, too.
  if (WEB_PAGE.test(before) || WEB_PAGE.test(after) || !/^[\s\p{Cc});]*(?:$|<|\/[/*])/u.test(after)) return undefined;
  if (!CODE.test(before) && !/^(?:\[\s*)?\{\s*["'\p{L}_$]/u.test(value)) return undefined;
  const repaired = repair(value);
  // What was a string in the text may be none now, and the reverse.
  return isDeeperThan(MAX_DEPTH, repaired) ? undefined : tryParse(repaired);
}

const WEB_PAGE = /<(?:!doctype|html|head|body|title)\b/i;
/** What stands before a value that a script reads: the beginning of a call or an assignment, or what keeps scripts from it. */
const CODE = /^(?:[\s\ufeff\u200b]|\)\]\}',?|\/\*\*\/|while *\(1\);|for *\(;;\);|(?:var )?[\w$.]{1,80} ?[(=])*$/;
/** As many levels as any harvest allows. */
const MAX_DEPTH = 1000;
const QUOTE_BYTE = 0x22;
const OPENING_BRACKETS = new Set([0x5b, 0x7b]);
const CLOSING_BRACKETS = new Set([0x5d, 0x7d]);

/** Returns whether objects and arrays are nested deeper than `limit`. Scans the text, so that deep nesting costs no stack. */
export function isDeeperThan(maxDepth: number, text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE_BYTE) i = findEndOfString(text, i);
    else if (OPENING_BRACKETS.has(code)) {
      if (++depth > maxDepth) return true;
    } else if (CLOSING_BRACKETS.has(code)) depth--;
  }
  return false;
}

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> {
  return attempt(() => new TextDecoder(charset)) ?? new TextDecoder(); // of an unknown charset: UTF-8, the encoding of JSON
}

/** Parses JSON as it is. Returns undefined if it is not JSON. */
export function tryParse(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown);
}

/** Replaces what JSON forbids, in strings and between them. */
function repair(text: string): string {
  const parts: string[] = [];
  const quoteOrComment = /["']|\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|$/g;
  for (let [between, start, isEnd] = ['', 0, false]; !isEnd; ) {
    quoteOrComment.lastIndex = start;
    const found = quoteOrComment.exec(text)?.[0] ?? '';
    isEnd = found === '';
    const after = quoteOrComment.lastIndex;
    // `BETWEEN_STRINGS` finds what stands before a string by the space after it.
    between += `${text.slice(start, after - found.length)} `;
    start = after;
    if (found.startsWith('/')) continue;
    parts.push(BETWEEN_STRINGS.reduce((rest, [pattern, put]) => rest.replace(pattern, put), between));
    between = '';
    if (isEnd) continue;
    start = findEndOfString(text, after - 1) + 1;
    parts.push(`"${repairString(text.slice(after, start - 1))}"`);
  }
  return parts.join('');
}

function repairString(content: string): string {
  return content
    .replace(/\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|x(?=[0-9a-fA-F]{2})|([a-zA-Z\d])|)|"/g, (escaped, known, other) =>
      known ? escaped : other || escaped === '"' ? `\\${escaped}` : escaped === '\\' ? '' : '\\u00',
    )
    .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What some programs write, and JSON: white space; no number or value; calls; constants; numbers; missing values; names. */
const BETWEEN_STRINGS: ReadonlyArray<[RegExp, string]> = [
  [/\p{Cc}|[^\S ]/gu, ' '],
  [/[-+]?\b(?:nan\(\w*\)|1\.#\w+|(?:nan|inf(?:inity)?|none|undefined|null|na)\b)(?! *:)/gi, 'null'],
  [/(?<![\w$])[a-z]\w*\(|\)|\b[bu] $/gi, ''],
  [/\bTrue\b/g, 'true'],
  [/\bFalse\b/g, 'false'],
  [/(?<![\w.+-])\+?(-?)0*(?=\.?\d)/g, '$1'],
  [/(?<![\w.])\.(?=\d)/g, '0.'],
  [/(?<=\d)\.(?!\d)/g, ''],
  [/:(?= *[,}])/g, ':null'],
  [/,(?= *[,\]}])|(?<=[[{] *),/g, ''],
  [/(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*(?= *:)/gu, '"$&"'],
];

/** Returns the position of the quote that closes the string opened at `quote`; the length of the text if there is none. */
function findEndOfString(text: string, quote: number): number {
  const mark = text[quote] as string;
  for (let i = text.indexOf(mark, quote + 1); i !== -1; i = text.indexOf(mark, i + 1)) {
    let backslashes = 0;
    while (text[i - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
}
