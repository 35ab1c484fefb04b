-- Names of recurring actions: the optional name of each live recurring action, unique in its tenant. A table of its own,
-- because an index of `recurring` could cost a row at each occurrence. A row is written when a named recurring action is
-- created, and removed when it is deleted.
CREATE TABLE recurring_names (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
