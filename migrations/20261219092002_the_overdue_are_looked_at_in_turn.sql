-- An execution whose wake has passed is looked at by the sweeper. Where looking does not heal it, the next look is a while
-- later, and later each time, so that very many of them never hide one whose alarm was really lost. News of it empties both.

ALTER TABLE executions ADD COLUMN looks INTEGER;
ALTER TABLE executions ADD COLUMN look_at INTEGER;
