-- Version 3: media of every kind, verified against declared checksums, resumable, stored once per content.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

-- Two programs wrote version 2, and the first did not have resource.validators yet. Both get the same table.
-- In `(SELECT validators FROM resource_2 AS own …)` SQLite takes the column of resource_2 if there is one, else that of `absent`.
ALTER TABLE resource RENAME TO resource_2;
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
  response      INTEGER REFERENCES response (id),  -- the latest valid version
  guess         INTEGER NOT NULL DEFAULT 0,        -- 1: a speculative request, whose failure does not count
  validators    TEXT,                     -- JSON object: headers for the next conditional request
  checked_at    TEXT,                     -- when upstream last sent the body or said that it is unchanged; null after a failure
  missing_since INTEGER,                  -- run.id in which upstream first answered 404 or 410 for what it had before
  gone_at       TEXT                      -- when it was taken to be removed: 404 or 410 in two runs
) STRICT, WITHOUT ROWID;
INSERT INTO resource (key, kind, name, model, page_limit, page_offset, referrer, state, run, attempts, status, cause, response,
    guess, validators, checked_at, missing_since, gone_at)
  SELECT r.key, r.kind, r.name, r.model, r.page_limit, r.page_offset, r.referrer, r.state, r.run, r.attempts, r.status, r.cause, r.response,
    r.guess, (SELECT validators FROM resource_2 AS own WHERE own.key = r.key), r.checked_at, r.missing_since, r.gone_at
  FROM (SELECT NULL AS validators) AS absent CROSS JOIN resource_2 AS r;
DROP TABLE resource_2;
CREATE INDEX resource_by_kind ON resource (kind, name);
CREATE INDEX resource_by_state ON resource (state) WHERE state <> 'stored';

-- One row per media file that a record names.
ALTER TABLE media RENAME TO media_2;
CREATE TABLE media (
  url        TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,               -- ID of the record that it is named after
  kind       TEXT NOT NULL,               -- thumb, image, audio, video, transcript, original
  state      TEXT NOT NULL CHECK (state IN ('stored', 'failed', 'quarantined')),
  path       TEXT,                        -- below the snapshot's directory; files with the same bytes share one
  sha256     TEXT,
  size       INTEGER,
  mimetype   TEXT,                        -- as detected in the content
  fetched_at TEXT NOT NULL,
  status     INTEGER,
  cause      TEXT,                        -- why it failed, or is in quarantine
  proven     TEXT                         -- JSON array: the declared checksums that its bytes agree with; null if none was declared
) STRICT, WITHOUT ROWID;
INSERT INTO media (url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause)
  SELECT url, owner, kind, state, path, sha256, size, mimetype, fetched_at, status, cause FROM media_2;
DROP TABLE media_2;
CREATE INDEX media_by_sum ON media (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX media_by_path ON media (path) WHERE path IS NOT NULL;

-- One row per media file whose download was begun: what it takes to resume it.
CREATE TABLE media_part (
  url       TEXT PRIMARY KEY,
  path      TEXT NOT NULL,                -- below the snapshot's directory
  validator TEXT NOT NULL,                -- for If-Range
  total     INTEGER                       -- bytes of the whole file, if upstream says so
) STRICT, WITHOUT ROWID;

-- Files that gave way to another with the same bytes and are to be deleted.
CREATE TABLE media_spare (
  path TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
