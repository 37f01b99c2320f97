/** Repairs response heads that are ambiguous to a strict parser, but not to browsers, before undici parses them. */
import type { Socket } from 'node:net';

/** Maximum bytes of a response head. */
export const MAX_HEAD_BYTES = 256 * 1024;

/** Begins the name under which the parser sees a header that does not count. */
export const IGNORED = 'microfiche-ignored-';

/**
 * Makes the reader of a socket see repaired response heads (RFC 9112 §5, §6.3): of equal values of Content-Length only one, and
 * none beside chunks, which override it, or that is no number; no Transfer-Encoding without chunks; no lines that
 * are no header. There must be no pipelining: the first bytes after a request are then a head.
 */
export function repairResponseHeads(socket: Socket): void {
  if ((socket as { alpnProtocol?: unknown }).alpnProtocol === 'h2') return;
  const { read, write } = socket;
  /** The bytes of a head that is not complete yet; undefined within bodies. */
  let head: Buffer | undefined;
  socket.write = function (this: Socket, ...request: unknown[]): boolean {
    head = Buffer.alloc(0);
    return write.apply(this, request as Parameters<typeof write>);
  } as typeof write;
  socket.read = function (this: Socket, size?: number): Buffer | null {
    const chunk = read.call(this, size) as Buffer | null;
    if (head === undefined || chunk === null) return chunk;
    const ready: Buffer[] = [];
    let rest: Buffer | undefined = Buffer.concat([head, chunk]);
    while (rest !== undefined) {
      const end = endOfHead(rest);
      if (end === 0 && rest.length <= MAX_HEAD_BYTES) break;
      // An interim response precedes the final one, also in the same packet. Nothing here needs it.
      const isInterim = /^HTTP\/1\.\d 1/.test(rest.toString('latin1', 0, 10));
      if (!isInterim || end === 0) ready.push(repairHead(rest.subarray(0, end)), rest.subarray(end));
      rest = isInterim && end > 0 ? rest.subarray(end) : undefined;
    }
    head = rest;
    return ready.length === 0 ? null : Buffer.concat(ready);
  };
}

/** Returns the number of bytes of a head with the blank line after it; 0 if it is not complete. Lines may end without CR. */
function endOfHead(bytes: Buffer): number {
  const [crlf, lf] = [bytes.indexOf('\n\r\n'), bytes.indexOf('\n\n')];
  if (crlf !== -1 && (lf === -1 || crlf < lf)) return crlf + 3;
  return lf === -1 ? 0 : lf + 2;
}

/**
 * Returns a head with CRLF line ends, no folded lines, only headers with a name, and one length, or that of the chunks. The
 * parser rejects contradictory lengths.
 */
function repairHead(bytes: Buffer): Buffer {
  const head = bytes
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n')
    .replace(/\r\n[ \t]+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    .replace(/(?!\t|\r?\n)[\0-\x1f\x7f]/g, ' ')
    .replace(/^([!#$%&'*+.^_`|~\w-]+)[ \t]+:/gm, '$1:')
    .replace(/(?<=\r\n)(?![!#$%&'*+.^_`|~\w-]+:|\r\n).*\r\n/g, '');
  const isChunked = /^Transfer-Encoding:.*\bchunked\b/im.test(head);
  const values = head.matchAll(/^Content-Length:(.*)\r$/gim).flatMap(([, value = '']) => value.split(','));
  const [length, ...others] = new Set(values.map((value) => value.trim()));
  const isNumber = /^\d+$/.test(length ?? '');
  if (!isChunked && others.length > 0) return Buffer.from(head, 'latin1');
  let isFirst = true;
  const repaired = head.replace(/^(?:(Content-Length)|Transfer-Encoding):.*(?=\r$)/gim, (field, name?: string) => {
    if (isChunked && name === undefined) return field;
    if (isChunked || name === undefined || !isNumber || !isFirst) return `${IGNORED}${field}`;
    isFirst = false;
    return `${name}: ${length}`;
  });
  return Buffer.from(repaired, 'latin1');
}
