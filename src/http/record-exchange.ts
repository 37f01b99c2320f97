/** Records requests and responses as they are sent and received. */
import type { Dispatcher } from 'undici';
import type { Exchange, HeaderList } from '../model/response.ts';

/** Maximum bytes of a redirect’s body that are recorded. */
const MAX_REDIRECT_BODY_BYTES = 65_536;

/** Records one exchange, event by event. */
export interface ExchangeRecorder {
  /** Returns the exchange, whose body follows. */
  start(controller: Dispatcher.DispatchController, status: number, reason: string | undefined): Exchange;
  /** Adds a part of the body. */
  addBody(chunk: Buffer): void;
}

/** Creates the recorder of a request that is about to be sent. */
export function createExchangeRecorder({ method, origin, path, headers }: Dispatcher.DispatchOptions): ExchangeRecorder {
  const sentAt = new Date().toISOString();
  const url = new URL(path, String(origin));
  let exchange: Exchange | undefined;
  let size = 0;
  return {
    start(controller, status, reason) {
      exchange = {
        method,
        url: url.href,
        sentAt,
        // undici writes these two, in this order, before those that it gets.
        requestHeaders: [['host', url.host], ['connection', 'keep-alive'], ...toHeaderList(headers)],
        status,
        reason: reason ?? '',
        headers: toHeaderList(controller.rawHeaders),
        body: isRedirect(status) ? new Uint8Array() : undefined,
      };
      return exchange;
    },
    addBody(chunk) {
      if (!exchange || !isRedirect(exchange.status)) return;
      size += chunk.length;
      exchange.body =
        exchange.body === undefined || size > MAX_REDIRECT_BODY_BYTES ? undefined : Buffer.concat([exchange.body, chunk]);
    },
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Returns headers in any of undici’s forms: a flat list of names and values, pairs, or an object. */
function toHeaderList(headers: unknown): HeaderList {
  if (!headers) return [];
  if (!Array.isArray(headers)) {
    return Object.entries(headers as object).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, headerText(each)]),
    );
  }
  if (Array.isArray(headers[0])) return headers.map(([name, value]) => [headerText(name), headerText(value)]);
  return Array.from({ length: Math.floor(headers.length / 2) }, (_, i) => [
    headerText(headers[2 * i]),
    headerText(headers[2 * i + 1]),
  ]);
}

/** Returns a header as text. Each of its bytes is one character. */
function headerText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
}
