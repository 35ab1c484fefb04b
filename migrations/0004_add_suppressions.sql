-- Suppressions: addresses that a tenant's messages must not be sent to. `address`: in its normal form; of a push token or
-- subscription the SHA-256, because the token itself authorizes sending. `reasons`: JSON object of each reason with its
-- source. The lookup before each attempt reads at most one row of the primary key for each recipient.
CREATE TABLE suppressions (
  tenant TEXT NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reasons TEXT NOT NULL,
  PRIMARY KEY (tenant, channel, address)
) STRICT, WITHOUT ROWID;
