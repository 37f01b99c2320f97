/** Shards: parts of a site that several machines build, each from the same snapshot. This module says which part is whose. */

/** Which part of a build. */
export interface Shard {
  /** From 0. */
  number: number;
  /** The number of shards. */
  of: number;
}

/** Whether a shard makes the page or document at a position in the order of all. */
export const ownsPosition = ({ number, of }: Shard, position: number): boolean => position % of === number;

/** Returns how many shards after this one has the derivatives and the copy of a media file: 0 for this one. */
export function distanceOfFile({ number, of }: Shard, sha256: string): number {
  const owner = Number.parseInt(sha256.slice(0, 8), 16) % of;
  return (owner - number + of) % of;
}

/** Returns the name of a shard: `2/4`. */
export const nameOfShard = ({ number, of }: Shard): string => `${number}/${of}`;

/** Whether a build makes what there is once in a site: it has no shards, or makes the first. */
export const isFirst = (shard: Shard | undefined): boolean => shard === undefined || shard.number === 0;
