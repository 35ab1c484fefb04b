-- Operations over many executions: what is done to each of them, when that stops by itself, and why it did.
ALTER TABLE operations ADD COLUMN asked TEXT;
ALTER TABLE operations ADD COLUMN stopped TEXT;
