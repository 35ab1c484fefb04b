-- An execution that its cell cannot go on with stands apart, with the reason. The index holds those alone, so that no other
-- row costs more than it did. News of the execution's next step empties both columns.

ALTER TABLE executions ADD COLUMN quarantine TEXT;
ALTER TABLE executions ADD COLUMN quarantined_at INTEGER;
CREATE INDEX executions_quarantine ON executions (tenant, created_at, id) WHERE quarantine IS NOT NULL;
