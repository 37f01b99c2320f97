/** Remembers from build to build which pages there are and what each was made of, so that only pages that would change are rendered again. */
import { createHash } from 'node:crypto';

export interface Ledger {
  /**
   * Enters a page of this build, by its path below dist. `shown` is all that the page is made of, the hash of its record's body included.
   * True when the page must be rendered: it is new, or something that it shows has changed.
   */
  enter(path: string, shown: unknown): boolean;
  /** Every page that was entered, with its key. */
  pages(): ReadonlyMap<string, string>;
}

/** A ledger that goes on from `previous`; pages whose file `exists` denies are rendered whatever their key. */
export function createLedger(previous: ReadonlyMap<string, string>, exists: (path: string) => boolean): Ledger {
  const pages = new Map<string, string>();
  return {
    enter(path, shown) {
      const key = createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
      pages.set(path, key);
      return previous.get(path) !== key || !exists(path);
    },
    pages: () => pages,
  };
}
