/** Tells the hosts that only their own network reaches, such as the internal storage of an archive. */
import ipaddr from 'ipaddr.js';

/** One word, or a domain that the public name system does not have (RFC 6762, RFC 8375, .internal of ICANN). */
const INTERNAL_NAME = /^[^.]+$|\.(?:local|localdomain|internal|intranet|lan|corp|private|home\.arpa)$/i;
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** Whether only its own network reaches a host of a URL. Not loopback addresses, which may be the operator's own. */
export function isInternalHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false; // in a report that another program wrote
  const name = hostnameOf(host).replace(/\.$/, '');
  if (ipaddr.isValid(name)) return PRIVATE_RANGES.has(ipaddr.process(name).range());
  return !isLocalName(name) && INTERNAL_NAME.test(name);
}

/** Returns a host as in URLs without its port and brackets. */
export const hostnameOf = (host: string): string => new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');

/** Returns whether a host name is that of the machine itself. */
export const isLocalName = (hostname: string): boolean => /^(?:.+\.)?localhost$/.test(hostname);
