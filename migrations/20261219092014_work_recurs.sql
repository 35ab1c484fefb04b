-- Recurring actions as lists find them: what was asked for, and how far each is, as its object told it. Without an index:
-- each would cost a row at every occurrence, and what looks through all of them does so every five minutes.

CREATE TABLE recurring (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT,
  next_at INTEGER,
  wake_at INTEGER,
  last_at INTEGER,
  count INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  spec TEXT NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- What those that are gone had counted: a counter never goes down.
CREATE TABLE recurring_gone (
  tenant TEXT NOT NULL,
  dispatched INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  PRIMARY KEY (tenant)
) STRICT, WITHOUT ROWID;
