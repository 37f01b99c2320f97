-- Version 6: the requests and responses as they were sent and received, with every redirect.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

-- One row per request for a stored body or media file: the first, and one per redirect. What was stored before has none.
CREATE TABLE exchange (
  id              INTEGER PRIMARY KEY,
  response        INTEGER,                -- response.id, whose body is that of the last request; null for a media file
  media           TEXT,                   -- media.url, whose file is the body of the last request; null for a response
  position        INTEGER NOT NULL,       -- 0 for the first request
  method          TEXT NOT NULL,          -- HTTP method
  url             TEXT NOT NULL,
  sent_at         TEXT NOT NULL,          -- ISO 8601, UTC
  request_headers TEXT NOT NULL,          -- JSON array of [name, value], in the order sent
  status          INTEGER NOT NULL,       -- HTTP status
  reason          TEXT NOT NULL,          -- reason phrase; empty if there was none
  headers         TEXT NOT NULL,          -- JSON array of [name, value], in the order received, before the body was decoded
  body            BLOB,                   -- of a redirect, as received; null if it was too long, or is stored as response or media file
  CHECK ((response IS NULL) <> (media IS NULL))
) STRICT;
CREATE INDEX exchange_by_response ON exchange (response, position) WHERE response IS NOT NULL;
CREATE INDEX exchange_by_media ON exchange (media, position) WHERE media IS NOT NULL;
