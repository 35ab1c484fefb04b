-- What one attempt of an action costs, as a tenant has it from its providers: one table of prices a tenant.

CREATE TABLE prices (
  tenant TEXT NOT NULL,
  currency TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  amounts TEXT NOT NULL,
  PRIMARY KEY (tenant)
) STRICT, WITHOUT ROWID;
