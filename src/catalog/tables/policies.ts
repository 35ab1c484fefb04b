// Table of policies.
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Policy } from "#schema/policies/policy.ts";

export const policies = sqliteTable(
  "policies",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    kind: text("kind").$type<Policy["kind"]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    settings: text("settings", { mode: "json" }).$type<Omit<Policy, "name" | "kind">>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("policies_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
  ],
);
