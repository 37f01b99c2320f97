/** Reads and obeys robots.txt (RFC 9309), once a host. */
import robotsParser from 'robots-parser';
import type { Received } from '../model/received.ts';
import { FetchFailure, isRefusal } from './failure.ts';

/** What a host's robots.txt says to us. */
export interface Rules {
  /** Why an address may not be asked; undefined where it may. */
  refusal(url: string): string | undefined;
  /** Seconds between requests that it asks for. */
  crawlDelay: number | undefined;
}

const MAX_DELAY = 60;

/** Gives the rules of an origin (`https://host`), asked for with `get` when first wanted. @throws FetchFailure when the host cannot be reached. */
export function createRobots(
  get: (url: string) => Promise<Pick<Received, 'body'>>,
  product: string,
): (origin: string) => Promise<Rules> {
  const known = new Map<string, Promise<Rules>>();
  return (origin) => {
    const rules = known.get(origin) ?? readRules(`${origin}/robots.txt`, get, product);
    known.set(origin, rules);
    rules.catch(() => known.delete(origin));
    return rules;
  };
}

async function readRules(url: string, get: (url: string) => Promise<Pick<Received, 'body'>>, product: string): Promise<Rules> {
  let text: string;
  try {
    text = new TextDecoder().decode((await get(url)).body);
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.silent || isRefusal(error)) throw error;
    // RFC 9309 §2.3.1: none there, everything is allowed; a host that cannot say is not to be asked.
    if (error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429) text = '';
    else {
      const refusal = `${url} could not be read (${error.message}), and a host that cannot say what it allows is not asked; --ignore-robots would`;
      return { refusal: () => refusal, crawlDelay: undefined };
    }
  }
  const robots = robotsParser(url, text);
  const delay = robots.getCrawlDelay(product);
  return {
    refusal: (asked) =>
      robots.isAllowed(asked, product) === false ? `${url} asks programs not to read it; --ignore-robots would` : undefined,
    crawlDelay: delay !== undefined && delay > 0 ? Math.min(delay, MAX_DELAY) : undefined,
  };
}
