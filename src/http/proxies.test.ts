import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { explainTransportError } from './errors.ts';
import { createProxyAgent, readProxies } from './proxies.ts';

describe('readProxies', () => {
  it.each([
    [{ HTTP_PROXY: '127.0.0.1:3128' }, { http: 'http://127.0.0.1:3128/' }],
    [{ HTTP_PROXY: 'jane:pass@proxy:3128' }, { http: 'http://jane:pass@proxy:3128/' }],
    [{ https_proxy: 'https://proxy.example', HTTPS_PROXY: 'http://other:1' }, { https: 'https://proxy.example/' }],
    [{ HTTP_PROXY: 'socks5://[::1]:1080' }, { http: 'socks5://[::1]:1080' }],
    [{ HTTP_PROXY: '', https_proxy: '' }, {}],
  ])('reads %j', (env, expected) => {
    const { http, https } = readProxies(env);
    expect({ ...(http && { http: http.url.href }), ...(https && { https: https.url.href }) }).toEqual(expected);
  });

  it.each(['nonsense', 'ftp://proxy:21', 'http://', 'proxy:port'])('refuses %s', (HTTP_PROXY) => {
    expect(() => readProxies({ HTTP_PROXY })).toThrow(
      `HTTP_PROXY is not a URL: "${HTTP_PROXY}". Expected a proxy, for example http://proxy.example.org:3128.`,
    );
  });

  it('does not print the password of a proxy', () => {
    expect(() => readProxies({ HTTP_PROXY: 'ftp://jane:secret@proxy' })).toThrow('"ftp://…@proxy"');
  });
});

/** Returns what is said of a request through a proxy. */
async function explainThrough(proxy: string, target: string): Promise<string> {
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, undefined);
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, proxy);
  onTestFinished(() => void vi.unstubAllEnvs());
  return await request(target, { dispatcher: createProxyAgent() }).then(
    ({ statusCode }) => `HTTP ${statusCode}`,
    (error: unknown) => explainTransportError(error).message,
  );
}

describe('what fails at a proxy', () => {
  it.each(['http', 'https'])('is not said of the archive: %s', async (scheme) => {
    expect(await explainThrough('127.0.0.1:1', `${scheme}://archive.example/`)).toBe(
      `the proxy 127.0.0.1:1 of ${scheme.toUpperCase()}_PROXY: connection refused`,
    );
  });

  it('is also what it refuses', async () => {
    const server = createServer().on('connect', (_, socket) => void socket.end('HTTP/1.1 407 Denied\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await explainThrough(host, 'https://archive.example/')).toBe(`the proxy ${host} of HTTPS_PROXY: HTTP 407`);
  });
});
