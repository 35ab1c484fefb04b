-- Connections: a tenant's named accounts at providers. Settings name secrets and never hold one. A deleted connection
-- stays as a row, so that the audit log's ids lead somewhere, and gives its name free.

CREATE TABLE connections (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  provider TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX connections_name ON connections (tenant, name) WHERE deleted_at IS NULL;
