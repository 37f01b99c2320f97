/** Limits a run's downloads: bytes per file, bytes in total, and free disk space, minus what other downloads have reserved. */
import { createSpaceProbe, freeDiskSpace } from '../platform/disk-space.ts';
import { formatBytes } from '../platform/quantities.ts';

/** The operator's limits for one run; undefined means unlimited. */
export interface DownloadLimits {
  /** Maximum bytes to download in total. */
  budgetBytes: number | undefined;
  maxFileBytes: number | undefined;
}

/** Why a file is skipped: it exceeds the maximum size, the remaining budget, or the free disk space. */
export type SkipReason = 'size' | 'budget' | 'disk space';

/** A limit does not allow a file. */
export class FileSkippedError extends Error {
  override name = 'FileSkippedError';
  readonly reason: SkipReason;
  /** Size of the file in bytes, if known. */
  readonly size: number | undefined;
  /** Whether it may fit after another download ends, because that one may need less than it has reserved. */
  readonly retryable: boolean;
  constructor(
    reason: SkipReason,
    size: number | undefined,
    { retryable = false, message = `it is skipped because of the limit on ${reason}` } = {},
  ) {
    super(message);
    this.reason = reason;
    this.size = size;
    this.retryable = retryable;
  }
}

/** What a run has left of its limits. All sizes are in bytes. */
export type DownloadBudget = ReturnType<typeof createDownloadBudget>;

/** One download's share of the limits. */
interface Reservation {
  /** Bytes of the announced size that have not arrived yet. */
  reservedBytes: number;
  /** Bytes received since the size was last announced. */
  receivedBytes: number;
  /** Bytes received beyond the announced size. */
  excessBytes: number;
  /** Whether it must end because it uses disk space that others have reserved. */
  evicted: boolean;
}

/** Bytes that others may still write while an evicted download ends. Less than the reserve in disk-space.ts. */
const EVICTION_GRACE_BYTES = 8 * 1024 * 1024;

/**
 * Creates the budget of a run. `dir` is a directory on the disk that the files are written to; `unwrittenBytes` returns how many
 * received bytes are not on that disk yet.
 */
export function createDownloadBudget(
  { budgetBytes = Number.POSITIVE_INFINITY, maxFileBytes = Number.POSITIVE_INFINITY }: DownloadLimits,
  dir: string,
  unwrittenBytes: () => number,
) {
  const reservations = new Set<Reservation>();
  const disk = createSpaceProbe(() => freeDiskSpace(dir) - unwrittenBytes());
  let spent = 0;
  let planned = 0;
  let change = Promise.withResolvers<void>();

  const total = (property: 'reservedBytes' | 'receivedBytes', except?: Reservation) =>
    [...reservations].reduce((bytes, one) => (one === except ? bytes : bytes + one[property]), 0);

  function expect(reservation: Reservation, size: number, present: number): void {
    reservation.reservedBytes = 0;
    if (size > maxFileBytes) throw new FileSkippedError('size', size);
    const need = Math.max(0, size - present);
    const reserved = total('reservedBytes', reservation);
    if (need > budgetBytes - spent - planned - reserved)
      throw new FileSkippedError('budget', size, { retryable: reserved > 0 && need <= budgetBytes - spent - planned });
    const freeBytes = disk.availableBytes();
    if (need > freeBytes - reserved) {
      const held = total('receivedBytes', reservation);
      throw new FileSkippedError('disk space', size, {
        retryable: reserved + held > 0 && need <= freeBytes + held,
        message: `not enough disk space for its ${formatBytes(size)}`,
      });
    }
    reservation.reservedBytes = need;
    reservation.receivedBytes = 0;
  }

  /**
   * Checks that the disk space is enough for all reservations. If not, evicts the download that exceeds its announced size most,
   * and lets the others continue.
   * @throws {FileSkippedError} if this download is evicted, or the others need its disk space too urgently
   */
  function assertFreeSpace(own: Reservation, size: number): void {
    const short = total('reservedBytes') - disk.availableBytes();
    if (short <= 0) {
      own.evicted = false;
      return;
    }
    const all = [...reservations];
    if (!all.some(({ evicted }) => evicted)) all.reduce((a, b) => (b.excessBytes > a.excessBytes ? b : a), own).evicted = true;
    if (own.evicted || short > EVICTION_GRACE_BYTES)
      throw new FileSkippedError('disk space', undefined, {
        message: `not enough disk space for more than ${formatBytes(size)} of it`,
      });
  }

  function count(own: Reservation, bytes: number, size: number): void {
    spent += bytes;
    disk.subtract(bytes);
    const announced = Math.min(own.reservedBytes, bytes);
    own.reservedBytes -= announced;
    own.receivedBytes += bytes;
    own.excessBytes += bytes - announced;
    if (size > maxFileBytes) throw new FileSkippedError('size', undefined);
    if (announced === bytes) return;
    if (spent + planned + total('reservedBytes') > budgetBytes) throw new FileSkippedError('budget', undefined);
    assertFreeSpace(own, size);
  }

  return {
    receivedBytes: () => spent,
    /** Whether part of the budget is neither spent nor reserved. */
    hasUnreservedBytes: () => spent + planned + total('reservedBytes') < budgetBytes,
    /** Reserves budget for files that are to be downloaded later. */
    reserve(bytes: number) {
      planned += bytes;
    },
    /** Returns the budget of one file, for which `reserve` reserved `reservedBytes`. `done` releases what it did not use. */
    openFileBudget(reservedBytes = 0) {
      const own: Reservation = { reservedBytes: 0, receivedBytes: 0, excessBytes: 0, evicted: false };
      reservations.add(own);
      planned -= reservedBytes;
      return {
        /**
         * Announces the size of the file as soon as it is known. `present` bytes of it are on the disk from an earlier run.
         * @throws {FileSkippedError} if a limit does not allow the file
         */
        expect: (size: number, present = 0) => expect(own, size, present),
        /**
         * Counts received bytes. `size` is the number of bytes that there are of the file now.
         * @throws {FileSkippedError} like `expect`
         */
        count: (bytes: number, size: number) => count(own, bytes, size),
        done() {
          if (!reservations.delete(own) || own.reservedBytes + own.receivedBytes === 0) return;
          disk.invalidate();
          change.resolve();
          change = Promise.withResolvers();
        },
      };
    },
    /** Resolves when a download ends that had reserved or received anything; at once if there is none. */
    async nextChange() {
      if (total('reservedBytes') + total('receivedBytes') > 0) await change.promise;
    },
  };
}
