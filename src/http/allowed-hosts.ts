/** Decides which hosts and network addresses a request may go to. Private addresses need a host that the operator named. */
import { type LookupAddress, type LookupOneOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { hostnameOf, isLocalName } from '../model/internal-host.ts';
import { NonRetryableError } from './errors.ts';

/** Hosts that requests may go to, as in URLs: `name:port`, without the default port of the scheme. */
export interface AllowedHosts {
  /** Hosts that the operator named: on the command line, in the configuration, or for an earlier harvest. */
  named: ReadonlySet<string>;
  /** Hosts that only a snapshot names, which another person may have made. They are contacted only at public addresses. */
  mentioned?: ReadonlySet<string>;
}

/** The block of IPv6 for the public internet (RFC 4291 §2.4). All else is local, reserved, or wraps an IPv4 address. */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Returns whether an IP address is public: not private, loopback, link-local, reserved, or a wrapped form of these. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(IPV6_GLOBAL_UNICAST, 3);
}

/** Returns why a host is not allowed, before its address is looked up; undefined if it may be. `host` is as in `AllowedHosts`. */
export function hostProblem(host: string, { named, mentioned }: AllowedHosts): string | undefined {
  if (named.has(host)) return undefined;
  if (mentioned?.has(host) !== true) return `${host} is not an allowed host (add --allow-host ${host})`;
  const hostname = hostnameOf(host);
  return ipaddr.isValid(hostname) && !isPublicAddress(hostname) ? `${host} is ${privateHostMessage(host)}` : undefined;
}

/**
 * Returns a lookup for the sockets of one host, which fails if none of its addresses is allowed. A private address is allowed
 * only if the operator named the host and also the address; naming `localhost` allows loopback addresses. Each connection is
 * checked, because the address of a name may change.
 */
export function createGuardedLookup(host: string, { named }: AllowedHosts): LookupFunction {
  const isNamed = named.has(host);
  const namedAddresses = new Set([...named].map(hostnameOf));
  const isLoopback = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
  const allowed = (hostname: string, address: string) =>
    isPublicAddress(address) || (isNamed && (namedAddresses.has(address) || (isLocalName(hostname) && isLoopback(address))));
  return (hostname, options, callback) => {
    lookup(hostname, { ...(options as LookupOneOptions), all: true }, (error, addresses) => {
      const respond = callback as (error: Error | null, address?: string | LookupAddress[], family?: number) => void;
      if (error) return respond(error);
      const usable = addresses.filter(({ address }) => allowed(hostname, address));
      const [first] = usable;
      if (first) return options.all ? respond(null, usable) : respond(null, first.address, first.family);
      const address = addresses[0]?.address ?? 'no address';
      const reason = isNamed
        ? `${hostname} is at ${address}, which is not on the public internet (to allow it, add --allow-host ${address})`
        : `${host} is at ${address}, ${privateHostMessage(host)}`;
      respond(new NonRetryableError(reason));
    });
  };
}

function privateHostMessage(host: string): string {
  return `not on the public internet, and only the snapshot names it (to allow it, add --allow-host ${host})`;
}
