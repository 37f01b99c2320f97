/** What the rows of a snapshot contain once they are checked: the types for rows.ts, and for those who read and write rows. */
import type { Exchange } from '../model/response.ts';

/** A stored body with its provenance. */
export interface StoredBody {
  key: string;
  /** Name of the resource within its kind. */
  name: string;
  /** URL of the response, after redirects. */
  url: string;
  /** ISO 8601 in UTC. */
  fetchedAt: string;
  sha256: string;
  body: Uint8Array;
  /** The response's headers as a JSON object. */
  headers: string;
  /** When the resource was marked as removed (ISO 8601 in UTC); null if it was not. */
  removedAt: string | null;
  /** JSON object of headers for the next conditional request; null if upstream sent no validators. */
  validators: string | null;
  /** When upstream last sent this body or confirmed it unchanged (ISO 8601, UTC); null if the resource has failed since. */
  checkedAt: string | null;
}

/** A media URL, the result of its download, and its file. */
export interface StoredMedia {
  url: string;
  /** ID of the record that the file is named after. */
  owner: string;
  /** The kind of media file that it was downloaded as. */
  kind: string;
  /** `quarantined`: downloaded, but the bytes contradict what upstream declares. */
  state: 'stored' | 'failed' | 'quarantined';
  /** Relative to the snapshot. URLs with the same content share a file. Null if the download failed. */
  path: string | null;
  sha256: string | null;
  /** Bytes. */
  size: number | null;
  /** Detected media type. */
  mimetype: string | null;
  /** HTTP status; null if upstream did not respond. */
  status: number | null;
  /** Why it failed or is in quarantine. */
  cause: string | null;
  /** JSON array of the declared checksums that the bytes match; null if none was declared. */
  verified: string | null;
}

/** A request with its response: a row of `exchange`. */
export interface StoredExchange extends Exchange {
  /** 0 for the first request. */
  position: number;
}

/** A harvest: a row of `run`. Times are ISO 8601 in UTC. */
export interface RunRow {
  id: number;
  started_at: string;
  /** Null if the run was interrupted or is in progress. */
  finished_at: string | null;
  /** JSON object. */
  report: string | null;
}

/** A download that is in progress or was interrupted. */
export interface PartRow {
  url: string;
  /** Path of the partial file, relative to the snapshot. */
  path: string;
  /** Value for `If-Range`. */
  validator: string;
  /** Bytes of the complete file; null if unknown. */
  total: number | null;
}

/** A partial download with its last checkpoint. Both properties are null without a checkpoint. */
export interface DurablePart extends PartRow {
  /** Number of bytes at the start of the partial file that were synced to disk. */
  durable: number | null;
  /** SHA-256 of these bytes. */
  sha256: string | null;
}
