/** Which hosts and network addresses a request may go to: hosts by name, and private addresses only if the user named them on this machine. */
import { type LookupAddress, type LookupAllOptions, type LookupOneOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refused } from './failure.ts';

/** Hosts as URLs have them: `name:port`, the port only if it is not the scheme's own. */
export interface AllowedHosts {
  /** Named by the user on this machine: on the command line, in the config, or for an earlier harvest. */
  named: ReadonlySet<string>;
  /** Named only by a snapshot that another person may have made: requested only at addresses of the public internet. */
  mentioned?: ReadonlySet<string>;
}

/** Looks up all addresses of a host name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The part of IPv6 that is given out for the public internet (RFC 4291 §2.4). Everything else is local, reserved, or wraps an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Whether an address belongs to the public internet: not private, loopback, link-local, reserved, or one of those wrapped in an IPv6 address. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST, 3);
}

/** Why a request to a host is refused before its address is looked up; undefined if it may go on. `host` as in AllowedHosts. */
export function hostProblem(host: string, { named, mentioned }: AllowedHosts): string | undefined {
  if (named.has(host)) return undefined;
  if (mentioned?.has(host) !== true) return `${host} is not a host that was named; add it with --allow-host if it is meant`;
  const bare = hostnameOf(host);
  return ipaddr.isValid(bare) && !isPublic(bare) ? `${host} is ${privateHost(host)}` : undefined;
}

/**
 * A lookup for the sockets of one host, which fails if none of its addresses is allowed. A private address is allowed only if the user
 * named this host, and the address too; the name `localhost` stands for this machine's loopback addresses. It guards each connection
 * anew, so that a name whose address changes gains nothing.
 */
export function guardedLookup(host: string, { named }: AllowedHosts, resolve: Resolve = systemLookup): LookupFunction {
  const isNamed = named.has(host);
  const addresses = new Set([...named].map(hostnameOf));
  const allowed = (hostname: string, address: string) =>
    isPublic(address) || (isNamed && (addresses.has(address) || (isLocalName(hostname) && isLoopback(address))));
  return (hostname, options, callback) => {
    resolve(hostname, { ...(options as LookupOneOptions), all: true }, (error, found) => {
      const answer = callback as (error: Error | null, address?: string | LookupAddress[], family?: number) => void;
      if (error) return answer(error);
      const good = found.filter(({ address }) => allowed(hostname, address));
      const [first] = good;
      if (first) return options.all ? answer(null, good) : answer(null, first.address, first.family);
      const address = found[0]?.address ?? 'no address';
      answer(
        new Refused(
          isNamed
            ? `${hostname} is at ${address}, which is not on the public internet: if that is meant, name the address with --allow-host ${address}`
            : `${host} is at ${address}, ${privateHost(host)}`,
        ),
      );
    });
  };
}

function privateHost(host: string): string {
  return `not on the public internet, and only the snapshot names it; add --allow-host ${host} if it is meant`;
}

/** A host without its port and brackets. */
function hostnameOf(host: string): string {
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}

function isLocalName(hostname: string): boolean {
  return /^(?:.+\.)?localhost$/.test(hostname);
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
