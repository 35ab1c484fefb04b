-- Executions know which one started them, so that a tree of them can be read. Only one that has a parent costs a row in
-- the index.
ALTER TABLE executions ADD COLUMN parent TEXT;

CREATE INDEX executions_parent ON executions (tenant, parent, id) WHERE parent IS NOT NULL;
