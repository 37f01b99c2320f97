-- Version 4: resumed downloads are verified, and records can be purged.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

-- The first `durable` bytes of a partial file are on the disk, with this SHA-256; null if none are known to be.
ALTER TABLE media_part ADD COLUMN durable INTEGER;
ALTER TABLE media_part ADD COLUMN sha256 TEXT;

-- One row per resource that was purged. It is never fetched again, nor is a record below it.
CREATE TABLE IF NOT EXISTS withdrawn (
  key          TEXT PRIMARY KEY,          -- object:demo-a-1, source:…
  withdrawn_at TEXT NOT NULL,
  reason       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per media file that was purged: the SHA-256 of its URL, so that it is not downloaded again for another record.
CREATE TABLE IF NOT EXISTS withdrawn_url (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- One row per list page from which the entries of purged records were removed.
CREATE TABLE IF NOT EXISTS redaction (
  response        INTEGER PRIMARY KEY,    -- response.id, whose sha256 is that of the body as it is now
  redacted_at     TEXT NOT NULL,
  received_sha256 TEXT NOT NULL           -- of the body as received
) STRICT;
