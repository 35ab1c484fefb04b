-- Tasks: what an execution asks of a person. The id comes from the run that made it, so a run makes one task however
-- often it is tried. `told` says what the execution made of its end: null until it has heard, or could not take it.

CREATE TABLE tasks (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  execution TEXT NOT NULL,
  run TEXT NOT NULL,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  assignee TEXT,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  reason TEXT,
  told TEXT,
  result TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_created ON tasks (tenant, created_at, id);
CREATE INDEX tasks_untold ON tasks (closed_at) WHERE told IS NULL AND closed_at IS NOT NULL;
