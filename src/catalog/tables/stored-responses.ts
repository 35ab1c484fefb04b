// Table of stored responses to requests with an Idempotency-Key.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const storedResponses = sqliteTable(
  "stored_responses",
  {
    tenant: text("tenant").notNull(),
    key: text("key").notNull(),
    route: text("route").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /**
     * 200: the response is stored. 202: the request has changed something, and its response is not stored. Null: the
     * request is still in progress.
     */
    status: integer("status"),
    body: text("body"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.key, t.route] }), index("stored_responses_created").on(t.createdAt)],
);
