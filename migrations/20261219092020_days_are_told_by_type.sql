-- Of each type of action: how many ended, in how many attempts, how many of these timed out, and how long the last ones
-- took. One JSON object of counters that are only ever added to (`webhook/runs`, `webhook/took/96`), so that a batch still writes
-- one row a tenant and day.

ALTER TABLE run_days ADD COLUMN by_type TEXT;
