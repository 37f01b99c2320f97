/** Reads and writes the exchanges of stored bodies and media files. */
import type { DatabaseSync } from 'node:sqlite';
import { tryParse } from '../model/json.ts';
import type { Exchange, HeaderList } from '../model/response.ts';
import { isObject } from '../model/values.ts';
import type { StoredExchange } from './row-types.ts';
import { blob, integer, isMoment, isWebUrl, type Row, texts } from './rows.ts';
import { prepareStatement, type Store } from './store.ts';

/** What exchanges belong to: a body of the table `response` by its ID, or a media file by its URL. */
export type ExchangeTarget = { response: number | bigint } | { media: string };

/** SQL: the columns that `exchangeRow` reads. */
export const EXCHANGE_COLUMNS = `${integer('position')}, ${texts('method', 'url', 'sent_at', 'request_headers', 'reason', 'headers')},
  ${integer('status')}, ${blob('body')}`;

const METHOD = /^[A-Z]{1,20}$/;
/** A token of HTTP. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** Bytes as characters, without line breaks and other control characters. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const MAX_HEADERS = 1_000;

/** Returns a function that writes the exchanges of a body or media file. Those that it had before are deleted. */
export function createExchangeWriter(db: DatabaseSync): (target: ExchangeTarget, exchanges: readonly Exchange[]) => void {
  const deleteBefore = db.prepare('DELETE FROM exchange WHERE response = ? OR media = ?');
  const insert = db.prepare(
    `INSERT INTO exchange (response, media, position, method, url, sent_at, request_headers, status, reason, headers, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (target, exchanges) => {
    const [response, media] = 'response' in target ? [target.response, null] : [null, target.media];
    deleteBefore.run(response, media);
    for (const [position, exchange] of exchanges.entries()) {
      const { method, url, sentAt, requestHeaders, status, reason, headers, body } = exchange;
      const [sent, received] = [JSON.stringify(requestHeaders), JSON.stringify(headers)];
      insert.run(response, media, position, method, url, sentAt, sent, status, reason, received, body ?? null);
    }
  };
}

/** Returns the exchanges of a body or media file, in order; none if they are not stored or one of their rows is invalid. */
export function readExchanges(store: Store, target: ExchangeTarget): StoredExchange[] {
  const [column, value] = 'response' in target ? ['response', target.response] : ['media', target.media];
  const rows = prepareStatement(
    store,
    `SELECT ${EXCHANGE_COLUMNS} FROM exchange WHERE ${column} = ? ORDER BY exchange.position`,
  ).all(value as string);
  const exchanges = rows.flatMap((row) => exchangeRow(row) ?? []);
  return exchanges.length === rows.length && exchanges.every(({ position }, i) => position === i) ? exchanges : [];
}

/** Returns why a row of `exchange` is invalid; undefined if it is valid. */
export function exchangeProblem(row: Row): string | undefined {
  const { position, method, url, sent_at: sentAt, request_headers: sent, status, reason, headers } = row;
  if (typeof position !== 'number' || position < 0) return 'its position is not a number';
  if (typeof method !== 'string' || !METHOD.test(method)) return 'its method is not one of HTTP';
  if (!isWebUrl(url)) return 'its URL is not an http(s) URL';
  if (!isMoment(sentAt)) return 'its time is not a valid time';
  if (typeof status !== 'number' || status < 100 || status > 999) return 'its status is not one of HTTP';
  if (typeof reason !== 'string' || !HEADER_TEXT.test(reason)) return 'its reason phrase is not one line of text';
  return headersIn(sent) && headersIn(headers) ? undefined : 'its headers are not a JSON array of names and values';
}

/** Reads an exchange as JSON that another program may have written; undefined if invalid. Does not read its body. */
export function parseExchange(value: unknown): Exchange | undefined {
  if (!isObject(value)) return undefined;
  const { method, url, sentAt, requestHeaders, status, reason, headers } = value;
  const [sent, received] = [requestHeaders, headers].map((list) => JSON.stringify(list) ?? null);
  const row: Row = { position: 0, method, url, sent_at: sentAt, request_headers: sent, status, reason, headers: received };
  return exchangeRow(row);
}

function exchangeRow(row: Row): StoredExchange | undefined {
  if (exchangeProblem(row) !== undefined) return undefined;
  const { position, method, url, status, reason } = row as unknown as StoredExchange;
  const { sent_at: sentAt, request_headers: sent, headers, body } = row;
  return {
    ...{ position, method, url, sentAt: sentAt as string, requestHeaders: headersIn(sent) as HeaderList },
    ...{ status, reason, headers: headersIn(headers) as HeaderList, body: body instanceof Uint8Array ? body : undefined },
  };
}

function headersIn(json: unknown): HeaderList | undefined {
  const read = typeof json === 'string' ? tryParse(json) : undefined;
  if (!Array.isArray(read) || read.length > MAX_HEADERS) return undefined;
  return read.every(isHeader) ? (read as HeaderList) : undefined;
}

function isHeader(pair: unknown): boolean {
  if (!Array.isArray(pair) || pair.length !== 2) return false;
  const [name, value] = pair as unknown[];
  return typeof name === 'string' && HEADER_NAME.test(name) && typeof value === 'string' && HEADER_TEXT.test(value);
}
