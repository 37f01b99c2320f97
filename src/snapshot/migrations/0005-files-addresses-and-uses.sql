-- Version 5: a media file, the URLs that it was downloaded from, and the records that name it have a table each.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

ALTER TABLE media RENAME TO media_4;

-- One row per file on the disk. URLs with the same content share one; a quarantined file is shared by none.
CREATE TABLE blob (
  path     TEXT PRIMARY KEY,              -- below the snapshot's directory: media/…, or quarantine/…
  sha256   TEXT NOT NULL,                 -- of its bytes, hexadecimal
  size     INTEGER NOT NULL,              -- bytes
  mimetype TEXT                           -- as detected in the content
) STRICT, WITHOUT ROWID;

-- One row per URL that was downloaded, or failed to be.
CREATE TABLE media (
  url        TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,               -- ID of the record that the file was named after
  kind       TEXT NOT NULL,               -- what it was downloaded as: thumb, image, audio, video, transcript, original
  state      TEXT NOT NULL CHECK (state IN ('stored', 'failed', 'quarantined')),
  path       TEXT REFERENCES blob (path), -- null if it failed
  fetched_at TEXT NOT NULL,
  status     INTEGER,                     -- HTTP status of the last response; null if there was none
  cause      TEXT,                        -- why it failed, or is in quarantine
  proven     TEXT,                        -- JSON array: the declared checksums that its bytes agree with; null if none was declared
  CHECK ((state = 'failed') = (path IS NULL))
) STRICT, WITHOUT ROWID;

-- One row per media file that a record names, downloaded or not, as of the last run of `microfiche media`.
CREATE TABLE usage (
  record TEXT NOT NULL,                   -- ID
  url    TEXT NOT NULL,                   -- media.url, if it was downloaded
  kind   TEXT NOT NULL,                   -- thumb, image, audio, video, transcript, original
  PRIMARY KEY (record, url)
) STRICT, WITHOUT ROWID;

-- A row that does not say what its file is, or says otherwise than another row, counts as failed: it is downloaded again.
INSERT OR IGNORE INTO blob (path, sha256, size, mimetype)
  SELECT path, sha256, size, mimetype FROM media_4
  WHERE state IN ('stored', 'quarantined') AND path IS NOT NULL AND sha256 IS NOT NULL AND size IS NOT NULL ORDER BY url;
INSERT INTO media (url, owner, kind, state, path, fetched_at, status, cause, proven)
  SELECT m.url, m.owner, m.kind, iif(b.path IS NULL, 'failed', m.state), b.path, m.fetched_at, m.status,
    iif(b.path IS NULL AND m.state <> 'failed', 'the snapshot did not say what its file is', m.cause), iif(b.path IS NULL, NULL, m.proven)
  FROM media_4 AS m
  LEFT JOIN blob AS b ON b.path = m.path AND b.sha256 = m.sha256 AND b.size = m.size AND m.state IN ('stored', 'quarantined');
-- Of the records that name a URL version 4 knew one.
INSERT INTO usage (record, url, kind) SELECT owner, url, kind FROM media_4;
DROP TABLE media_4;
CREATE INDEX blob_by_sha256 ON blob (sha256);
CREATE INDEX media_by_path ON media (path);

-- One row per download that was begun and can be resumed.
CREATE TABLE download (
  url       TEXT PRIMARY KEY,
  path      TEXT NOT NULL,                -- of the partial file, below the snapshot's directory
  validator TEXT NOT NULL,                -- for If-Range
  total     INTEGER,                      -- bytes of the whole file, if upstream says so
  durable   INTEGER,                      -- so many bytes are surely on the disk; null if none are
  sha256    TEXT                          -- of those bytes
) STRICT, WITHOUT ROWID;
INSERT INTO download (url, path, validator, total, durable, sha256)
  SELECT url, path, validator, total, durable, sha256 FROM media_part;
DROP TABLE media_part;

-- Files that no URL has any more and that are to be deleted.
CREATE TABLE orphan_file (
  path TEXT PRIMARY KEY                   -- below the snapshot's directory
) STRICT, WITHOUT ROWID;
INSERT INTO orphan_file (path) SELECT path FROM media_spare;
DROP TABLE media_spare;

-- Three programs wrote version 4. The first did not have these tables yet.
CREATE TABLE IF NOT EXISTS withdrawn (
  key          TEXT PRIMARY KEY,          -- object:demo-a-1, source:…
  withdrawn_at TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS withdrawn_url (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS redaction (
  response        INTEGER PRIMARY KEY,    -- response.id, whose sha256 is that of the body as it is now
  redacted_at     TEXT NOT NULL,
  received_sha256 TEXT NOT NULL           -- of the body as received
) STRICT;

-- The second kept redactions in two more columns of response, which stay there unused. A missing column is that of `absent`, as in 0003.
INSERT OR IGNORE INTO redaction (response, redacted_at, received_sha256)
  SELECT p.id, (SELECT redacted_at FROM response AS own WHERE own.id = p.id) AS at,
    (SELECT received_sha256 FROM response AS own WHERE own.id = p.id) AS received
  FROM (SELECT NULL AS redacted_at, NULL AS received_sha256) AS absent CROSS JOIN response AS p
  WHERE p.key LIKE '%?limit=%' AND at IS NOT NULL AND received IS NOT NULL;
