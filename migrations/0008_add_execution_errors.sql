-- Errors of an execution: the number of permanent failures and the last message, as JSON. They are kept after the
-- execution's object is deleted. Null for an execution without failures.
ALTER TABLE executions ADD COLUMN errors TEXT;
