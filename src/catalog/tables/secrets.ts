// Secrets as a drizzle table, encrypted.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The value itself is not stored: `ciphertext` is decrypted with the key that `keyId` names
 * (services/secrets/sealing.ts).
 */
export const secrets = sqliteTable(
  "secrets",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    keyId: text("key_id").notNull(),
    iv: text("iv").notNull(),
    ciphertext: text("ciphertext").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The hosts it may be sent to; null: any host that actions may reach. */
    hosts: text("hosts", { mode: "json" }).$type<readonly string[]>(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name] })],
);
