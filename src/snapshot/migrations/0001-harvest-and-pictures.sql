-- Version 1: the archive's responses byte for byte, with their provenance; the crawl frontier; pictures.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

-- Facts about the snapshot as a whole.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,                 -- authors_url, catalog_url, sample, …
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per harvest.
CREATE TABLE run (
  id          INTEGER PRIMARY KEY,
  started_at  TEXT NOT NULL,              -- all times: ISO 8601, UTC
  finished_at TEXT,                       -- null while it runs, or if it was interrupted
  report      TEXT                        -- JSON object
) STRICT;

-- One row per resource that a harvest discovered: the crawl frontier and its outcome.
CREATE TABLE resource (
  key         TEXT PRIMARY KEY,           -- object:demo-a-1, children:demo-a-1?limit=25&offset=0
  kind        TEXT NOT NULL,              -- authors, author, article, source, object, children, files
  name        TEXT NOT NULL,              -- the name or ID within its kind
  model       TEXT,                       -- objects only: repository … file, as the record says
  page_limit  INTEGER,                    -- list pages only
  page_offset INTEGER,                    -- list pages only
  referrer    TEXT,                       -- key of the resource that named this one first
  state       TEXT NOT NULL CHECK (state IN ('queued', 'stored', 'failed')),
  run         INTEGER NOT NULL REFERENCES run (id),
  attempts    INTEGER NOT NULL DEFAULT 0,
  status      INTEGER,                    -- HTTP status of the last response; null if there was none
  cause       TEXT,                       -- of the last failure
  response    INTEGER REFERENCES response (id)  -- the latest valid version
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_by_kind ON resource (kind, name);
CREATE INDEX resource_by_state ON resource (state) WHERE state <> 'stored';

-- One row per response body. A body that changes upstream gets a new row; earlier versions stay.
CREATE TABLE response (
  id         INTEGER PRIMARY KEY,
  key        TEXT NOT NULL,               -- resource.key
  url        TEXT NOT NULL,               -- after redirects
  fetched_at TEXT NOT NULL,
  status     INTEGER NOT NULL,            -- HTTP status
  headers    TEXT NOT NULL,               -- JSON object
  sha256     TEXT NOT NULL,               -- of body, hexadecimal
  body       BLOB NOT NULL
) STRICT;
CREATE INDEX response_by_key ON response (key, id);

-- One row per picture that a record names.
CREATE TABLE media (
  url        TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,               -- ID of the record that named it first
  kind       TEXT NOT NULL,               -- thumb, image
  state      TEXT NOT NULL CHECK (state IN ('stored', 'failed')),
  path       TEXT,                        -- below the snapshot's directory
  sha256     TEXT,
  size       INTEGER,
  mimetype   TEXT,                        -- as detected in the content
  fetched_at TEXT NOT NULL,
  status     INTEGER,
  cause      TEXT
) STRICT, WITHOUT ROWID;
