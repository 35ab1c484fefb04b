-- Caps of definitions: the allowance of each cap in the version that the definition's name resolves to, such as
-- "3 per 7 days". All journeys of a tenant share a cap by its name, so validation compares the allowances. The rows of a
-- name are replaced at each publication and rollback. A definition without caps has no rows.
CREATE TABLE definition_caps (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  cap TEXT NOT NULL,
  version INTEGER NOT NULL,
  allowance TEXT NOT NULL,
  PRIMARY KEY (tenant, name, cap)
) STRICT, WITHOUT ROWID;

-- Validation searches for another allowance of a cap, and skips the equal ones.
CREATE INDEX definition_caps_allowance ON definition_caps (tenant, cap, allowance);
