/** How much a run may still download: by file, in all, and by what the disk has room for, with what other downloads have reserved. */
import { formatBytes } from '../platform/durations.ts';
import type { Allowance } from './receive.ts';
import { roomOn } from './room.ts';

export interface Limits {
  /** Bytes to fetch in all at most. */
  budget: number | undefined;
  /** Bytes that one file may have. */
  maxFile: number | undefined;
}

/** Why a file is left out: it is larger than one may be, the budget does not reach, or the disk has no room for it. */
export type Left = 'size' | 'budget' | 'room';

/** A file that is left out, and how large it is as far as that is known. */
export class LeftOut extends Error {
  override name = 'LeftOut';
  readonly why: Left;
  readonly size: number | undefined;
  /** It may fit when other downloads have ended: they may take less than they have reserved. */
  readonly passing: boolean;
  constructor(why: Left, size: number | undefined, { passing = false, message = `it is left out for its ${why}` } = {}) {
    super(message);
    this.why = why;
    this.size = size;
    this.passing = passing;
  }
}

export interface Purse {
  /** Bytes received so far. */
  spent(): number;
  /** Whether the budget has anything left that nobody has reserved. */
  hasBudget(): boolean;
  /** Reserves budget for files that are to be downloaded later. */
  plan(bytes: number): void;
  /** What one file may take; `planned` bytes of the budget were reserved for it. `done` gives back what it did not use. */
  open(planned?: number): Allowance & { done(): void };
  /** Resolves when a download has ended that had reserved or taken anything. */
  change(): Promise<void>;
}

/** One download's part in it all, in bytes. */
interface Account {
  /** Still to come, as announced. */
  reserved: number;
  /** Received since the last announcement. */
  taken: number;
  /** Received beyond what was announced. */
  beyond: number;
  /** It must end, since it has taken the room of others. */
  evicted: boolean;
}

/** Milliseconds. */
const ROOM_HOLDS = 250;
/** Bytes that others may still write while an evicted download ends; the reserve on the disk has more. */
const GRACE = 8 * 1024 * 1024;

/** Keeps account for all files of a run; `dir` is on the disk that they are written to, and `unwritten` tells how many received bytes it does not hold yet. */
export function createPurse(
  { budget = Number.POSITIVE_INFINITY, maxFile = Number.POSITIVE_INFINITY }: Limits,
  dir: string,
  unwritten: () => number,
): Purse {
  const accounts = new Set<Account>();
  const disk = createRoom(dir, unwritten);
  let spent = 0;
  let planned = 0;
  let waiting: Array<() => void> = [];

  const sum = (what: 'reserved' | 'taken', but?: Account) =>
    [...accounts].reduce((total, one) => (one === but ? total : total + one[what]), 0);

  function expect(own: Account, total: number, present: number): void {
    own.reserved = 0;
    if (total > maxFile) throw new LeftOut('size', total);
    const need = Math.max(0, total - present);
    const reserved = sum('reserved', own);
    if (need > budget - spent - planned - reserved)
      throw new LeftOut('budget', total, { passing: reserved > 0 && need <= budget - spent - planned });
    const room = disk.room();
    if (need > room - reserved) {
      const held = sum('taken', own);
      throw new LeftOut('room', total, {
        passing: reserved + held > 0 && need <= room + held,
        message: `the disk has no room for its ${formatBytes(total)}`,
      });
    }
    own.reserved = need;
    own.taken = 0;
  }

  /** Of those that take room without having announced it, the largest one gives way, and the others go on meanwhile. */
  function assertRoom(own: Account, size: number): void {
    const short = sum('reserved') - disk.room();
    if (short <= 0) {
      own.evicted = false;
      return;
    }
    const all = [...accounts];
    if (!all.some(({ evicted }) => evicted)) all.reduce((a, b) => (b.beyond > a.beyond ? b : a), own).evicted = true;
    if (own.evicted || short > GRACE)
      throw new LeftOut('room', undefined, { message: `the disk has no room for more than ${formatBytes(size)} of it` });
  }

  function count(own: Account, bytes: number, size: number): void {
    spent += bytes;
    disk.took(bytes);
    const announced = Math.min(own.reserved, bytes);
    own.reserved -= announced;
    own.taken += bytes;
    own.beyond += bytes - announced;
    if (size > maxFile) throw new LeftOut('size', undefined);
    if (announced === bytes) return;
    if (spent + planned + sum('reserved') > budget) throw new LeftOut('budget', undefined);
    assertRoom(own, size);
  }

  return {
    spent: () => spent,
    hasBudget: () => spent + planned + sum('reserved') < budget,
    plan(bytes) {
      planned += bytes;
    },
    open(ofPlan = 0) {
      const own: Account = { reserved: 0, taken: 0, beyond: 0, evicted: false };
      accounts.add(own);
      planned -= ofPlan;
      return {
        expect: (total, present = 0) => expect(own, total, present),
        count: (bytes, size) => count(own, bytes, size),
        done() {
          if (!accounts.delete(own) || own.reserved + own.taken === 0) return;
          disk.ask();
          const wake = waiting;
          waiting = [];
          for (const one of wake) one();
        },
      };
    },
    change: () =>
      new Promise((resolve) => {
        if (sum('reserved') + sum('taken') === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}

/** What the disk has room for: asked for now and then, and counted in between. */
function createRoom(dir: string, unwritten: () => number) {
  let last = 0;
  let asked = Number.NEGATIVE_INFINITY;
  let since = 0;
  return {
    room(): number {
      if (performance.now() - asked > ROOM_HOLDS) {
        last = roomOn(dir) - unwritten();
        asked = performance.now();
        since = 0;
      }
      return last - since;
    },
    took(bytes: number): void {
      since += bytes;
    },
    /** What is known is no longer true. */
    ask(): void {
      asked = Number.NEGATIVE_INFINITY;
    },
  };
}
