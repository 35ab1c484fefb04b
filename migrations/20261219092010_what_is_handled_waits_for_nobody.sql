-- A dead letter that its machine has taken care of waits for nobody. What was told before is taken for waiting.

ALTER TABLE runs ADD COLUMN handled INTEGER NOT NULL DEFAULT 0;

-- Those that wait, for who sends many again: beside many that are handled they would be hard to find.
CREATE INDEX runs_waiting ON runs (tenant, finished_at, execution, id) WHERE dead_letter = 1 AND handled = 0;
