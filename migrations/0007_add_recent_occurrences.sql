-- Outcomes of recurring actions: the latest started occurrences of each recurring action, as JSON. With the ids in this
-- column, lists find the outcomes in the rows of the executions and of their runs. No further row is written.
ALTER TABLE recurring ADD COLUMN recent TEXT;
