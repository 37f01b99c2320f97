/** Parses untrusted bytes as JSON, as tolerantly as possible and without a crash. The bytes are stored as received. */
import { isUtf8 } from 'node:buffer';

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
 * NaN and infinite numbers, which become null, other forms of numbers and constants, superfluous commas and unknown escapes.
 */
export function parseJson(text: string): unknown {
  const parsed = tryParse(text);
  if (parsed !== undefined) return parsed;
  const repaired = repair(text);
  return repaired === text ? undefined : tryParse(repaired);
}

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
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder(); // an unknown charset: fall back to UTF-8, the encoding of JSON
  }
}

/** Parses JSON as it is. Returns undefined if it is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON, which the caller handles
  }
}

/** Replaces what JSON forbids, in strings and between them. */
function repair(text: string): string {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const quote = text.indexOf('"', start);
    const between = text.slice(start, quote === -1 ? text.length : quote);
    parts.push(BETWEEN_STRINGS.reduce((rest, [found, put]) => rest.replace(found, put), between));
    if (quote === -1) break;
    const close = findEndOfString(text, quote);
    parts.push(
      text
        .slice(quote, close + 1)
        .replace(/\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|x(?=[0-9a-fA-F]{2})|([a-zA-Z\d])|)/g, (escaped, known, other) =>
          known ? escaped : other ? `\\${escaped}` : escaped === '\\' ? '' : '\\u00',
        )
        .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
    start = close + 1;
  }
  return parts.join('');
}

/** What some programs write, and JSON: white space; no number or no value; constants; numbers; superfluous commas. */
const BETWEEN_STRINGS: ReadonlyArray<[RegExp, string]> = [
  [/\p{Cc}|[^\S ]/gu, ' '],
  [/[-+]?\b(?:nan\(\w*\)|1\.#\w+|(?:nan|inf(?:inity)?|none|undefined|null|na)\b)/gi, 'null'],
  [/\bTrue\b/g, 'true'],
  [/\bFalse\b/g, 'false'],
  [/(?<![\w.+-])\+?(-?)0*(?=\.?\d)/g, '$1'],
  [/(?<![\w.])\.(?=\d)/g, '0.'],
  [/(?<=\d)\.(?!\d)/g, ''],
  [/,(?= *[\]}])/g, ''],
];

/** Returns the position of the quote that closes the string opened at `quote`; the length of the text if there is none. */
function findEndOfString(text: string, quote: number): number {
  for (let i = text.indexOf('"', quote + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text[i - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
}
