// Table of rotations of webhook signing keys.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** No signing key is stored: services/signing/signing-secret.ts derives each key. */
export const signing = sqliteTable(
  "signing",
  {
    tenant: text("tenant").notNull(),
    /** A digest of the receiver's URL or name; '' is the tenant's own row, which applies to all receivers. */
    receiver: text("receiver").notNull(),
    /** The part of the receiver's URL or name that API responses show. */
    shown: text("shown").notNull(),
    since: integer("since").notNull(),
    previous: integer("previous").notNull(),
    previousUntil: integer("previous_until").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.receiver] })],
);
