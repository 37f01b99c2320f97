/** Formats records of WARC 1.1 (ISO 28500:2017), each as a gzip member of its own, the same bytes each time. */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HeaderList } from '../../model/response.ts';
import type { GzipMember } from '../package/package-content.ts';
import { storedGzipSize } from '../package/stored-gzip.ts';

/** The block of a record: bytes, or a file of a known size with a known digest. */
export type WarcBlock = Uint8Array | { size: number; sha256: string; file: string };

/** One record. */
export interface WarcRecord {
  type: 'warcinfo' | 'request' | 'response' | 'resource' | 'metadata';
  /** What the ID of the record is made of. It is different for each record. */
  seed: string;
  /** ISO 8601 in UTC. */
  date: string;
  uri?: string;
  contentType: string;
  block: WarcBlock;
  /** SHA-256 of the payload, hexadecimal; undefined if it is the block. */
  payloadSha256?: string;
  /** Further named fields. */
  fields?: ReadonlyArray<readonly [name: string, value: string]>;
}

const LINE_END = '\r\n';
/** Byte of a gzip header with the operating system; 255 is unknown. */
const GZIP_SYSTEM_AT = 9;
const GZIP_UNKNOWN_SYSTEM = 255;

/** Returns the ID of a record: a UUID that is made of a text, so that it is the same each time. */
export function recordId(seed: string): string {
  const digits = hash('sha256', `microfiche ${seed}`);
  const variant = ((Number.parseInt(digits[16] as string, 16) & 0x3) | 0x8).toString(16);
  return `<urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}>`;
}

/** Returns a record as one gzip member, and its length. A file is not compressed: media files are compressed already. */
export function formatRecord(record: WarcRecord): { member: Uint8Array | GzipMember; length: number } {
  const { block } = record;
  const size = block instanceof Uint8Array ? block.length : block.size;
  const sha256 = block instanceof Uint8Array ? hash('sha256', block) : block.sha256;
  const head = Buffer.from(formatHead(record, size, sha256), 'utf8');
  const end = Buffer.from(LINE_END + LINE_END);
  if (!(block instanceof Uint8Array))
    return { member: { head, ...block, end }, length: storedGzipSize(head.length + size + end.length) };
  const member = gzipSync(Buffer.concat([head, block, end]));
  member[GZIP_SYSTEM_AT] = GZIP_UNKNOWN_SYSTEM;
  return { member, length: member.length };
}

function formatHead(record: WarcRecord, size: number, sha256: string): string {
  const { type, seed, date, uri, contentType, payloadSha256, fields = [] } = record;
  const lines: Array<readonly [string, string]> = [
    ['WARC-Type', type],
    ['WARC-Record-ID', recordId(seed)],
    ['WARC-Date', date],
    ...(uri === undefined ? [] : [['WARC-Target-URI', toTargetUri(uri)] as const]),
    ...(payloadSha256 === undefined ? [] : [['WARC-Payload-Digest', `sha256:${payloadSha256}`] as const]),
    ['WARC-Block-Digest', `sha256:${sha256}`],
    ...fields,
    ['Content-Type', contentType],
    ['Content-Length', String(size)],
  ];
  return ['WARC/1.1', ...lines.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`), '', ''].join(LINE_END);
}

/** Returns the URI that a request of a URL names: encoded, and without a fragment. */
export function toTargetUri(url: string): string {
  const parsed = URL.parse(url);
  if (parsed) parsed.hash = '';
  return parsed?.href ?? url;
}

/** The beginning of a request or response: its first line and headers. */
export function formatHttpHead(firstLine: string, headers: HeaderList): Buffer {
  return Buffer.from([firstLine, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join(LINE_END), 'latin1');
}

/** Headers that say how a body was sent. Stored bodies are decoded. */
const ENCODING_HEADERS = /^(?:content-encoding|transfer-encoding|content-length)$/i;

/**
 * Returns the headers of a response with a body that was decoded: the length is that of the body, and the original headers have
 * another name, as in other archives (X-Archive-Orig-…).
 */
export function headersOfDecoded(headers: HeaderList, bodyLength: number): HeaderList {
  const isEncoded = headers.some(([name]) => /^(?:content-encoding|transfer-encoding)$/i.test(name));
  if (!isEncoded) return headers;
  return [
    ...headers.map(([name, value]): readonly [string, string] => [
      ENCODING_HEADERS.test(name) ? `X-Archive-Orig-${name}` : name,
      value,
    ]),
    ['Content-Length', String(bodyLength)],
  ];
}

/** The key by which a CDXJ index is sorted: the host in reverse, without `www`, path and sorted query, in lower case. */
export function surtOf(url: string): string {
  const { hostname, port, pathname, search } = new URL(url.replace(/^(https?:\/\/)www\d*\./i, '$1').toLowerCase());
  // As it was requested: URLSearchParams would encode it in another way.
  const query = search && `?${search.slice(1).split('&').sort().join('&')}`;
  return `${hostname.split('.').reverse().join(',')}${port === '' ? '' : `:${port}`})${pathname}${query}`;
}
