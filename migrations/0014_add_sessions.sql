-- Sessions of browsers. A session acts as the API key that opened it, until it expires or is ended.
CREATE TABLE sessions (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_expiry ON sessions (expires_at);
