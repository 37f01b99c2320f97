/** What the media step writes: one row a file. */
import type { Store } from './store.ts';

export interface MediaRow {
  url: string;
  owner: string;
  kind: string;
  state: 'stored' | 'failed';
  path?: string | undefined;
  sha256?: string | undefined;
  size?: number | undefined;
  mimetype?: string | undefined;
  fetchedAt: string;
  status?: number | undefined;
  cause?: string | undefined;
}

/** Keeps what became of one media file. */
export function openMediaWriter({ db }: Store): (row: MediaRow) => void {
  const put =
    db.prepare(`INSERT OR REPLACE INTO media (url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return ({ url, owner, kind, state, path, sha256, size, mimetype, fetchedAt, status, cause }) => {
    put.run(
      url,
      owner,
      kind,
      state,
      path ?? null,
      sha256 ?? null,
      size ?? null,
      mimetype ?? null,
      fetchedAt,
      status ?? null,
      cause ?? null,
    );
  };
}
