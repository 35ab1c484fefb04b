-- Dead letters are found: by when they failed, by what failed them, and by whose they are.

ALTER TABLE runs ADD COLUMN namespace TEXT NOT NULL DEFAULT 'default';
ALTER TABLE runs ADD COLUMN definition TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN correlation_id TEXT;
ALTER TABLE runs ADD COLUMN error_code TEXT;

DROP INDEX runs_dead;
CREATE INDEX runs_dead ON runs (tenant, finished_at, execution, id) WHERE dead_letter = 1;
