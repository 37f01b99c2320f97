/** The types of responses and exchanges that the HTTP client hands to a harvest, and a harvest to the snapshot. */

/** Headers with their names as sent, in their order. A name may be there several times. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

/** One request with its response, as sent and received. */
export interface Exchange {
  method: string;
  url: string;
  /** ISO 8601 in UTC. */
  sentAt: string;
  requestHeaders: HeaderList;
  status: number;
  /** The reason phrase; empty if there was none. */
  reason: string;
  headers: HeaderList;
  /** The body of a redirect; undefined if it is too long. Other bodies are stored elsewhere. */
  body: Uint8Array | undefined;
}

/** A response body as received, with its provenance. */
export interface UpstreamResponse {
  /** URL of the response, after redirects. */
  url: string;
  /** Time of the response, ISO 8601. */
  fetchedAt: string;
  status: number;
  headers: Record<string, string>;
  /** Decompressed bytes. */
  body: Uint8Array;
  /** The URLs that redirected to `url`, in order; empty without a redirect. */
  redirects: string[];
  /** The exchanges of this response: the first request, and one per redirect. */
  exchanges: readonly Exchange[];
}
