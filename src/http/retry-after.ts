/** Parses the delays that servers demand. */

/** The three forms of an HTTP date (RFC 9110 §5.6.7). */
const HTTP_DATE =
  /\b[a-z]{3,9}, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} (?:GMT|UTC|\+0000)|\b[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}/gi;

/** A longer delay is a time in seconds since 1970, as some servers send it. */
const MIN_TIME_MS = 1e12;

/**
 * Parses a Retry-After header into milliseconds: seconds, also with a fraction, which are rounded up, or an HTTP date, or
 * seconds since 1970. Of several values, the longest counts. Undefined if none can be read. Dates are compared with `date`, the
 * Date header of the response, if there is one.
 */
export function parseRetryAfter(header: string | undefined, date?: string): number | undefined {
  const now = parseHttpDate(date) ?? Date.now();
  const delays: number[] = [];
  const rest = (header ?? '').replace(HTTP_DATE, (found) => {
    delays.push(Math.max(0, (parseHttpDate(found) ?? now) - now));
    return '';
  });
  for (const part of rest.split(',').filter((each) => /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(each))) {
    const milliseconds = Math.ceil(Number(part)) * 1000;
    delays.push(milliseconds < MIN_TIME_MS ? milliseconds : Math.max(0, milliseconds - now));
  }
  return delays.length === 0 ? undefined : Math.max(...delays);
}

/** Parses an HTTP date into milliseconds since 1970; undefined if it is not one. */
export function parseHttpDate(header: string | undefined): number | undefined {
  const found = header?.match(HTTP_DATE)?.[0];
  const time = found === undefined ? Number.NaN : Date.parse(found.includes(',') ? found : `${found} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
