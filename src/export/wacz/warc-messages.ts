/** Reads the requests and responses in the records of a WARC file. */
import type { Exchange, HeaderList } from '../../model/response.ts';
import { isMoment, isWebUrl } from '../../snapshot/rows.ts';
import { refusePackage } from '../import-staging.ts';
import type { ReadWarcRecord } from './warc-reader.ts';

/** Bytes of a body of the API. */
const MAX_BODY_BYTES = 500_000_000;
const HEAD_END = '\r\n\r\n';
const ORIGINAL = 'x-archive-orig-';

/** Returns the block of a record. */
export async function readBytes({ size, block }: ReadWarcRecord, path: string): Promise<Buffer> {
  if (size > MAX_BODY_BYTES) refusePackage(path, 'a record is too large');
  const chunks: Uint8Array[] = [];
  for await (const chunk of block()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parseHttp(block: Buffer, path: string): { firstLine: string; headers: HeaderList; body: Buffer } {
  const end = block.indexOf(HEAD_END);
  if (end < 0) refusePackage(path, 'a record is not an HTTP message');
  const [firstLine = '', ...lines] = block.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { firstLine, headers, body: block.subarray(end + HEAD_END.length) };
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

/** A response as it was received, with a decoded body. */
export interface ReadResponse {
  url: string;
  fetchedAt: string;
  status: number;
  reason: string;
  headers: HeaderList;
  body: Buffer;
}

/** Returns the response of a record; of a resource, what it is instead of. */
export async function readResponse(record: ReadWarcRecord, type: 'response' | 'resource', path: string): Promise<ReadResponse> {
  const [url, fetchedAt] = [record.fields.get('warc-target-uri'), record.fields.get('warc-date')];
  if (!isWebUrl(url) || !isMoment(fetchedAt)) refusePackage(path, 'a record has no URL or no time');
  const block = await readBytes(record, path);
  if (type === 'resource')
    return { url, fetchedAt, status: 200, reason: '', headers: [['content-type', 'application/json']], body: block };
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
