-- The person of an API key, in keys and audit entries, and whether the person who closed a task is that person.
ALTER TABLE keys ADD COLUMN actor TEXT;
ALTER TABLE audit ADD COLUMN person TEXT;
ALTER TABLE tasks ADD COLUMN closed_by_verified INTEGER;
