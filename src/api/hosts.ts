/** Which host names a server answers to, so that a web page elsewhere that points its own name at this machine (DNS rebinding) reads nothing. */
import { isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

export interface Bound {
  /** What the user asked to listen on: a name or an address. */
  host: string;
  /** What the system listens on, and its port. */
  address: string;
  port: number;
  /** Further hosts, as URLs write them: `name` answers at any port, `name:port` at that one. */
  allowed: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address is one that only this machine reaches. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\.|^::ffff:127\./.test(address);
}

/** Whether an address stands for all of the machine's. */
export function isEverywhere(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Tells whether a request's Host header names this server. */
export function createHostCheck({ host, address, port, allowed }: Bound): (header: string | undefined) => boolean {
  const own = new Set([...LOOPBACK, written(host), written(address)]);
  const everywhere = isEverywhere(address);
  return (header) => {
    const asked = readHost(header);
    if (!asked) return false;
    if (allowed.includes(asked.name) || allowed.includes(`${asked.name}:${asked.port}`)) return true;
    return asked.port === port && (own.has(asked.name) || (everywhere && machineNames().has(asked.name)));
  };
}

/** Name and port out of a Host header; undefined for what is none. */
export function readHost(header: string | undefined): { name: string; port: number } | undefined {
  if (header === undefined || !/^[^\s/?#@\\]+$/.test(header) || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname: name, port } = new URL(`http://${header}`);
  return { name: name.replace(/\.$/, ''), port: port === '' ? 80 : Number(port) };
}

/** The machine's own name and addresses, as they are now. */
function machineNames(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((ones) => ones ?? []);
  return new Set([hostname(), ...addresses.map(({ address }) => address)].map(written));
}

/** A name or address as the host of a URL. */
function written(host: string): string {
  const bare = host.replace(/%.*$/, '');
  return readHost(isIPv6(bare) ? `[${bare}]` : bare)?.name ?? bare;
}
