/** Records what a page reads. */
import type { Lookup } from '../../platform/lookup.ts';
import { READS } from './read-keys.ts';

/** Collects the keys of what is read (src/catalogue/dependencies/read-keys.ts), for one page at a time. */
export interface Recorder {
  /** Called with the key of each read. */
  onRead: (key: string) => void;
  /** Begins with the next page. */
  start(): void;
  /** Returns the keys since `start`, and ends recording. */
  end(): ReadonlySet<string>;
}

/** Creates a recorder that ignores reads until `start`. */
export function createRecorder(): Recorder {
  let keys: Set<string> | undefined;
  return {
    onRead: (key) => void keys?.add(key),
    start: () => {
      keys = new Set();
    },
    end: () => {
      const read = keys ?? new Set<string>();
      keys = undefined;
      return read;
    },
  };
}

/** Returns a lookup that calls `onRead` with the key of each read. `kind` is that of the table. */
export function recordLookup<Value>(kind: string, lookup: Lookup<Value>, onRead: Recorder['onRead']): Lookup<Value> {
  return {
    get(name) {
      onRead(READS.lookup(kind, name));
      return lookup.get(name);
    },
  };
}
