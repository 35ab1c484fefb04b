-- Calendars of recurring actions: the names, each with the time of the dates that the recurring action has. Null if none.
ALTER TABLE recurring ADD COLUMN calendars TEXT;
CREATE INDEX recurring_calendars ON recurring (tenant, id) WHERE calendars IS NOT NULL AND deleted_at IS NULL;

-- Followed calendars: the change that all recurring actions have. Others than `updated_at` are sent to them by the sweep.
ALTER TABLE calendars ADD COLUMN followed_at INTEGER;
CREATE INDEX calendars_unfollowed ON calendars (updated_at) WHERE followed_at IS NOT updated_at AND deleted_at IS NULL;
