/** Reads the records of a WARC file that anybody may have made, one after the other. */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Exchange, HeaderList } from '../../model/response.ts';
import { tee } from '../../platform/in-parts.ts';
import { isMoment, isWebUrl } from '../../snapshot/rows.ts';
import { refusePackage } from '../import-staging.ts';
import { MAX_EXPANSION, PackageError } from '../package/package-reader.ts';

/** A record. Its block can only be read before the next record. */
export interface ReadWarcRecord {
  /** Named fields by their names in lower case. */
  fields: ReadonlyMap<string, string>;
  /** Bytes of the block. */
  size: number;
  block(): AsyncGenerator<Uint8Array>;
}

/** Bytes that are unpacked at a time: zlib's default of 16 KB means many turns for a large file. */
const CHUNK_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/** The bytes of a file. Each chunk need only be valid until the next one. */
type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Yields the records of a compressed WARC file.
 * @throws {PackageError} if it is damaged.
 */
export async function* readWarc(name: string, compressed: Chunks): AsyncGenerator<ReadWarcRecord> {
  await using unpacked = unpack(name, compressed);
  const source = createByteSource(name, unpacked);
  for (;;) {
    const head = await source.readHead();
    if (head === undefined) break;
    const [version, ...lines] = head.split('\r\n');
    if (version !== 'WARC/1.1') throw new PackageError(`${name} is not a file of WARC 1.1.`);
    const fields = new Map(lines.map(parseField).map(([field, value]) => [field.toLowerCase(), value]));
    const size = Number(fields.get('content-length'));
    if (!Number.isSafeInteger(size) || size < 0) throw new PackageError(`${name} is damaged: a record has no length.`);
    const block = source.take(size);
    yield { fields, size, block: () => block };
    for await (const _ of block); // what the caller did not read
    await source.skipEnd();
  }
}

/** Bytes that a WARC file may always have. A short one may expand more than others. */
const FREE_BYTES = 1_000_000;

/** Yields the bytes of a compressed file, which must not expand beyond the limit. At its end, it has closed the file. */
async function* unpack(name: string, compressed: Chunks): AsyncGenerator<Buffer> {
  // `pipeline` waits for a drain after each chunk, which need not be valid any longer when the next one is read.
  const options = { chunkSize: CHUNK_BYTES, writableHighWaterMark: 1 };
  const gunzip = createGunzip(options);
  let [fed, written] = [0, 0];
  const counted = tee(compressed, (chunk) => {
    fed += chunk.length;
  });
  const feeding = pipeline(counted, gunzip).catch(() => undefined); // the loop below throws the error
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      written += chunk.length;
      if (written > Math.max(FREE_BYTES, gunzip.bytesWritten * MAX_EXPANSION))
        throw new PackageError(`${name} is unsafe: it expands to more than ${MAX_EXPANSION} times its size.`);
      yield chunk;
    }
    // It ends where zero bytes follow a member.
    if (gunzip.bytesWritten < fed) throw new PackageError(`${name} is damaged: other bytes follow its last record.`);
  } catch (cause) {
    if (cause instanceof PackageError || !String((cause as { code?: unknown }).code).startsWith('Z_')) throw cause;
    throw new PackageError(`${name} is damaged: ${(cause as Error).message}.`, { cause });
  } finally {
    gunzip.destroy();
    await feeding;
  }
}

function parseField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function createByteSource(name: string, chunks: AsyncGenerator<Buffer>) {
  let buffer: Buffer = Buffer.alloc(0);
  const damaged = () => new PackageError(`${name} is damaged: a record is incomplete.`);
  /** Reads the next chunk. Returns whether there was one. */
  const fill = async () => {
    const { value, done } = await chunks.next();
    if (done === true) return false;
    buffer = buffer.length === 0 ? (value as Buffer) : Buffer.concat([buffer, value as Buffer]);
    return true;
  };
  return {
    /** Returns the text before the next empty line; undefined at the end. */
    async readHead() {
      for (;;) {
        const end = buffer.indexOf(HEAD_END);
        if (end >= 0) {
          const head = buffer.subarray(0, end).toString('utf8');
          buffer = buffer.subarray(end + HEAD_END.length);
          return head;
        }
        if (buffer.length > MAX_HEAD_BYTES) throw damaged();
        if (await fill()) continue;
        if (buffer.length > 0) throw damaged();
        return undefined;
      }
    },
    /** Yields a number of bytes. */
    async *take(size: number) {
      let rest = size;
      while (rest > 0) {
        if (buffer.length === 0 && !(await fill())) throw damaged();
        const part = buffer.subarray(0, rest);
        buffer = buffer.subarray(part.length);
        rest -= part.length;
        yield part;
      }
    },
    /** Skips the two line ends after a block. */
    async skipEnd() {
      while (buffer.length < HEAD_END.length) if (!(await fill())) throw damaged();
      if (!buffer.subarray(0, HEAD_END.length).equals(HEAD_END)) throw damaged();
      buffer = buffer.subarray(HEAD_END.length);
    },
  };
}

/** Bytes of a body of the API. */
const MAX_BODY_BYTES = 500_000_000;
const ORIGINAL = 'x-archive-orig-';

/** Returns the block of a record. */
export async function readBytes({ size, block }: ReadWarcRecord, path: string): Promise<Buffer> {
  if (size > MAX_BODY_BYTES) refusePackage(path, 'a record is too large');
  return Buffer.concat(await Array.fromAsync(block()));
}

function parseHttp(block: Buffer, path: string): { firstLine: string; headers: HeaderList; body: Buffer } {
  const end = block.indexOf(HEAD_END);
  if (end < 0) refusePackage(path, 'a record is not an HTTP message');
  const [firstLine = '', ...lines] = block.subarray(0, end).toString('latin1').split('\r\n');
  return { firstLine, headers: lines.map(parseField), body: block.subarray(end + HEAD_END.length) };
}

/** Returns the request of a record. */
export function parseRequest(
  block: Buffer,
  { fields }: ReadWarcRecord,
  path: string,
): Pick<Exchange, 'method' | 'sentAt' | 'requestHeaders'> {
  const { firstLine, headers } = parseHttp(block, path);
  const sentAt = fields.get('warc-date');
  if (!isMoment(sentAt)) refusePackage(path, 'a request has no time');
  return { method: firstLine.split(' ')[0] ?? 'GET', sentAt, requestHeaders: headers };
}

/** Returns the response of a record as it was received, with a decoded body; of a resource, what it is instead of. */
export async function readResponse(record: ReadWarcRecord, type: 'response' | 'resource', path: string) {
  const [url, fetchedAt] = [record.fields.get('warc-target-uri'), record.fields.get('warc-date')];
  if (!isWebUrl(url) || !isMoment(fetchedAt)) refusePackage(path, 'a record has no URL or no time');
  const block = await readBytes(record, path);
  if (type === 'resource') {
    const headers: HeaderList = [['content-type', record.fields.get('content-type') ?? 'application/json']];
    return { url, fetchedAt, status: 200, reason: '', headers, body: block };
  }
  const { firstLine, headers, body } = parseHttp(block, path);
  const [, status = '', reason = ''] = /^HTTP\/\d\.\d (\d{3})(?: (.*))?$/.exec(firstLine) ?? [];
  if (status === '') refusePackage(path, 'a response has no status');
  return { url, fetchedAt, status: Number(status), reason, headers: originalHeaders(headers), body };
}

/** Returns the headers as received: those that were renamed when the body was decoded get their names again. */
function originalHeaders(headers: HeaderList): HeaderList {
  if (!headers.some(([name]) => name.toLowerCase().startsWith(ORIGINAL))) return headers;
  const received = headers.slice(0, -1); // the last one is the length of the decoded body
  return received.map(([name, value]) => [name.toLowerCase().startsWith(ORIGINAL) ? name.slice(ORIGINAL.length) : name, value]);
}

/** Returns headers by their names in lower case; repeated ones are joined. */
export function flatten(headers: HeaderList): Record<string, string> {
  const grouped = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries([...grouped].map(([name, values]) => [name, values.map(([, value]) => value).join(', ')]));
}
