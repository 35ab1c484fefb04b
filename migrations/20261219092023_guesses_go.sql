-- Rows of executions that nobody could tell whose they were: they go when that is known again.
CREATE INDEX executions_unknown ON executions (tenant, id) WHERE definition_id = 'unknown';
