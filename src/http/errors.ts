/** Errors of HTTP requests, and their explanations for a report. */
import codes from './error-codes.json' with { type: 'json' };

/** A request that failed after all attempts. Its message is a clause for a report. */
export class FetchError extends Error {
  override name = 'FetchError';
  /** Status of the last response; undefined if there was none. */
  readonly status: number | undefined;
  /** Requests sent; 0 if none was allowed. */
  readonly attempts: number;
  /** Whether the host is unreachable, so that other requests to it would fail too. */
  readonly hostUnreachable: boolean;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** Until when the host demands to wait (ISO 8601 in UTC), if we do not. `hostUnreachable` is then true. */
  readonly resumeAt: string | undefined;
  constructor(
    message: string,
    status: number | undefined,
    attempts: number,
    options: ErrorOptions & { hostUnreachable?: boolean; transient?: boolean; resumeAt?: string } = {},
  ) {
    super(message, options);
    this.status = status;
    this.attempts = attempts;
    this.hostUnreachable = options.hostUnreachable ?? false;
    this.transient = options.transient ?? false;
    this.resumeAt = options.resumeAt;
  }
}

/** A delay that a host demands. */
export interface Delay {
  milliseconds: number;
  host: string;
}

/** A later time to resume is not believed: a year. */
const MAX_DELAY_MS = 31_536_000_000;

/** Returns the error of all requests to a host that demands a delay, if we do not wait. `message` says what it responded. */
export function createRefusal({ milliseconds, host }: Delay, message: string, now = Date.now()): FetchError {
  const resumeAt = `${new Date(now + Math.min(milliseconds, MAX_DELAY_MS) + 59_999).toISOString().slice(0, 16)}:00Z`;
  const cause = `${host} asks us to wait until ${resumeAt.slice(0, 16).replace('T', ' ')} UTC (${message})`;
  return new FetchError(cause, undefined, 0, { hostUnreachable: true, transient: true, resumeAt });
}

/** An error that no retry can fix: a limit was exceeded, or a URL must not be requested. Its message is a clause for a report. */
export class NonRetryableError extends Error {
  override name = 'NonRetryableError';
}

/** Status codes of transient errors. Their responses may have a Retry-After header. */
export const RETRYABLE_STATUS_CODES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Ends a request without a retry, for a local reason such as a full disk. The client throws its cause. */
export class LocalError extends Error {
  override name = 'LocalError';
}

/** Returns whether an error is a `NonRetryableError`, or was caused by one. */
export function isNonRetryable(error: unknown): boolean {
  return error instanceof Error && (error instanceof NonRetryableError || isNonRetryable(error.cause));
}

/** What codes of errors mean: that a host is unreachable, or that a connection to it failed. */
const CODES: Readonly<Record<keyof typeof codes, Readonly<Record<string, string>>>> = codes;

/** Problems of TLS by their codes. */
const TLS_PROBLEMS: ReadonlyArray<readonly [code: RegExp, message: string]> = [
  [/^EPROTO$|WRONG_VERSION/, 'the server does not answer in TLS: try http://'],
  [/CERT|^UNABLE_TO_/, 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority'],
];

/** Returns whether an error, or what caused it, is a problem of TLS. */
export function isTlsProblem(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  return TLS_PROBLEMS.some(([name]) => name.test(code)) || isTlsProblem(cause);
}

/** A proxy cannot be reached, or makes no connection. Its message names the proxy. */
export class ProxyError extends Error {
  override name = 'ProxyError';
}

/** Explains a transport error by its first known cause: a clause for a report, and whether a retry may help (`retryable`). */
export function explainTransportError(error: unknown): { message: string; hostUnreachable: boolean; retryable: boolean } {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as { code?: string };
    if (cause instanceof ProxyError) {
      const { message, ...rest } = explainTransportError(cause.cause);
      return { ...rest, message: `${cause.message}: ${message.replace(/^Proxy response \((\d+)\).*$/, 'HTTP $1')}` };
    }
    // If we aborted the request ourselves, the message says why.
    if (cause instanceof NonRetryableError || code === 'UND_ERR_ABORTED')
      return { message: cause.message, hostUnreachable: false, retryable: false };
    const isUnreachable = CODES.unreachable[code] !== undefined;
    const invalid =
      cause.name === 'HTTPParserError' || code === 'ERR_ASSERTION'
        ? 'the response is not valid HTTP'
        : TLS_PROBLEMS.find(([name]) => name.test(code))?.[1];
    const message = CODES.unreachable[code] ?? CODES.failed[code] ?? invalid;
    if (message !== undefined) return { message, hostUnreachable: isUnreachable, retryable: true };
  }
  return { message: (error as Error).message || String(error), hostUnreachable: false, retryable: true };
}
