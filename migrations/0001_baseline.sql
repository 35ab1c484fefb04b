-- The catalog: configuration, and the read model of executions. It finds things; it is never the truth of an execution.
-- STRICT: a value of the wrong type is an error. WITHOUT ROWID: a text key costs one row written instead of two.
-- The tenant comes first in each key. Large columns come last, so that reading the others stays off the overflow pages.
-- Times are epoch milliseconds. Each index names the query that needs it; partial indexes cost other rows nothing.

-- Tenants. `limits`: quotas that differ from the defaults, as JSON. `origins`: browser origins that may call the API.
-- `pool_size`: cells that new pooled executions are spread over; `pool_layers`: the sum of all sizes the pool ever had.
CREATE TABLE tenants (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retention_days INTEGER NOT NULL,
  limits TEXT,
  suspended_at INTEGER,
  suspended_reason TEXT,
  origins TEXT,
  pool_size INTEGER NOT NULL DEFAULT 1,
  pool_epoch INTEGER NOT NULL DEFAULT 0,
  pool_layers INTEGER NOT NULL DEFAULT 1,
  pool_needed_at INTEGER
) STRICT, WITHOUT ROWID;

-- The sweeper skips executions of suspended tenants.
CREATE INDEX tenants_suspended ON tenants (id) WHERE suspended_at IS NOT NULL;
-- The sweeper shrinks pools that are larger than needed.
CREATE INDEX tenants_pooled ON tenants (pool_needed_at) WHERE pool_size <> 1;

-- API keys. Only the SHA-256 of a key is stored.
CREATE TABLE keys (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Authentication of each request.
CREATE UNIQUE INDEX keys_hash ON keys (hash);

-- Definitions: one row a version. `keyed_placement`: where executions started with an Idempotency-Key live, as the first
-- version says, so that a repeat finds the first. `withheld`: `draft` or `rolled_back`, null if the name may mean this version.
-- `published_at`: null if the version was published when it was created.
CREATE TABLE definitions (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  archived_at INTEGER,
  keyed_placement TEXT NOT NULL,
  published_at INTEGER,
  withheld TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, name, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX definitions_id ON definitions (tenant, id);
-- A start by name reads one row of this index and one of the table, however many versions there are.
CREATE INDEX definitions_published ON definitions (tenant, name, coalesce(published_at, created_at), version)
  WHERE archived_at IS NULL AND withheld IS NULL;

-- History of what each definition name has meant. `was`: the version before, null if none.
CREATE TABLE publications (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  verb TEXT NOT NULL,
  version INTEGER,
  was INTEGER,
  actor TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (tenant, name, number)
) STRICT, WITHOUT ROWID;

-- Message templates: one row a version.
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

-- Secrets, encrypted. `key_id`: the key of SECRETS_KEYS that decrypts the row. `hosts`: JSON list of hosts that a secret
-- may be sent to, null for any.
CREATE TABLE secrets (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  iv TEXT NOT NULL,
  ciphertext TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  hosts TEXT,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Connections: named accounts at providers. `settings` names secrets and never holds one. A deleted connection keeps its
-- row, so that ids in the audit log resolve, and frees its name. `attention`: why the provider rejects the account, null if it does not.
CREATE TABLE connections (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  provider TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  attention TEXT,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX connections_name ON connections (tenant, name) WHERE deleted_at IS NULL;

-- Alert channels: where a tenant's failures are reported. Deleted as connections are.
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

-- Triggers: webhooks and pollers. `credentials`: which token and which secret are valid now. Deleted as connections are.
CREATE TABLE triggers (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  labels TEXT NOT NULL,
  credentials TEXT NOT NULL,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX triggers_name ON triggers (tenant, name) WHERE deleted_at IS NULL;

-- Recurring actions: the specification, and the progress that each object reports. No secondary index: it would cost a row
-- at each occurrence, and the only full scan runs every five minutes.
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

-- Totals of deleted recurring actions: a counter never decreases.
CREATE TABLE recurring_deleted (
  tenant TEXT NOT NULL PRIMARY KEY,
  dispatched INTEGER NOT NULL,
  errors INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Rotations of webhook signing keys: of a tenant (receiver ''), or of one receiver, by the digest of its address. Keys
-- are derived, never stored.
CREATE TABLE signing (
  tenant TEXT NOT NULL,
  receiver TEXT NOT NULL,
  shown TEXT NOT NULL,
  since INTEGER NOT NULL,
  previous INTEGER NOT NULL,
  previous_until INTEGER NOT NULL,
  PRIMARY KEY (tenant, receiver)
) STRICT, WITHOUT ROWID;

-- Prices of one attempt: one table of amounts a tenant, as JSON.
CREATE TABLE prices (
  tenant TEXT NOT NULL PRIMARY KEY,
  currency TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  amounts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Executions: the row that each execution projects of itself; the higher `seq` wins. `checks`, `check_at`: how often the
-- sweeper has checked an overdue execution, and when it checks again. An erased row stays, emptied, until late projections are over.
CREATE TABLE executions (
  tenant TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  definition_name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  placement TEXT NOT NULL,
  status TEXT NOT NULL,
  states TEXT NOT NULL,
  correlation_id TEXT,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  wake_at INTEGER,
  reason TEXT,
  error TEXT,
  checks INTEGER,
  check_at INTEGER,
  quarantine TEXT,
  quarantined_at INTEGER,
  erased_at INTEGER,
  trigger_id TEXT,
  trigger_kind TEXT,
  subject TEXT,
  next_at INTEGER,
  next_node TEXT,
  parent TEXT,
  PRIMARY KEY (tenant, created_at, id)
) STRICT, WITHOUT ROWID;

-- Lists by status. A completed execution is in none of these indexes, so its row costs one row written.
CREATE INDEX executions_status ON executions (tenant, status, created_at, id) WHERE status <> 'completed';
-- The sweeper: executions whose wake is overdue.
CREATE INDEX executions_wake ON executions (wake_at) WHERE wake_at IS NOT NULL AND finished_at IS NULL;
CREATE INDEX executions_quarantine ON executions (tenant, created_at, id) WHERE quarantine IS NOT NULL;
CREATE INDEX executions_erased ON executions (erased_at) WHERE erased_at IS NOT NULL;
CREATE INDEX executions_trigger ON executions (tenant, trigger_id, created_at, id) WHERE trigger_id IS NOT NULL;
CREATE INDEX executions_subject ON executions (tenant, subject, created_at, id) WHERE subject IS NOT NULL;
CREATE INDEX executions_next ON executions (tenant, definition_name, next_at, created_at, id)
  WHERE subject IS NOT NULL AND next_at IS NOT NULL;
CREATE INDEX executions_parent ON executions (tenant, parent, id) WHERE parent IS NOT NULL;
-- Rows written before their definition was known are removed once it is.
CREATE INDEX executions_unknown ON executions (tenant, id) WHERE definition_id = 'unknown';

-- Runs of actions. `incarnation`: when the execution was created, because an id may be used again after retention.
-- `handled`: the definition took the failure, so the dead letter needs no operator.
CREATE TABLE runs (
  tenant TEXT NOT NULL,
  execution TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  incarnation INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  definition TEXT NOT NULL,
  correlation_id TEXT,
  action TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  finished_at INTEGER,
  error_type TEXT,
  error_code TEXT,
  error TEXT,
  reason TEXT,
  dead_letter INTEGER NOT NULL,
  handled INTEGER NOT NULL,
  connection TEXT,
  auto_retry INTEGER,
  cost_estimate REAL,
  PRIMARY KEY (tenant, execution, id)
) STRICT, WITHOUT ROWID;

-- Lists of dead letters, and of those that wait for an operator.
CREATE INDEX runs_dead ON runs (tenant, finished_at, execution, id) WHERE dead_letter = 1;
CREATE INDEX runs_waiting ON runs (tenant, finished_at, execution, id) WHERE dead_letter = 1 AND handled = 0;

-- Outcomes of runs by day (UTC; `day` counts from 1970), moved in the transaction that writes the run's row. `failed`
-- includes `refused` (invalid configuration). `by_type`: JSON counters by action type. `depth_*`: queue depth as sampled by the sweeper.
CREATE TABLE run_days (
  tenant TEXT NOT NULL,
  day INTEGER NOT NULL,
  total INTEGER NOT NULL DEFAULT 0,
  successful INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  retried INTEGER NOT NULL DEFAULT 0,
  took_ms INTEGER NOT NULL DEFAULT 0,
  timed INTEGER NOT NULL DEFAULT 0,
  depth_max INTEGER NOT NULL DEFAULT 0,
  depth_sum INTEGER NOT NULL DEFAULT 0,
  depth_samples INTEGER NOT NULL DEFAULT 0,
  by_type TEXT,
  PRIMARY KEY (tenant, day)
) STRICT, WITHOUT ROWID;

-- Failures by error type and day. A day without failures writes nothing here.
CREATE TABLE run_day_errors (
  tenant TEXT NOT NULL,
  day INTEGER NOT NULL,
  type TEXT NOT NULL,
  failed INTEGER NOT NULL,
  last_error TEXT,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, type)
) STRICT, WITHOUT ROWID;

-- Tasks for people. The id derives from the run, so that a repeated attempt finds its task. `delivery`: "delivered", or
-- the code of the execution's refusal; null until the execution has been notified of the task's end.
CREATE TABLE tasks (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  execution TEXT NOT NULL,
  incarnation INTEGER NOT NULL,
  run TEXT NOT NULL,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  assignee TEXT,
  priority INTEGER,
  due_at INTEGER,
  escalated_at INTEGER,
  escalated_from TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  reason TEXT,
  delivery TEXT,
  result TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_created ON tasks (tenant, created_at, id);
-- The sweeper notifies executions of closed tasks again.
CREATE INDEX tasks_undelivered ON tasks (closed_at) WHERE delivery IS NULL AND closed_at IS NOT NULL;

-- Operations: bulk verbs. The object holds the progress; the row is written at the start and at the end. `request`: what
-- is done to each execution, and when the operation stops.
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
  request TEXT,
  stopped TEXT,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX operations_created ON operations (tenant, created_at, id);

-- Audit log: each control action, with its actor.
CREATE TABLE audit (
  tenant TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  actor TEXT NOT NULL,
  verb TEXT NOT NULL,
  target TEXT NOT NULL,
  reason TEXT,
  details TEXT,
  PRIMARY KEY (tenant, at, id)
) STRICT, WITHOUT ROWID;

-- Responses to requests with an Idempotency-Key, replayed to a repeated request. `status`: null while the first request runs.
CREATE TABLE stored_responses (
  tenant TEXT NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER,
  body TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, key, route)
) STRICT, WITHOUT ROWID;

-- The purge of expired responses.
CREATE INDEX stored_responses_created ON stored_responses (created_at);
