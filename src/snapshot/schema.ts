/** The snapshot's SQLite schema: what was received, byte for byte, with where from, when, status, headers and SHA-256. */

/** Raised when the tables change; a file with a higher number belongs to a newer Microfiche and is left alone. */
export const SCHEMA_VERSION = 4;
/** “MFch”, so that `file` and others can tell what this database is. */
export const APPLICATION_ID = 0x4d466368;

/** The tables of media as version 3 had them. */
const MEDIA_3 = `
-- One row a media file that a record names.
CREATE TABLE media (
  url        TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,               -- the id of the record that it is named after
  kind       TEXT NOT NULL,               -- thumb, image, audio, video, transcript, original
  state      TEXT NOT NULL CHECK (state IN ('stored', 'failed', 'quarantined')),
  path       TEXT,                        -- below the snapshot's folder; files with the same bytes share one
  sha256     TEXT,
  size       INTEGER,
  mimetype   TEXT,                        -- as sniffed
  fetched_at TEXT NOT NULL,
  status     INTEGER,
  cause      TEXT,                        -- why it could not be had, or is kept apart
  proven     TEXT                         -- JSON array: the declared checksums that its bytes agreed with; null where none was declared
) STRICT, WITHOUT ROWID;
CREATE INDEX media_by_sum ON media (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX media_by_path ON media (path) WHERE path IS NOT NULL;

-- One row a media file that is on its way: what it takes to go on where it stopped.
CREATE TABLE media_part (
  url       TEXT PRIMARY KEY,
  path      TEXT NOT NULL,                -- below the snapshot's folder
  validator TEXT NOT NULL,                -- for If-Range
  total     INTEGER                       -- bytes of the whole, where upstream says so
) STRICT, WITHOUT ROWID;

-- Files that gave way to another with the same bytes and are to be removed.
CREATE TABLE media_spare (
  path TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`;

/** What a resumed file is held against: its first `durable` bytes are on the disk, with this SHA-256; null where none are known to be. */
const MEDIA_4 = `
ALTER TABLE media_part ADD COLUMN durable INTEGER;
ALTER TABLE media_part ADD COLUMN sha256 TEXT;
`;

/** What was taken out for good, and what remains to be said of it. */
const WITHDRAWN_4 = `
-- One row a resource that was purged. It is never fetched again, nor is a record below it.
CREATE TABLE IF NOT EXISTS withdrawn (
  key          TEXT PRIMARY KEY,          -- object:demo-a-1, source:…
  withdrawn_at TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a media file that was purged: the SHA-256 of its URL, so that it is not fetched again for another record that names it.
CREATE TABLE IF NOT EXISTS withdrawn_url (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- One row a list from which the entries of purged records were taken: when, and the SHA-256 of the body as received. response.sha256 is that of the body as it is now.
CREATE TABLE IF NOT EXISTS redaction (
  response        INTEGER PRIMARY KEY,
  redacted_at     TEXT NOT NULL,
  received_sha256 TEXT NOT NULL
) STRICT;
`;

export const SCHEMA = `
-- Facts about the snapshot as a whole: authors_url, catalog_url, sample.
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
  key           TEXT PRIMARY KEY,         -- object:demo-a-1, children:demo-a-1?limit=25&offset=0
  kind          TEXT NOT NULL,            -- authors, author, article, source, object, children, files
  name          TEXT NOT NULL,
  model         TEXT,                     -- objects only: repository … file, by the record's own word
  page_limit    INTEGER,                  -- pages of lists only
  page_offset   INTEGER,
  referrer      TEXT,                     -- the key of the resource that named this one first
  state         TEXT NOT NULL CHECK (state IN ('queued', 'stored', 'failed')),
  run           INTEGER NOT NULL REFERENCES run (id),
  attempts      INTEGER NOT NULL DEFAULT 0,
  status        INTEGER,                  -- of the last answer, null when none came
  cause         TEXT,                     -- of the last failure
  response      INTEGER REFERENCES response (id),  -- the last good one
  guess         INTEGER NOT NULL DEFAULT 0,        -- 1: nobody named it, so that its absence is no failure
  validators    TEXT,                     -- JSON object: the conditional headers that the last good answer allows
  checked_at    TEXT,                     -- when upstream last answered with the body or said that it is unchanged; null after a failure
  missing_since INTEGER,                  -- the run in which upstream first answered 404 or 410 for what it once had
  gone_at       TEXT                      -- when it was taken for gone: 404 or 410 in two runs
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
  body       BLOB NOT NULL,
  run        INTEGER,                     -- null in bodies from before format 2
  redirects  TEXT                         -- JSON array of the addresses that led to url; null where there were none
) STRICT;
CREATE INDEX response_by_key ON response (key, id);

${MEDIA_3}${MEDIA_4}${WITHDRAWN_4}`;

/** What brings a file of each older version up to the next one. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
ALTER TABLE resource ADD COLUMN guess INTEGER NOT NULL DEFAULT 0;
ALTER TABLE resource ADD COLUMN validators TEXT;
ALTER TABLE resource ADD COLUMN checked_at TEXT;
ALTER TABLE resource ADD COLUMN missing_since INTEGER;
ALTER TABLE resource ADD COLUMN gone_at TEXT;
ALTER TABLE response ADD COLUMN run INTEGER;
ALTER TABLE response ADD COLUMN redirects TEXT;
`,
  2: `
ALTER TABLE media RENAME TO media_2;
${MEDIA_3}
INSERT INTO media SELECT *, NULL FROM media_2;
DROP TABLE media_2;
`,
  3: `${MEDIA_4}${WITHDRAWN_4}`,
};
