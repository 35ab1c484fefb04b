-- Run filters: columns by which lists of runs are filtered, and the recipients of messages.
-- `recipients`: the addresses in their normal form, as JSON; null for runs that send no e-mail and no SMS. `tags`: the
-- labels of the action, as JSON. `uses`: the connection that the config names. `held`: why the run is held, null if it is
-- not. `took_ms`: the duration of the last attempt.
ALTER TABLE runs ADD COLUMN recipients TEXT;
ALTER TABLE runs ADD COLUMN tags TEXT;
ALTER TABLE runs ADD COLUMN uses TEXT;
ALTER TABLE runs ADD COLUMN held TEXT;
ALTER TABLE runs ADD COLUMN took_ms INTEGER;

-- Recipients of messages, by address. A row is written once for each recipient of a run. It is deleted with the run, by
-- the addresses in the run's row.
CREATE TABLE run_recipients (
  tenant TEXT NOT NULL,
  recipient TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  execution TEXT NOT NULL,
  run TEXT NOT NULL,
  PRIMARY KEY (tenant, recipient, created_at, execution, run)
) STRICT, WITHOUT ROWID;
