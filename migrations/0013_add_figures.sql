-- Figures: counters of runs and executions by tenant, definition and version, in hours, days and totals. They replace
-- the counters of `run_days`, which earlier versions write and this version reads.
CREATE TABLE figures (
  tenant TEXT NOT NULL,
  step TEXT NOT NULL,
  definition TEXT NOT NULL,
  at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  since INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  counters TEXT NOT NULL,
  PRIMARY KEY (tenant, step, definition, at, version)
) STRICT, WITHOUT ROWID;

-- What the figures have counted of a run, as JSON. Null for a successful run, and in rows of earlier versions.
ALTER TABLE runs ADD COLUMN counted TEXT;
