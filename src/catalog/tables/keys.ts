// Tables of API keys and of browser sessions.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const keys = sqliteTable(
  "keys",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    /** The SHA-256 hash of the secret. The secret itself is not stored. */
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    name: text("name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** The person who uses the key; null if the key belongs to a service. */
    actor: text("actor"),
    /** 1: `scopes` is complete. null: the key is older than the scope `payloads`, which its scope `read` contained. */
    exactScopes: integer("exact_scopes"),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.id] }), uniqueIndex("keys_hash").on(t.hash)],
);

export const sessions = sqliteTable(
  "sessions",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    /** The id of the API key that opened the session. */
    key: text("key").notNull(),
    /** The SHA-256 hash of the cookie's secret. The secret itself is not stored. */
    hash: text("hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("sessions_hash").on(t.hash),
    index("sessions_expiry").on(t.expiresAt),
  ],
);
