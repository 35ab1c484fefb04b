-- Calendars: named lists of dates, such as public holidays. A stored definition contains the dates of the calendars that it
-- names, so no execution reads this table.
CREATE TABLE calendars (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  settings TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX calendars_name ON calendars (tenant, name) WHERE deleted_at IS NULL;

-- Calendar uses: the newest version of each definition that names a calendar. A change of a calendar lists them.
CREATE TABLE calendar_uses (
  tenant TEXT NOT NULL,
  calendar TEXT NOT NULL,
  definition TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (tenant, calendar, definition)
) STRICT, WITHOUT ROWID;
