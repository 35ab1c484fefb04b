// Table of encrypted secrets.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** `ciphertext` is the value, encrypted with the key that `keyId` names (services/secrets/sealing.ts). */
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
    /** The hosts that the secret may be sent to; null: any host that actions may call. */
    hosts: text("hosts", { mode: "json" }).$type<readonly string[]>(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name] })],
);
