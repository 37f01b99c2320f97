/** Checks the Host header, so that a web page whose host name resolves to this machine (DNS rebinding) cannot read anything. */
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an IP address can be reached only from this machine. */
export const isLoopback = (address: string): boolean => address === '::1' || /^127\.|^::ffff:127\./.test(address);

/** Whether an IP address represents all addresses of the machine. */
export const isWildcardAddress = (address: string): boolean => address === '0.0.0.0' || address === '::';

/**
 * Returns a function that tests whether a Host header names this server: `host` is what the operator gave, `address` the IP
 * address that the server is bound to. Of the hosts in `allowed`, `name` is accepted with any port, `name:port` with that one.
 */
export function createHostCheck(host: string, { address, port }: AddressInfo, allowed: readonly string[]) {
  const machineHosts = new Set([...LOOPBACK_NAMES, urlHost(host), urlHost(address)]);
  const everywhere = isWildcardAddress(address);
  return (header: string | undefined) => {
    const requested = parseHostHeader(header);
    if (!requested) return false;
    if (allowed.includes(requested.name) || allowed.includes(`${requested.name}:${requested.port}`)) return true;
    return requested.port === port && (machineHosts.has(requested.name) || (everywhere && machineNames().has(requested.name)));
  };
}

/** What a proxy adds. By default, nginx adds nothing; before 1.29.7, it forwarded as HTTP/1.0. */
const FORWARDED = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** Returns whether a request says that a proxy on this machine forwards it. A proxy that adds nothing is not noticed. */
export function isForwarded({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  return httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.test(name));
}

/** Parses a Host header; undefined if it is malformed. The default port is 80. */
export function parseHostHeader(header: string | undefined): { name: string; port: number } | undefined {
  if (header === undefined || !/^[^\s/?#@\\]+$/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname: name, port } = new URL(`http://${header}`);
  return { name: name.replace(/\.$/, ''), port: port === '' ? 80 : Number(port) };
}

/** Returns the machine's current name and IP addresses. */
function machineNames(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((group) => group ?? []);
  return new Set([hostname(), ...addresses.map(({ address }) => address)].map(urlHost));
}

/** Returns a name or IP address as the host of a URL. */
function urlHost(host: string): string {
  const bare = host.replace(/%.*$/, '');
  return parseHostHeader(isIPv6(bare) ? `[${bare}]` : bare)?.name ?? bare;
}
