/** The proxies that the environment names: HTTP_PROXY, HTTPS_PROXY, and NO_PROXY for hosts that are reached without. */
import { type buildConnector, EnvHttpProxyAgent, Pool } from 'undici';
import { UsageError } from '../model/errors.ts';
import { toPrintable } from '../platform/text-lines.ts';
import { isTlsProblem, ProxyError } from './errors.ts';

/** A proxy, and the environment variable that names it. */
interface Proxy {
  variable: string;
  url: URL;
}

/**
 * Returns the proxies for both schemes. As with curl, one may be written without `http://`.
 * @throws {UsageError} if a variable names none
 */
export function readProxies(env: Readonly<Record<string, string | undefined>>) {
  const read = (lowerCase: string): Proxy | undefined => {
    const variable = [lowerCase, lowerCase.toUpperCase()].find((name) => env[name]);
    const value = (variable && env[variable]?.trim()) ?? '';
    if (variable === undefined || value === '') return undefined;
    const url = URL.parse(/^[^/?#]+:\d+\/?$/.test(value) ? `http://${value}` : value);
    if (url && /^(?:https?|socks5?):\/\/./.test(url.href)) return { variable, url };
    const shown = toPrintable(value.replace(/^([a-z\d+.-]+:\/\/)?.*@/i, '$1…@'), 100);
    throw new UsageError(`${variable} is not a URL: "${shown}". Expected a proxy, for example http://proxy.example.org:3128.`);
  };
  return { http: read('http_proxy'), https: read('https_proxy') };
}

/** Creates the connections to a host. `connect` is a function if they go through a proxy. */
type PoolFactory = (origin: string | URL, options: Pool.Options) => Pool;

/** Returns an agent that sends requests through these proxies. They look up names themselves. This machine is reached without. */
export function createProxyAgent(createPool: PoolFactory = (origin, options) => new Pool(origin, options)): EnvHttpProxyAgent {
  const { no_proxy: without = process.env['NO_PROXY'] } = process.env;
  const noProxy = without === '*' ? without : ['localhost', '127.0.0.1', '::1', without ?? []].flat().join();
  const { http, https = http } = readProxies(process.env);
  return new EnvHttpProxyAgent({
    noProxy,
    ...(http && { httpProxy: http.url.href }),
    ...(https && { httpsProxy: https.url.href }),
    factory: (origin: string | URL, { connect, ...options }: Pool.Options) => {
      // What is not in a tunnel goes to the proxy itself.
      const proxy = String(origin) === http?.url.href ? http : https;
      const through = proxy && typeof connect === 'function' ? connectThrough(connect, proxy) : connect;
      return createPool(origin, { ...options, ...(through && { connect: through }) });
    },
  });
}

/** Returns a connector whose errors say that they are of a proxy. Those of TLS in a tunnel are of the archive. */
function connectThrough(connect: buildConnector.connector, { variable, url }: Proxy): buildConnector.connector {
  return (target, done) =>
    connect(target, (...result) => {
      const [cause] = result;
      const isOfProxy = cause !== null && !(url.protocol === 'http:' && isTlsProblem(cause));
      return isOfProxy ? done(new ProxyError(`the proxy ${url.host} of ${variable}`, { cause }), null) : done(...result);
    });
}
