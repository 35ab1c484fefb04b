-- A tenant's pool of cells has a size of its own. Those who are there keep the sixteen cells that they have (0) until these
-- are too few, or have been too many for a day.
ALTER TABLE tenants ADD COLUMN pool_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN pool_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tenants ADD COLUMN pool_layers INTEGER NOT NULL DEFAULT 128;
ALTER TABLE tenants ADD COLUMN pool_needed_at INTEGER;
CREATE INDEX tenants_pooled ON tenants (pool_needed_at) WHERE pool_size <> 1;
