-- What a tenant's actions have come to, day by day (UTC), counted as lists hear of it: a run's ending moves these in the same
-- transaction that writes its row, and once. `day` counts from 1970. `failed` holds what was `refused` for its config, too.
-- `depth_*`: how much was due and not begun, as the sweeper saw it.

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
  PRIMARY KEY (tenant, day)
) STRICT, WITHOUT ROWID;

-- Only failures write here: a day on which all went well costs nothing.
CREATE TABLE run_day_errors (
  tenant TEXT NOT NULL,
  day INTEGER NOT NULL,
  type TEXT NOT NULL,
  failed INTEGER NOT NULL,
  last_error TEXT,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, type)
) STRICT, WITHOUT ROWID;
