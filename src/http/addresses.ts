/** Which network addresses may be asked: those of the public internet, and private ones only where the user named them himself. */
import { type LookupAddress, type LookupAllOptions, type LookupOneOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refused } from './failure.ts';

/** Looks up all addresses of a host name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Whether an address belongs to the public internet: not private, loopback, link-local, reserved, or one of those in an IPv6 wrapping. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/**
 * A lookup for sockets that fails where a host's addresses may not be asked. `named` are the host names and addresses that the user gave,
 * without ports: a private address is among them, or it is refused; the name `localhost` stands for this machine's loopback addresses.
 * It guards each connection anew, so that no change of a name's address gets around it.
 */
export function guardedLookup(named: ReadonlySet<string>, resolve: Resolve = systemLookup): LookupFunction {
  const allowed = (hostname: string, address: string) =>
    isPublic(address) || named.has(address) || (isLocalName(hostname) && named.has(hostname) && isLoopback(address));
  return (hostname, options, callback) => {
    resolve(hostname, { ...(options as LookupOneOptions), all: true }, (error, addresses) => {
      const answer = callback as (error: Error | null, address?: string | LookupAddress[], family?: number) => void;
      if (error) return answer(error);
      const good = addresses.filter(({ address }) => allowed(hostname, address));
      const [first] = good;
      if (!first) {
        const [refused] = addresses;
        return answer(
          new Refused(
            `${hostname} is at ${refused?.address ?? 'no address'}, which is not on the public internet: if that is meant, name the address with --allow-host ${refused?.address ?? ''}`.trim(),
          ),
        );
      }
      return options.all ? answer(null, good) : answer(null, first.address, first.family);
    });
  };
}

function isLocalName(hostname: string): boolean {
  return /^(?:.+\.)?localhost$/.test(hostname);
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
