/** Untrusted bytes as JSON: read as tolerantly as can be without guessing, never with a crash. The bytes themselves are kept as they came. */
import { isUtf8 } from 'node:buffer';

/**
 * The text of a body. JSON is UTF-8; what is no UTF-8 is read in the character set that the Content-Type declares, if it declares another one,
 * and otherwise with U+FFFD in place of each broken byte. A byte order mark is dropped.
 */
export function decodeBody(body: Uint8Array, contentType?: string): string {
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be').decode(body);
  const declared = isUtf8(body) ? undefined : /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
  return decoderFor(declared).decode(body);
}

/** What a text says as JSON; undefined when it is no JSON. Raw control characters, NUL among them, are taken for what they stand for. */
export function parseJson(text: string): unknown {
  const parsed = tryParse(text);
  if (parsed !== undefined) return parsed;
  const escaped = escapeControls(text);
  return escaped === text ? undefined : tryParse(escaped);
}

const QUOTE = 0x22;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether objects and arrays stand deeper in one another than `limit`; read off the text, so that nothing deep is ever walked. */
export function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (OPENING.has(code)) {
      if (++depth > limit) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder(); // a character set that nobody knows: the next best is the one that JSON has by its own rules
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON: the caller's question
  }
}

/** Control characters inside strings become escapes; outside, where JSON knows only four of them, spaces. */
function escapeControls(text: string): string {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const quote = text.indexOf('"', start);
    const end = quote === -1 ? text.length : quote;
    parts.push(text.slice(start, end).replace(CONTROLS, ' '));
    if (quote === -1) break;
    const close = endOfString(text, quote);
    parts.push(
      text.slice(quote, close + 1).replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
    start = close + 1;
  }
  return parts.join('');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f]/g;

/** Where the string that opens at `quote` closes; the text's length where it never does. */
function endOfString(text: string, quote: number): number {
  for (let i = text.indexOf('"', quote + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text[i - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
}
