/** What a host answered: what the harvest hands to the snapshot. */

/** A body as received, with its provenance. */
export interface Received {
  url: string;
  fetchedAt: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** The addresses that led to `url`, in order; empty where the first one answered. */
  redirects: string[];
}
