-- The tables of a snapshot (docs/snapshot-format.md). All times are ISO 8601 in UTC.

-- Facts about the snapshot as a whole.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,                 -- authors_url, catalog_url, sample, moves, …
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per harvest.
CREATE TABLE run (
  id          INTEGER PRIMARY KEY,
  started_at  TEXT NOT NULL,
  finished_at TEXT,                       -- null while it runs, or if it was interrupted
  report      TEXT                        -- JSON object
) STRICT;

-- One row per response body. A body that changes upstream gets a new row; earlier versions stay.
CREATE TABLE response (
  id         INTEGER PRIMARY KEY,
  key        TEXT NOT NULL,               -- resource.key
  url        TEXT NOT NULL,               -- after redirects
  fetched_at TEXT NOT NULL,
  status     INTEGER NOT NULL,            -- HTTP status
  headers    TEXT NOT NULL,               -- JSON object
  sha256     TEXT NOT NULL,               -- of body, hexadecimal
  body       BLOB NOT NULL,
  run        INTEGER,                     -- run.id
  redirects  TEXT                         -- JSON array of the URLs that redirected to url; null if there were none
) STRICT;
CREATE INDEX response_by_key ON response (key, id);

-- One row per resource that a harvest discovered: the crawl frontier and its outcome.
CREATE TABLE resource (
  key           TEXT PRIMARY KEY,         -- object:demo-a-1, children:demo-a-1?limit=25&offset=0
  kind          TEXT NOT NULL,            -- authors, author, article, source, object, children, files, …
  name          TEXT NOT NULL,            -- the name or ID within its kind
  model         TEXT,                     -- objects only: repository … file, as the record says
  page_limit    INTEGER,                  -- list pages only
  page_offset   INTEGER,                  -- list pages only
  referrer      TEXT,                     -- key of the resource that named this one first
  state         TEXT NOT NULL CHECK (state IN ('queued', 'stored', 'failed')),
  run           INTEGER NOT NULL REFERENCES run (id),
  attempts      INTEGER NOT NULL DEFAULT 0,
  status        INTEGER,                  -- HTTP status of the last response; null if there was none
  cause         TEXT,                     -- of the last failure
  transient     INTEGER NOT NULL DEFAULT 0,        -- 1: a later request may succeed
  response      INTEGER REFERENCES response (id),  -- the latest valid version
  speculative   INTEGER NOT NULL DEFAULT 0,        -- 1: a speculative request, whose failure does not count
  validators    TEXT,                     -- JSON object: headers for the next conditional request
  checked_at    TEXT,                     -- when upstream last sent the body or said that it is unchanged; null after a failure
  failed_since  TEXT,                     -- when it first failed since the last success; null if it did not
  failed_runs   INTEGER NOT NULL DEFAULT 0,        -- number of runs in a row that ended with 404, 410 or 500
  missing_since INTEGER,                  -- run.id of the first response that upstream does not have it: 404 or 410, for the resource or its files
  removed_at    TEXT                      -- when it was taken to be removed: upstream did not have it in two runs
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_by_kind ON resource (kind, name);
CREATE INDEX resource_by_state ON resource (state) WHERE state <> 'stored';

-- One row per request for a stored body or media file: the first, and one per redirect. A body that was imported without them has none.
CREATE TABLE exchange (
  id              INTEGER PRIMARY KEY,
  response        INTEGER,                -- response.id, whose body is that of the last request; null for a media file
  media           TEXT,                   -- media.url, whose file is the body of the last request; null for a response
  position        INTEGER NOT NULL,       -- 0 for the first request
  method          TEXT NOT NULL,          -- HTTP method
  url             TEXT NOT NULL,
  sent_at         TEXT NOT NULL,
  request_headers TEXT NOT NULL,          -- JSON array of [name, value], in the order sent
  status          INTEGER NOT NULL,       -- HTTP status
  reason          TEXT NOT NULL,          -- reason phrase; empty if there was none
  headers         TEXT NOT NULL,          -- JSON array of [name, value], in the order received, before the body was decoded
  body            BLOB,                   -- of a redirect, as received; null if it was too long, or is stored as response or media file
  CHECK ((response IS NULL) <> (media IS NULL))
) STRICT;
CREATE INDEX exchange_by_response ON exchange (response, position) WHERE response IS NOT NULL;
CREATE INDEX exchange_by_media ON exchange (media, position) WHERE media IS NOT NULL;

-- One row per file on the disk. URLs with the same content share one; a quarantined file is shared by none.
CREATE TABLE blob (
  path     TEXT PRIMARY KEY,              -- below the snapshot's directory: media/…, or quarantine/…
  sha256   TEXT NOT NULL,                 -- of its bytes, hexadecimal
  size     INTEGER NOT NULL,              -- bytes
  mimetype TEXT                           -- as detected in the content
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_by_sha256 ON blob (sha256);

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
  verified   TEXT,                        -- JSON array: the declared checksums that its bytes have; null if none was declared
  CHECK ((state = 'failed') = (path IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX media_by_path ON media (path);

-- One row per media file that a record names, downloaded or not, as of the last run of `microfiche media`.
CREATE TABLE usage (
  record TEXT NOT NULL,                   -- ID
  url    TEXT NOT NULL,                   -- media.url, if it was downloaded
  kind   TEXT NOT NULL,                   -- thumb, image, audio, video, transcript, original
  PRIMARY KEY (record, url)
) STRICT, WITHOUT ROWID;

-- One row per download that was begun and can be resumed.
CREATE TABLE download (
  url       TEXT PRIMARY KEY,
  path      TEXT NOT NULL,                -- of the partial file, below the snapshot's directory
  validator TEXT NOT NULL,                -- for If-Range
  total     INTEGER,                      -- bytes of the whole file, if upstream names them
  durable   INTEGER,                      -- number of bytes that are surely on the disk; null if none are
  sha256    TEXT                          -- of those bytes
) STRICT, WITHOUT ROWID;

-- Files that no URL has any more and that are to be deleted.
CREATE TABLE orphan_file (
  path TEXT PRIMARY KEY                   -- below the snapshot's directory
) STRICT, WITHOUT ROWID;

-- One row per resource that was purged. It is never fetched again, nor is a record below it.
CREATE TABLE withdrawn (
  key          TEXT PRIMARY KEY,          -- object:demo-a-1, source:…
  withdrawn_at TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per media file that was purged: the SHA-256 of its URL, so that it is not downloaded again for another record.
CREATE TABLE withdrawn_url (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- One row per body that was changed: a list page with entries of purged records, or one with URLs of an archive that has moved.
CREATE TABLE redaction (
  response        INTEGER PRIMARY KEY,    -- response.id, whose sha256 is that of the body as it is now
  redacted_at     TEXT NOT NULL,
  received_sha256 TEXT NOT NULL           -- of the body as received
) STRICT;
