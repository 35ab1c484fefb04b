-- From which origins a tenant's own pages may call the API, as a JSON list. Empty: from none.

ALTER TABLE tenants ADD COLUMN origins TEXT;
