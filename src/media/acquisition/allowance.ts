/** How much a run may still fetch: by file, in all, and by what the disk has room for. */
import { formatBytes } from '../../model/durations.ts';
import type { Allowance } from './receive.ts';
import { roomOn } from './room.ts';

export interface Limits {
  /** Bytes to fetch in all at most. */
  budget: number | undefined;
  /** Bytes that one file may have. */
  maxFile: number | undefined;
}

/** Why a file is left: it is larger than one may be, the budget does not reach, or the disk has no room for it. */
export type Left = 'size' | 'budget' | 'room';

/** A file that is left, and how large it is as far as that is known. */
export class LeftOut extends Error {
  override name = 'LeftOut';
  readonly why: Left;
  readonly size: number | undefined;
  constructor(why: Left, size: number | undefined) {
    super(why === 'room' ? `the disk has no room for its ${formatBytes(size ?? 0)}` : `it is left for its ${why}`);
    this.why = why;
    this.size = size;
  }
}

export interface Purse {
  /** Bytes received so far. */
  spent(): number;
  /** What one file may take; `done` gives back what it had reserved and did not use. */
  open(): Allowance & { done(): void };
}

/** Milliseconds. */
const ROOM_HOLDS = 250;

/** Keeps account for all files of a run; `dir` is on the disk that they are written to. */
export function createPurse(
  { budget = Number.POSITIVE_INFINITY, maxFile = Number.POSITIVE_INFINITY }: Limits,
  dir: string,
): Purse {
  let spent = 0;
  let reserved = 0;
  /** What the disk had room for when it was last asked, and what has been received since. */
  let room = 0;
  let asked = Number.NEGATIVE_INFINITY;
  let since = 0;

  function roomNow(): number {
    if (performance.now() - asked > ROOM_HOLDS) {
      room = roomOn(dir);
      asked = performance.now();
      since = 0;
    }
    return room - since;
  }

  return {
    spent: () => spent,
    open() {
      let own = 0;
      return {
        expect(total) {
          if (total > maxFile) throw new LeftOut('size', total);
          if (spent + reserved - own + total > budget) throw new LeftOut('budget', total);
          if (total > roomNow()) throw new LeftOut('room', total);
          reserved += total - own;
          own = total;
        },
        count(bytes, size) {
          spent += bytes;
          since += bytes;
          const given = Math.min(own, bytes);
          own -= given;
          reserved -= given;
          if (size > maxFile) throw new LeftOut('size', undefined);
          if (spent > budget) throw new LeftOut('budget', undefined);
        },
        done() {
          reserved -= own;
          own = 0;
        },
      };
    },
  };
}
