-- Alert channels: to whom a tenant's failures are told. Settings name secrets and never hold one. A deleted channel
-- stays as a row, so that the audit log's ids lead somewhere, and gives its name free.

CREATE TABLE alert_channels (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX alert_channels_name ON alert_channels (tenant, name) WHERE deleted_at IS NULL;
