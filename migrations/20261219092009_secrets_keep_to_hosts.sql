-- Hosts that a secret may go to, as a list in JSON. Empty in rows from before, and where nobody said: wherever actions may
-- reach.

ALTER TABLE secrets ADD COLUMN hosts TEXT;
