/** Shards: parts of a site that several machines build, each from the same snapshot. This module says which part is whose. */

/** Which part of a build. */
export interface Shard {
  /** From 0. */
  number: number;
  /** The number of shards. */
  of: number;
}

/** Whether a shard makes the page or document at a position in the order of all. */
export function ownsPosition({ number, of }: Shard, position: number): boolean {
  return position % of === number;
}

/** Whether a shard has the derivatives and the copy of a media file. */
export function ownsFile({ number, of }: Shard, sha256: string): boolean {
  return Number.parseInt(sha256.slice(0, 8), 16) % of === number;
}

/** Whether a build makes what there is once in a site: it has no shards, or makes the first. */
export function isFirst(shard: Shard | undefined): boolean {
  return shard === undefined || shard.number === 0;
}
