/** The proxies that the environment names: HTTP_PROXY, HTTPS_PROXY, and NO_PROXY for hosts that are reached without. */
import { EnvHttpProxyAgent } from 'undici';

/** Returns an agent that sends requests through these proxies. They look up names themselves. This machine is reached without. */
export function createProxyAgent(options: EnvHttpProxyAgent.Options = {}): EnvHttpProxyAgent {
  const { no_proxy: without = process.env['NO_PROXY'] } = process.env;
  const noProxy = without === '*' ? without : ['localhost', '127.0.0.1', '::1', without ?? []].flat().join();
  return new EnvHttpProxyAgent({ ...options, noProxy });
}
