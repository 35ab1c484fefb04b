// Rotations of webhook signing keys as a drizzle table.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** No key is stored: each is derived (services/signing/signing-secret.ts). */
export const signing = sqliteTable(
  "signing",
  {
    tenant: text("tenant").notNull(),
    /** The digest of a receiver's address or name; '' is the tenant, with all its receivers. */
    receiver: text("receiver").notNull(),
    /** The part of it that may be shown. */
    shown: text("shown").notNull(),
    since: integer("since").notNull(),
    previous: integer("previous").notNull(),
    previousUntil: integer("previous_until").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.receiver] })],
);
