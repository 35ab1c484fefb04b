-- Search: columns, tables and indexes by which lists of executions are filtered.
-- `search`: the values of the search variables as JSON, null if the definition declares none. `waits`: the names of the
-- waits as JSON, null after the end. `error_code`: the code of the error that ended the execution, or of its last
-- permanent failure.
ALTER TABLE executions ADD COLUMN search TEXT;
ALTER TABLE executions ADD COLUMN waits TEXT;
ALTER TABLE executions ADD COLUMN error_code TEXT;

-- These partial indexes cost a row only for executions with a correlation id, with an error, or with a late wake that the
-- sweeper has found.
CREATE INDEX executions_correlation ON executions (tenant, correlation_id, created_at, id) WHERE correlation_id IS NOT NULL;
CREATE INDEX executions_error ON executions (tenant, error_code, created_at, id) WHERE error_code IS NOT NULL;
CREATE INDEX executions_overdue ON executions (tenant, created_at, id) WHERE check_at IS NOT NULL;

-- Values of search variables, by value. A text and a number never compare equal. Dates are epoch milliseconds. A row is
-- written when a value changes, and only for definitions that declare search variables.
CREATE TABLE execution_variables (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  created_at INTEGER NOT NULL,
  execution TEXT NOT NULL,
  PRIMARY KEY (tenant, name, value, created_at, execution)
) STRICT, WITHOUT ROWID;

-- The search variables that the definitions of a tenant have ever declared. A query of an unknown variable is refused.
CREATE TABLE search_variables (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  definition TEXT NOT NULL,
  PRIMARY KEY (tenant, name, type, definition)
) STRICT, WITHOUT ROWID;
