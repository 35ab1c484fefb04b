-- Reports of providers about messages: each report once, the delivery status of each run, and counters by day. Rows are
-- written only for connections whose callbacks are configured.
CREATE TABLE message_reports (
  tenant TEXT NOT NULL,
  execution TEXT NOT NULL,
  run TEXT NOT NULL,
  id TEXT NOT NULL,
  incarnation INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  recipient TEXT,
  received_at INTEGER NOT NULL,
  request TEXT NOT NULL,
  PRIMARY KEY (tenant, execution, run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_reports_received ON message_reports (received_at);
CREATE TABLE message_statuses (
  tenant TEXT NOT NULL,
  execution TEXT NOT NULL,
  run TEXT NOT NULL,
  incarnation INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  attempt INTEGER,
  recipient TEXT,
  message_id TEXT,
  code TEXT,
  reason TEXT,
  reports INTEGER NOT NULL,
  counts TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, execution, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE message_days (
  tenant TEXT NOT NULL,
  day INTEGER NOT NULL,
  definition TEXT NOT NULL,
  kind TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, definition, kind)
) STRICT, WITHOUT ROWID;
