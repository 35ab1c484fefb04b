-- The catalog begins: who may call, what may run, and the read model of what ran.
-- WITHOUT ROWID throughout: a text key is then one row written instead of two. STRICT: a wrong type is an error.

CREATE TABLE tenants (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retention_days INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX keys_hash ON keys (hash);

CREATE TABLE definitions (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, name, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX definitions_id ON definitions (tenant, id);

CREATE TABLE executions (
  tenant TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  definition_name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  placement TEXT NOT NULL,
  status TEXT NOT NULL,
  states TEXT NOT NULL,
  correlation_id TEXT,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  wake_at INTEGER,
  reason TEXT,
  error TEXT,
  PRIMARY KEY (tenant, created_at, id)
) STRICT, WITHOUT ROWID;

-- Both partial: a completed execution touches neither, so its row costs one row written.
CREATE INDEX executions_status ON executions (tenant, status, created_at, id) WHERE status <> 'completed';
CREATE INDEX executions_wake ON executions (wake_at) WHERE wake_at IS NOT NULL AND finished_at IS NULL;

CREATE TABLE runs (
  tenant TEXT NOT NULL,
  execution TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  action TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  finished_at INTEGER,
  error_type TEXT,
  error TEXT,
  reason TEXT,
  dead_letter INTEGER NOT NULL,
  cost_estimate REAL,
  PRIMARY KEY (tenant, execution, id)
) STRICT, WITHOUT ROWID;

-- Only dead letters are in it: they are the runs one looks for without knowing the execution.
CREATE INDEX runs_dead ON runs (tenant, created_at, execution, id) WHERE dead_letter = 1;

CREATE TABLE audit (
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  verb TEXT NOT NULL,
  target TEXT NOT NULL,
  reason TEXT,
  details TEXT,
  PRIMARY KEY (tenant, at, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER,
  body TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key, route)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_created ON idempotency (created_at);
