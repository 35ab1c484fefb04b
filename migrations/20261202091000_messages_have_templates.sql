-- Messages have templates, stored as versions: one row a version, never changed but for the archived mark.

CREATE TABLE templates (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, name, version)
) STRICT, WITHOUT ROWID;
