-- Operations over many dead letters. While one runs, its object knows how far it is; the row is written when it begins
-- and when it ends, and stays after the object has let go.

CREATE TABLE operations (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  verb TEXT NOT NULL,
  filter TEXT NOT NULL,
  per_second INTEGER NOT NULL,
  reason TEXT,
  actor TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  status TEXT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_created ON operations (tenant, created_at, id);
