// Tables of search variables: the values by which executions are found, and the variables that definitions declare.
import { customType, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { searchTypes } from "#schema/search/search-variables.ts";

/** A column that stores texts and numbers as they are, so that numbers are compared as numbers. */
const textOrNumber = customType<{ data: string | number }>({ dataType: () => "any" });

export const executionVariables = sqliteTable(
  "execution_variables",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** The value; a date is in epoch ms. */
    value: textOrNumber("value").notNull(),
    createdAt: integer("created_at").notNull(),
    execution: text("execution").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.value, t.createdAt, t.execution] })],
);

export const searchVariables = sqliteTable(
  "search_variables",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    type: text("type", { enum: searchTypes }).notNull(),
    definition: text("definition").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.name, t.type, t.definition] })],
);
