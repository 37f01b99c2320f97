/** How much a run may still download: by file, in all, and by what the disk has room for, with what other downloads have reserved. */
import { formatBytes } from '../platform/durations.ts';
import { freeDiskSpace } from './disk-space.ts';
import type { FileBudget } from './download-file.ts';

export interface DownloadLimits {
  /** Bytes to fetch in all at most. */
  budgetBytes: number | undefined;
  /** Bytes that one file may have. */
  maxFileBytes: number | undefined;
}

/** Why a file is left out: it is larger than one may be, the budget does not reach, or the disk has no room for it. */
export type SkipReason = 'size' | 'budget' | 'room';

/** A file that is left out, and how large it is as far as that is known. */
export class FileSkippedError extends Error {
  override name = 'FileSkippedError';
  readonly reason: SkipReason;
  readonly size: number | undefined;
  /** It may fit when other downloads have ended: they may take less than they have reserved. */
  readonly retryable: boolean;
  constructor(
    reason: SkipReason,
    size: number | undefined,
    { retryable = false, message = `it is left out for its ${reason}` } = {},
  ) {
    super(message);
    this.reason = reason;
    this.size = size;
    this.retryable = retryable;
  }
}

export interface DownloadBudget {
  /** Bytes received so far. */
  receivedBytes(): number;
  /** Whether the budget has anything left that nobody has reserved. */
  hasUnreservedBytes(): boolean;
  /** Reserves budget for files that are to be downloaded later. */
  reserve(bytes: number): void;
  /** What one file may take; `planned` bytes of the budget were reserved for it. `done` gives back what it did not use. */
  openFileBudget(reservedBytes?: number): FileBudget & { done(): void };
  /** Resolves when a download has ended that had reserved or taken anything. */
  nextChange(): Promise<void>;
}

/** One download's part in it all, in bytes. */
interface Reservation {
  /** Still to come, as announced. */
  reservedBytes: number;
  /** Received since the last announcement. */
  receivedBytes: number;
  /** Received beyond what was announced. */
  excessBytes: number;
  /** It must end, since it has taken the room of others. */
  evicted: boolean;
}

/** Milliseconds. */
const FREE_SPACE_MAX_AGE_MS = 250;
/** Bytes that others may still write while an evicted download ends; the reserve on the disk has more. */
const EVICTION_GRACE_BYTES = 8 * 1024 * 1024;

/** Keeps account for all files of a run; `dir` is on the disk that they are written to, and `unwritten` tells how many received bytes it does not hold yet. */
export function createDownloadBudget(
  { budgetBytes = Number.POSITIVE_INFINITY, maxFileBytes = Number.POSITIVE_INFINITY }: DownloadLimits,
  dir: string,
  unwritten: () => number,
): DownloadBudget {
  const reservations = new Set<Reservation>();
  const disk = createFreeSpaceProbe(dir, unwritten);
  let spent = 0;
  let planned = 0;
  let waiting: Array<() => void> = [];

  const sum = (what: 'reservedBytes' | 'receivedBytes', but?: Reservation) =>
    [...reservations].reduce((total, one) => (one === but ? total : total + one[what]), 0);

  function expect(reservation: Reservation, total: number, present: number): void {
    reservation.reservedBytes = 0;
    if (total > maxFileBytes) throw new FileSkippedError('size', total);
    const need = Math.max(0, total - present);
    const reserved = sum('reservedBytes', reservation);
    if (need > budgetBytes - spent - planned - reserved)
      throw new FileSkippedError('budget', total, { retryable: reserved > 0 && need <= budgetBytes - spent - planned });
    const freeBytes = disk.room();
    if (need > freeBytes - reserved) {
      const held = sum('receivedBytes', reservation);
      throw new FileSkippedError('room', total, {
        retryable: reserved + held > 0 && need <= freeBytes + held,
        message: `the disk has no room for its ${formatBytes(total)}`,
      });
    }
    reservation.reservedBytes = need;
    reservation.receivedBytes = 0;
  }

  /** Of those that take room without having announced it, the largest one gives way, and the others go on meanwhile. */
  function assertFreeSpace(own: Reservation, size: number): void {
    const short = sum('reservedBytes') - disk.room();
    if (short <= 0) {
      own.evicted = false;
      return;
    }
    const all = [...reservations];
    if (!all.some(({ evicted }) => evicted)) all.reduce((a, b) => (b.excessBytes > a.excessBytes ? b : a), own).evicted = true;
    if (own.evicted || short > EVICTION_GRACE_BYTES)
      throw new FileSkippedError('room', undefined, { message: `the disk has no room for more than ${formatBytes(size)} of it` });
  }

  function count(own: Reservation, bytes: number, size: number): void {
    spent += bytes;
    disk.took(bytes);
    const announced = Math.min(own.reservedBytes, bytes);
    own.reservedBytes -= announced;
    own.receivedBytes += bytes;
    own.excessBytes += bytes - announced;
    if (size > maxFileBytes) throw new FileSkippedError('size', undefined);
    if (announced === bytes) return;
    if (spent + planned + sum('reservedBytes') > budgetBytes) throw new FileSkippedError('budget', undefined);
    assertFreeSpace(own, size);
  }

  return {
    receivedBytes: () => spent,
    hasUnreservedBytes: () => spent + planned + sum('reservedBytes') < budgetBytes,
    reserve(bytes) {
      planned += bytes;
    },
    openFileBudget(ofPlan = 0) {
      const own: Reservation = { reservedBytes: 0, receivedBytes: 0, excessBytes: 0, evicted: false };
      reservations.add(own);
      planned -= ofPlan;
      return {
        expect: (total, present = 0) => expect(own, total, present),
        count: (bytes, size) => count(own, bytes, size),
        done() {
          if (!reservations.delete(own) || own.reservedBytes + own.receivedBytes === 0) return;
          disk.ask();
          const wake = waiting;
          waiting = [];
          for (const one of wake) one();
        },
      };
    },
    nextChange: () =>
      new Promise((resolve) => {
        if (sum('reservedBytes') + sum('receivedBytes') === 0) resolve();
        else waiting.push(resolve);
      }),
  };
}

/** What the disk has room for: asked for now and then, and counted in between. */
function createFreeSpaceProbe(dir: string, unwritten: () => number) {
  let last = 0;
  let asked = Number.NEGATIVE_INFINITY;
  let since = 0;
  return {
    room(): number {
      if (performance.now() - asked > FREE_SPACE_MAX_AGE_MS) {
        last = freeDiskSpace(dir) - unwritten();
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
