/** Records requests and responses as they are sent and received. */
import type { Exchange, HeaderList } from '../model/response.ts';
import { IGNORED_LENGTH } from './response-heads.ts';

/** Maximum bytes of a redirect’s body that are recorded. */
const MAX_REDIRECT_BODY_BYTES = 65_536;

/** Returns the headers of a request, as undici sends them: it writes two before those that it gets. */
export function sentHeaders({ host }: URL, headers: Readonly<Record<string, string>>): HeaderList {
  return [['host', host], ['connection', 'keep-alive'], ...Object.entries(headers)];
}

/** Returns the headers of a response, as received, from undici’s flat list of names and values. */
export function receivedHeaders(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length / 2 }, (_, i) => {
    const name = raw[2 * i] as string;
    return [name === IGNORED_LENGTH ? 'Content-Length' : name, raw[2 * i + 1] as string];
  });
}

/** Reads the body of a redirect into its exchange, unless it is too long. */
export async function recordBody(exchange: Exchange, body: AsyncIterable<Buffer>): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_REDIRECT_BODY_BYTES) return;
    chunks.push(chunk);
  }
  exchange.body = Buffer.concat(chunks);
}
