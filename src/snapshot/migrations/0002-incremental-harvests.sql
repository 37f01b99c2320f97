-- Version 2: incremental harvests. Conditional requests, removed records, the run and the redirects of each response.
-- Frozen: snapshots were made with this file. A change of the schema is a new file.

-- A comment inside a statement stays in the table's definition; one after it does not.
ALTER TABLE resource ADD COLUMN guess INTEGER NOT NULL DEFAULT 0;
ALTER TABLE resource ADD COLUMN validators TEXT;
ALTER TABLE resource ADD COLUMN checked_at TEXT;
ALTER TABLE resource ADD COLUMN missing_since INTEGER;
ALTER TABLE resource ADD COLUMN gone_at TEXT;
ALTER TABLE response ADD COLUMN run INTEGER /* run.id; null in bodies from version 1 */;
ALTER TABLE response ADD COLUMN redirects TEXT /* JSON array of the URLs that led to url; null if there were none */;
