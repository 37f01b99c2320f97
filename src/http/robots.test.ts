import { describe, expect, it } from 'vitest';
import { explainTransportError, FetchError } from './errors.ts';
import { createRobotsCache } from './robots.ts';

/** Returns why a URL is disallowed if robots.txt fails with an error of this code. */
async function reasonAfter(code: string): Promise<string | undefined> {
  const cause = Object.assign(new Error(code), { code });
  const robots = createRobotsCache(
    () => Promise.reject(new FetchError(explainTransportError(cause).message, undefined, 1, { cause })),
    'x',
  );
  return (await robots('https://a.example')).disallowedReason('https://a.example/x');
}

describe('without robots.txt', () => {
  it('nothing is requested, and an operator can decide otherwise', async () => {
    expect(await reasonAfter('ECONNRESET')).toMatch(/could not be read \(the connection was reset\), .*--ignore-robots\)$/);
  });

  it.each(['EPROTO', 'SELF_SIGNED_CERT_IN_CHAIN'])('of a server with a problem of TLS, only that is said: %s', async (code) => {
    const message = explainTransportError(Object.assign(new Error(code), { code })).message;
    expect(await reasonAfter(code)).toBe(`https://a.example/robots.txt could not be read (${message})`);
  });
});
