-- Whether a key's list of scopes is complete. Keys without this mark are older than the scope payloads, which their scope
-- read contained.
ALTER TABLE keys ADD COLUMN exact_scopes INTEGER;
