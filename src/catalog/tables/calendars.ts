// Tables of calendars and of the definitions that name them.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CalendarSettings } from "#schema/configuration/calendar.ts";

export const calendars = sqliteTable(
  "calendars",
  {
    tenant: text("tenant").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    settings: text("settings", { mode: "json" }).$type<CalendarSettings>().notNull(),
    /** The `updatedAt` of the change that all recurring actions have; null if the sweep has not sent any yet. */
    followedAt: integer("followed_at"),
  },
  (t) => [
    primaryKey({ columns: [t.tenant, t.id] }),
    uniqueIndex("calendars_name")
      .on(t.tenant, t.name)
      .where(sql`deleted_at IS NULL`),
    index("calendars_unfollowed")
      .on(t.updatedAt)
      .where(sql`followed_at IS NOT updated_at AND deleted_at IS NULL`),
  ],
);

export const calendarUses = sqliteTable(
  "calendar_uses",
  {
    tenant: text("tenant").notNull(),
    calendar: text("calendar").notNull(),
    definition: text("definition").notNull(),
    version: integer("version").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.calendar, t.definition] })],
);
