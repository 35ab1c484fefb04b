-- Completing tasks is a scope of its own, `tasks`. Keys from before, which could complete with `write`, go on doing so: 0
-- says that nobody was asked yet, 1 that whoever made the key chose with or without.

ALTER TABLE keys ADD COLUMN tasks_apart INTEGER NOT NULL DEFAULT 0;
