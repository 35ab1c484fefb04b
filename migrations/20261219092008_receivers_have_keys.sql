-- What rotations of webhook signing keys have come to: of a tenant (receiver ''), or of one receiver, by the digest of its
-- address. Keys themselves are derived and stand nowhere. A tenant without a row signs with one key for all its receivers,
-- as every tenant did before; one that is made from now on begins with a row.

CREATE TABLE signing (
  tenant TEXT NOT NULL,
  receiver TEXT NOT NULL,
  shown TEXT NOT NULL,
  since INTEGER NOT NULL,
  previous INTEGER NOT NULL,
  previous_until INTEGER NOT NULL,
  PRIMARY KEY (tenant, receiver)
) STRICT, WITHOUT ROWID;
