-- When an execution was erased. Its row stays, emptied, for as long as late news of it may come, so that none makes it anew.

ALTER TABLE executions ADD COLUMN erased_at INTEGER;
CREATE INDEX executions_erased ON executions (erased_at) WHERE erased_at IS NOT NULL;
