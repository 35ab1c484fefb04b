-- Triggers: what lets somebody outside cause executions. Settings name secrets and never hold one; `standing` says which
-- token and which secret hold now. A deleted trigger stays as a row, so that ids lead somewhere, and gives its name free.

CREATE TABLE triggers (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  labels TEXT NOT NULL,
  standing TEXT NOT NULL,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX triggers_name ON triggers (tenant, name) WHERE deleted_at IS NULL;

-- Executions know which trigger brought them about; only such an execution costs a row in the index.
ALTER TABLE executions ADD COLUMN trigger_id TEXT;
ALTER TABLE executions ADD COLUMN trigger_kind TEXT;

CREATE INDEX executions_trigger ON executions (tenant, trigger_id, created_at, id) WHERE trigger_id IS NOT NULL;
