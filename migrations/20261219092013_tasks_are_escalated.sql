-- Tasks that stay open are escalated: to whom is in `assignee` then, from whom is kept, and since when. How urgent a task
-- is goes with it.

ALTER TABLE tasks ADD COLUMN priority INTEGER;
ALTER TABLE tasks ADD COLUMN escalated_at INTEGER;
ALTER TABLE tasks ADD COLUMN escalated_from TEXT;
