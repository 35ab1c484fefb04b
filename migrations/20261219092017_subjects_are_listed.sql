-- Executions know whom they are about, and what each will do next and when. Only one that is about somebody costs rows in
-- these indexes, and one that has ended has nothing planned.
ALTER TABLE executions ADD COLUMN subject TEXT;
ALTER TABLE executions ADD COLUMN next_at INTEGER;
ALTER TABLE executions ADD COLUMN next_node TEXT;

CREATE INDEX executions_subject ON executions (tenant, subject, created_at, id) WHERE subject IS NOT NULL;
CREATE INDEX executions_next ON executions (tenant, definition_name, next_at, created_at, id)
  WHERE subject IS NOT NULL AND next_at IS NOT NULL;
