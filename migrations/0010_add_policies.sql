-- Policies: rules of a tenant that the actions of all its definitions heed. `kind`: quiet_hours. They are read with the row
-- of the tenant, in the same query. Deleted as connections are.
CREATE TABLE policies (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Reading a tenant's settings finds no row here if the tenant has no policy.
CREATE UNIQUE INDEX policies_name ON policies (tenant, name) WHERE deleted_at IS NULL;
