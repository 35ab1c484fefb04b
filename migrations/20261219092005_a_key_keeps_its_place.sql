-- Where executions started with an Idempotency-Key live: as the first version of their definition's name says, so that a
-- repeat finds the first whatever later versions say. Empty in rows from before: there it is what the version itself says.

ALTER TABLE definitions ADD COLUMN keyed_placement TEXT;
