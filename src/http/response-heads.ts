/** Repairs response heads that are ambiguous to a strict parser, but not to browsers, before undici parses them. */
import type { Socket } from 'node:net';

/** Maximum bytes of a response head. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** The name under which the parser sees a Content-Length that does not count. */
export const IGNORED_LENGTH = 'content-length-ignored';

const END_OF_HEAD = '\r\n\r\n';
const LENGTH_FIELD = /^Content-Length(:[ \t]*(\d+)(?:[ \t]*,[ \t]*\2)*[ \t]*\r?)$/gim;

/**
 * Makes the reader of a socket see repaired response heads (RFC 9112 §6.3): of equal values of Content-Length only one, and none beside a
 * Transfer-Encoding, which overrides it. There must be no pipelining: the first bytes after a request are then a head.
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
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1 && head.length <= MAX_HEAD_BYTES) return null;
    const bytes = head;
    // An interim response precedes the head of the final one.
    head = end !== -1 && /^HTTP\/1\.\d 1/.test(bytes.toString('latin1', 0, 10)) ? Buffer.alloc(0) : undefined;
    const repaired = end === -1 ? undefined : repairHead(bytes.toString('latin1', 0, end));
    return repaired === undefined ? bytes : Buffer.concat([Buffer.from(repaired, 'latin1'), bytes.subarray(end)]);
  };
}

/** Returns a repaired head; undefined if nothing is ambiguous in it, or too much. */
function repairHead(head: string): string | undefined {
  const lengths = [...head.matchAll(LENGTH_FIELD)];
  const isChunked = /^Transfer-Encoding:/im.test(head);
  if (lengths.length === 0 || (lengths.length === 1 && !isChunked && !lengths[0]?.[0].includes(','))) return undefined;
  if (new Set(lengths.map(([, , length]) => length)).size > 1) return undefined; // contradictory: the parser rejects it
  let isFirst = !isChunked;
  return head.replace(LENGTH_FIELD, (_, value: string, length: string) => {
    const field = isFirst ? `Content-Length: ${length}${value.endsWith('\r') ? '\r' : ''}` : `${IGNORED_LENGTH}${value}`;
    isFirst = false;
    return field;
  });
}
