-- An id that is used again after retention is another life. `life` is the instant at which its execution was created: of
-- runs, so that a new life's rows win over an old one's whatever their numbers say; of tasks, so that each life has its own.
-- Rows from before have none: 0 and null. Their own created_at tells them apart well enough.

ALTER TABLE runs ADD COLUMN life INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN life INTEGER;
