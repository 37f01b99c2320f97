/** Fetches robots.txt once per host, and applies it (RFC 9309). */
import robotsParser from 'robots-parser';
import { cached } from '../formats/cached.ts';
import type { UpstreamResponse } from '../model/response.ts';
import { FetchError, isNonRetryable, isTlsProblem } from './errors.ts';

/** The robots.txt rules of a host that apply to us. */
export interface RobotsRules {
  /** Returns why a URL is disallowed, as a clause for a report; undefined if it is allowed. */
  disallowedReason(url: string): string | undefined;
  /** Whether robots.txt could not be read, so that a later run may be allowed what this one is not. */
  transient: boolean;
  /** Crawl-delay in seconds, maximum 60; undefined if there is none. */
  crawlDelaySeconds: number | undefined;
}

const MAX_CRAWL_DELAY_S = 60;

/**
 * Returns a function that returns the rules of an origin (`https://host`). It fetches them with `get` when they are first needed.
 * `product` is our name in the User-Agent.
 * @throws {FetchError} from that function, if the host is unreachable or robots.txt must not be requested.
 */
export function createRobotsCache(get: (url: string) => Promise<Pick<UpstreamResponse, 'body'>>, product: string) {
  return cached(Number.POSITIVE_INFINITY, async (origin: string): Promise<RobotsRules> => {
    const url = `${origin}/robots.txt`;
    let text: string;
    try {
      text = new TextDecoder().decode((await get(url)).body);
    } catch (error) {
      if (!(error instanceof FetchError) || error.hostUnreachable || isNonRetryable(error)) throw error;
      // RFC 9309 §2.3.1: without robots.txt, everything is allowed; if it cannot be fetched, everything is disallowed.
      if (error.status !== undefined && error.status >= 400 && error.status < 500) text = '';
      else {
        const problem = `${url} could not be read (${error.message})`;
        // Nothing else can be read either.
        const reason = isTlsProblem(error)
          ? problem
          : `${problem}, so everything on this host is disallowed for now. Try again later (override with --ignore-robots)`;
        return { disallowedReason: () => reason, transient: true, crawlDelaySeconds: undefined };
      }
    }
    const robots = robotsParser(url, text);
    const delay = robots.getCrawlDelay(product);
    return {
      disallowedReason: (requested) =>
        robots.isAllowed(requested, product) === false ? `disallowed by ${url} (override with --ignore-robots)` : undefined,
      transient: false,
      crawlDelaySeconds: delay !== undefined && delay > 0 ? Math.min(delay, MAX_CRAWL_DELAY_S) : undefined,
    };
  });
}
