-- What a definition's name means is no longer its newest version alone: versions may be drafts, and may be taken back.
-- Rows from before, and those of the release before, say nothing of it: each was published as it was created.
ALTER TABLE definitions ADD COLUMN published_at INTEGER;
-- Why it is not what its name may mean: draft, rolled_back. NULL where it may.
ALTER TABLE definitions ADD COLUMN withheld TEXT;

-- A start by name reads one row of it and one of the table, however many versions there are.
CREATE INDEX definitions_published ON definitions (tenant, name, coalesce(published_at, created_at), version)
  WHERE archived_at IS NULL AND withheld IS NULL;

-- What each name has meant, and who made it so.
CREATE TABLE publications (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  verb TEXT NOT NULL,
  version INTEGER,
  was INTEGER,
  actor TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (tenant, name, number)
) STRICT, WITHOUT ROWID;
