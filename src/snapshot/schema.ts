/** The snapshot's SQLite schema: what was received, byte for byte, with where from, when, status, headers and SHA-256. */

/** Raised when the tables change; a file with a higher number belongs to a newer Microfiche and is left alone. */
export const SCHEMA_VERSION = 1;
/** “MFch”, so that `file` and others can tell what this database is. */
export const APPLICATION_ID = 0x4d466368;

export const SCHEMA = `
-- Facts about the snapshot as a whole: authors_url, catalog_url, created_at, generator.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a harvest. finished_at is null while it runs, or where it was cut short.
CREATE TABLE run (
  id          INTEGER PRIMARY KEY,
  started_at  TEXT NOT NULL,
  finished_at TEXT,
  report      TEXT
) STRICT;

-- One row a resource that some harvest heard of: the crawl frontier and its outcome.
CREATE TABLE resource (
  key         TEXT PRIMARY KEY,           -- object:demo-a-1, children:demo-a-1?limit=25&offset=0
  kind        TEXT NOT NULL,              -- authors, author, article, source, object, children, files
  name        TEXT NOT NULL,
  model       TEXT,                       -- objects only: repository … file, by the record's own word
  page_limit  INTEGER,                    -- pages of lists only
  page_offset INTEGER,
  referrer    TEXT,                       -- the key of the resource that named this one first
  state       TEXT NOT NULL CHECK (state IN ('queued', 'stored', 'failed')),
  run         INTEGER NOT NULL REFERENCES run (id),
  attempts    INTEGER NOT NULL DEFAULT 0,
  status      INTEGER,                    -- of the last answer, null when none came
  cause       TEXT,                       -- of the last failure
  response    INTEGER REFERENCES response (id)  -- the last good one
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_by_kind ON resource (kind, name);
CREATE INDEX resource_by_state ON resource (state) WHERE state <> 'stored';

-- One row a body received. A body that changes upstream gets a new row; old ones stay.
CREATE TABLE response (
  id         INTEGER PRIMARY KEY,
  key        TEXT NOT NULL,
  url        TEXT NOT NULL,               -- after redirects
  fetched_at TEXT NOT NULL,
  status     INTEGER NOT NULL,
  headers    TEXT NOT NULL,               -- JSON object
  sha256     TEXT NOT NULL,
  body       BLOB NOT NULL
) STRICT;
CREATE INDEX response_by_key ON response (key, id);

-- One row a media file that a record names.
CREATE TABLE media (
  url        TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,               -- the id of the record that named it first
  kind       TEXT NOT NULL,               -- thumb, image
  state      TEXT NOT NULL CHECK (state IN ('stored', 'failed')),
  path       TEXT,                        -- below the snapshot's folder
  sha256     TEXT,
  size       INTEGER,
  mimetype   TEXT,                        -- as sniffed
  fetched_at TEXT NOT NULL,
  status     INTEGER,
  cause      TEXT
) STRICT, WITHOUT ROWID;
`;
