/** Why an answer could not be had, in words for a report. */

/** An answer that could not be had, after all tries. */
export class FetchFailure extends Error {
  override name = 'FetchFailure';
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** Requests made; 0 where it was refused before any. */
  readonly attempts: number;
  /** The host as a whole cannot be reached; to ask it for anything else is in vain. */
  readonly silent: boolean;
  constructor(message: string, status: number | undefined, attempts: number, options: ErrorOptions & { silent?: boolean } = {}) {
    super(message, options);
    this.status = status;
    this.attempts = attempts;
    this.silent = options.silent ?? false;
  }
}

/** What no further try can mend: a limit that was reached, an address that may not be asked. Its message says all. */
export class Refused extends Error {
  override name = 'Refused';
}

/** Answers that another try may turn into good ones; some of them say when (Retry-After). */
export const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What went wrong with one host on the way to an answer: after a redirect it need not be the host that was asked first. */
export class AtHost extends Error {
  override name = 'AtHost';
  /** As in a URL: `name:port`. */
  readonly host: string;
  constructor(host: string, cause: Error) {
    super(cause.message, { cause });
    this.host = host;
  }
}

/** Ends the asking for an answer at once, through no fault of the host's: a full disk, a limit of ours. Its cause is what is thrown in the end. */
export class Halt extends Error {
  override name = 'Halt';
}

/** Whether an error comes from a refusal of ours, however it was wrapped on its way. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && (error instanceof Refused || isRefusal(error.cause));
}

/** The host could not be reached. */
const SILENCE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  EHOSTDOWN: 'the host is down',
  ENETUNREACH: 'the network cannot be reached',
  ENETDOWN: 'the network is down',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
};

const TROUBLE: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed half-way',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  UND_ERR_SOCKET: 'the connection was closed half-way',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as its Content-Length says',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
};

export interface Explained {
  message: string;
  silent: boolean;
  /** Whether another try may end better. */
  passing: boolean;
}

/** What an error of the exchange means. */
export function explainExchange(error: unknown): Explained {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Refused) return { message: cause.message, silent: false, passing: false };
    const { code } = cause as { code?: string };
    // We ended it ourselves, and know why.
    if (code === 'UND_ERR_ABORTED') return { message: cause.message, silent: false, passing: false };
    if (code !== undefined && SILENCE[code]) return { message: SILENCE[code], silent: true, passing: true };
    if (code !== undefined && TROUBLE[code]) return { message: TROUBLE[code], silent: false, passing: true };
    if (cause.name === 'HTTPParserError')
      return { message: 'the answer is no HTTP that can be read', silent: false, passing: true };
  }
  return { message: (error as Error).message || String(error), silent: false, passing: true };
}
