/** Reads upstream's timestamps, and writes them for programs without claiming a time zone that upstream does not state. */

/** Characters. Longer texts are not timestamps. */
const MAX_LENGTH = 50;
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Returns a timestamp in ISO 8601: `2019-03-02T09:53:47`, with `Z` or an offset only if upstream states one, or `2019-03-02`
 * without a time. Reads a space instead of the T, fractions of a second, and any form of offset. Returns undefined for anything
 * else, also for 30 February.
 */
export function readTimestamp(text: string | undefined): string | undefined {
  const parts = text === undefined || text.length > MAX_LENGTH ? null : TIMESTAMP.exec(text.trim());
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second = '00', zone] = parts;
  const date = `${year}-${month}-${day}`;
  if (!isDay(date)) return undefined;
  if (hour === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = zone === undefined ? '' : readOffset(zone);
  return offset === undefined ? undefined : `${date}T${hour}:${minute}:${second}${offset}`;
}

function isDay(date: string): boolean {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date);
}

function readOffset(zone: string): string | undefined {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 'Z';
  return Number(hours) <= 14 && Number(minutes) <= 59 ? `${sign}${hours}:${minutes}` : undefined;
}

/** Whether a timestamp of `readTimestamp` states its offset from UTC. */
const hasZone = (timestamp: string): boolean => /(?:Z|[+-]\d\d:\d\d)$/.test(timestamp);

/**
 * Returns a timestamp of `readTimestamp` as in RFC 3339, which Atom requires. `-00:00` means there that the offset is unknown
 * (section 4.3). A day begins at 00:00.
 */
export function toRfc3339(timestamp: string): string {
  if (hasZone(timestamp)) return timestamp;
  return `${timestamp}${timestamp.includes('T') ? '' : 'T00:00:00'}-00:00`;
}

/** Returns a timestamp of `readTimestamp` in W3CDTF (W3C's profile of ISO 8601): without a zone, only the day remains. */
export const toW3cdtf = (timestamp: string): string => (hasZone(timestamp) ? timestamp : timestamp.slice(0, 'YYYY-MM-DD'.length));

/** Returns the instant of a timestamp of `readTimestamp`, in milliseconds, for sorting. Without a zone it counts as UTC. */
export const instantOf = (timestamp: string): number => Date.parse(toRfc3339(timestamp));
