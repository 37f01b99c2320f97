/** Repairs response heads that are ambiguous to a strict parser, but not to browsers, before undici parses them. */
import type { Socket } from 'node:net';

/** Maximum bytes of a response head. */
export const MAX_HEAD_BYTES = 256 * 1024;

/** Begins the name under which the parser sees a header that does not count. */
export const IGNORED = 'microfiche-ignored-';

/**
 * Makes the reader of a socket see repaired response heads (RFC 9112 §4, §5, §6.3): a plain status line; of equal values of
 * Content-Length only one, and none beside chunks, which override it, or that is no number; no Transfer-Encoding without chunks;
 * no lines that are no header. There must be no pipelining: the first bytes after a request are then a head.
 */
export function repairResponseHeads(socket: Socket): void {
  if ((socket as { alpnProtocol?: unknown }).alpnProtocol === 'h2') return;
  const { read, write } = socket;
  /** The bytes of a head that is not complete yet; undefined within bodies. */
  let head: Buffer | undefined;
  let repairBody = (bytes: Buffer) => bytes;
  socket.write = function (this: Socket, ...request: unknown[]): boolean {
    head = Buffer.alloc(0);
    return write.apply(this, request as Parameters<typeof write>);
  } as typeof write;
  socket.read = function (this: Socket, size?: number): Buffer | null {
    const chunk = read.call(this, size) as Buffer | null;
    if (chunk === null) return chunk;
    if (head === undefined) return nullIfEmpty(repairBody(chunk));
    const ready: Buffer[] = [];
    let rest: Buffer | undefined = Buffer.concat([head, chunk]);
    while (rest !== undefined) {
      const end = endOfHead(rest);
      if (end === 0 && rest.length <= MAX_HEAD_BYTES) break;
      // An interim response precedes the final one, also in the same packet. Nothing here needs it.
      const isInterim = /^HTTP\/1\.\d 1/.test(rest.toString('latin1', 0, 10));
      if (!isInterim || end === 0) {
        const { repaired, isChunked } = repairHead(rest.subarray(0, end));
        repairBody = isChunked ? createChunkRepair() : (bytes) => bytes;
        ready.push(Buffer.from(repaired, 'latin1'), repairBody(rest.subarray(end)));
      }
      rest = isInterim && end > 0 ? rest.subarray(end) : undefined;
    }
    head = rest;
    return nullIfEmpty(Buffer.concat(ready));
  };
}

/** A socket without bytes to read returns null. */
const nullIfEmpty = (bytes: Buffer) => (bytes.length === 0 ? null : bytes);

/** Returns the number of bytes of a head with the blank line after it; 0 if it is not complete. Lines may end without CR. */
function endOfHead(bytes: Buffer): number {
  const blank = /\n\r?\n/.exec(bytes.toString('latin1'));
  return blank ? blank.index + blank[0].length : 0;
}

/**
 * Returns a head with CRLF line ends, no folded lines, only headers with a name, and one length, or that of the chunks. The
 * parser rejects contradictory lengths.
 */
function repairHead(bytes: Buffer): { repaired: string; isChunked: boolean } {
  const head = bytes
    .toString('latin1')
    .replace(/\r?\n/g, '\r\n')
    .replace(/\r\n[ \t]+/g, ' ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    .replace(/(?!\t|\r?\n)[\0-\x1f\x7f]/g, ' ')
    .replace(
      /^\W{0,9}(?:HTTP\/\d{0,9}(\.0)?[\d.]{0,9}|ICY)[ \t]{1,9}0{0,9}(\d{1,9})[ \t]{0,9}/i,
      (_, minor = '.1', status) => `HTTP/1${minor} ${status} `,
    )
    .replace(/^([!#$%&'*+.^_`|~\w-]+)[ \t]+:/gm, '$1:')
    .replace(/(?<=\r\n)(?![!#$%&'*+.^_`|~\w-]+:|\r\n).*\r\n/g, '');
  const isChunked = /^Transfer-Encoding:.*\bchunked\b/im.test(head);
  const values = head.matchAll(/^Content-Length:(.*)\r$/gim).flatMap(([, value = '']) => value.split(','));
  const [length, ...others] = new Set(values.map((value) => value.trim()).filter((value) => /^\d{1,15}$/.test(value)));
  if (!isChunked && others.length > 0) return { repaired: head, isChunked };
  let isFirst = length !== undefined;
  const repaired = head.replace(/^(?:(Content-Length)|Transfer-Encoding):.*(?=\r$)/gim, (field, name?: string) => {
    if (isChunked && name === undefined) return field;
    if (isChunked || name === undefined || !isFirst) return `${IGNORED}${field}`;
    isFirst = false;
    return `${name}: ${length}`;
  });
  return { repaired, isChunked };
}

/** Characters of the line with the size of a chunk, as the parser allows. */
const MAX_SIZE_LINE = 16 * 1024;

/** Returns a function that repairs a body in chunks: sizes without extensions, and without the spaces of old servers. */
function createChunkRepair(): (bytes: Buffer) => Buffer {
  let line = '';
  /** Bytes before the next line: of a chunk, or of all that follows the last one. */
  let dataBytes = 0;
  return (bytes) => {
    const parts: Buffer[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = dataBytes > 0 ? start + dataBytes : bytes.indexOf('\n', start) + 1 || bytes.length;
      const part = bytes.subarray(start, end);
      start += part.length;
      if (dataBytes > 0) {
        dataBytes -= part.length;
        parts.push(part);
        continue;
      }
      line += part.toString('latin1');
      // A line without an end is for the parser to reject.
      if (!line.endsWith('\n') && line.length < MAX_SIZE_LINE) continue;
      const size = /^[ \t]*([\da-f]+)[ \t]*[;\r\n]/i.exec(line)?.[1];
      parts.push(Buffer.from(size === undefined ? line : `${size}\r\n`, 'latin1'));
      dataBytes = size === undefined ? 0 : Number.parseInt(size, 16) || Number.POSITIVE_INFINITY;
      line = '';
    }
    return Buffer.concat(parts);
  };
}
