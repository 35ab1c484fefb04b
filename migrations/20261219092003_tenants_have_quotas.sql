-- Tenants have quotas, and may be suspended. `limits` holds those that the root key has set otherwise than they are by
-- default, as JSON by name; `suspended_at` is null while the tenant goes on.

ALTER TABLE tenants ADD COLUMN limits TEXT;
ALTER TABLE tenants ADD COLUMN suspended_at INTEGER;
ALTER TABLE tenants ADD COLUMN suspended_reason TEXT;

-- The sweeper leaves out executions of those that are suspended: few, or none.
CREATE INDEX tenants_suspended ON tenants (id) WHERE suspended_at IS NOT NULL;
