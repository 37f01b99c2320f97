/** Remembers from build to build which pages there are and what each was made of, so that only pages that would change are rendered again. */
import { createHash } from 'node:crypto';

export interface Ledger {
  /**
   * Enters a page of this build, by its path below dist. `shown` gives all that the page is made of, the hash of its record's body included.
   * True when the page must be rendered: it is new, or something that it shows has changed.
   */
  enter(path: string, shown: () => unknown): boolean;
  /** A page that came out other than it should: it stays a page of this build, and the next one renders it again. */
  forget(path: string): void;
  /** Every page that was entered, with its key. */
  keys(): ReadonlyMap<string, string>;
}

export interface LedgerOptions {
  /** The keys of the last build. */
  previous: ReadonlyMap<string, string>;
  /** Whether the page's file is still where the last build has put it. */
  exists: (path: string) => boolean;
}

/** The key that no page has. */
const UNKNOWN = '';

export function createLedger({ previous, exists }: LedgerOptions): Ledger {
  const keys = new Map<string, string>();
  return {
    enter(path, shown) {
      keys.set(path, UNKNOWN); // what it shows may be what fails
      const key = createHash('sha256').update(JSON.stringify(shown())).digest('base64url');
      keys.set(path, key);
      return previous.get(path) !== key || !exists(path);
    },
    forget(path) {
      if (keys.has(path)) keys.set(path, UNKNOWN);
    },
    keys: () => keys,
  };
}
