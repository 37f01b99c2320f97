/** Posts JSON to a URL that the operator named, such as a webhook. */
import { request } from 'undici';
import { decodePercent } from '../model/text/percent.ts';
import { explainTransportError } from './errors.ts';
import { createProxyAgent } from './proxies.ts';

/** How long the server may take until it has responded. */
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Posts JSON once. Returns why that failed, as a clause; undefined if the response has a status from 200 to 299.
 *
 * The steps for requests to upstream (`pipeline.ts`) do not apply: the operator named this very URL, also if it is a private
 * address, and robots.txt is for crawlers. A redirect is not followed, because it could name another host.
 */
export async function postJson(url: string, json: string, userAgent: string, timeoutMs = TIMEOUT_MS) {
  const target = new URL(url);
  const credentials = [target.username, target.password].map(decodePercent).join(':');
  target.username = '';
  target.password = '';
  try {
    const response = await request(target.href, {
      method: 'POST',
      dispatcher: createProxyAgent(),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
      body: json,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body.dump({ limit: MAX_RESPONSE_BYTES });
    const { statusCode: status } = response;
    if (status >= 200 && status < 300) return undefined;
    return status >= 300 && status < 400 ? `HTTP ${status}; redirects are not followed` : `HTTP ${status}`;
  } catch (error) {
    return (error as Error).name === 'TimeoutError'
      ? `no response in ${timeoutMs / 1000} s`
      : explainTransportError(error).message;
  }
}
