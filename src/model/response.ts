/** The response type that the HTTP client and the harvest hand to the snapshot. */

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
}
