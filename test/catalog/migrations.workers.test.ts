// Compares the drizzle tables with the tables that the migrations create in SQLite.
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { alertChannels } from "#catalog/tables/alert-channels.ts";
import { audit } from "#catalog/tables/audit.ts";
import { connections } from "#catalog/tables/connections.ts";
import { definitionCaps } from "#catalog/tables/definition-caps.ts";
import { definitions } from "#catalog/tables/definitions.ts";
import { executions, executionVariables, searchVariables } from "#catalog/tables/executions.ts";
import { storedResponses } from "#catalog/tables/stored-responses.ts";
import { figures } from "#catalog/tables/figures.ts";
import { keys, sessions } from "#catalog/tables/keys.ts";
import { messageDays, messageReports, messageStatuses } from "#catalog/tables/message-reports.ts";
import { operations } from "#catalog/tables/operations.ts";
import { policies } from "#catalog/tables/policies.ts";
import { prices } from "#catalog/tables/prices.ts";
import { publications } from "#catalog/tables/publications.ts";
import { recurring, recurringGone, recurringNames } from "#catalog/tables/recurring.ts";
import { runDayErrors, runDays } from "#catalog/tables/run-days.ts";
import { runRecipients, runs } from "#catalog/tables/runs.ts";
import { secrets } from "#catalog/tables/secrets.ts";
import { signing } from "#catalog/tables/signing.ts";
import { calendars, calendarUses } from "#catalog/tables/calendars.ts";
import { suppressions } from "#catalog/tables/suppressions.ts";
import { tasks } from "#catalog/tables/tasks.ts";
import { templates } from "#catalog/tables/templates.ts";
import { tenants } from "#catalog/tables/tenants.ts";
import { triggers } from "#catalog/tables/triggers.ts";
import { database } from "#test/support/catalog.ts";

const tables = [
  ...[calendars, calendarUses],
  ...[alertChannels, audit, connections, definitionCaps, definitions, executions, storedResponses, keys],
  ...[
    operations,
    policies,
    prices,
    publications,
    recurring,
    recurringGone,
    recurringNames,
    runDayErrors,
    runDays,
    runs,
    secrets,
    sessions,
    signing,
    suppressions,
    tasks,
  ],
  ...[executionVariables, runRecipients, searchVariables],
  ...[figures, messageDays, messageReports, messageStatuses],
  ...[templates, tenants, triggers],
];
const all = tables.map((table) => getTableConfig(table));
/** An expression in an index has no name on either side. */
const names = (columns: readonly unknown[]) => columns.map((column) => (column as Partial<SQLiteColumn>).name ?? null);

async function ask<T>(sql: string): Promise<T[]> {
  return (await database().prepare(sql).all<T>()).results;
}

describe("the tables and the migrations agree", () => {
  it("on the tables: each is STRICT and WITHOUT ROWID", async () => {
    const list = await ask<{ name: string; wr: number; strict: number }>("PRAGMA table_list");
    const made = list.filter(({ name }) => !/^(sqlite_|_cf_|d1_migrations)/.test(name));
    expect(made.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name).sort());
    expect(made.filter(({ wr, strict }) => wr !== 1 || strict !== 1)).toEqual([]);
  });

  it.each(all)("on the columns of $name", async ({ name, columns, primaryKeys }) => {
    const made = await ask<{ name: string; type: string; notnull: number; pk: number }>(`PRAGMA table_info(${name})`);
    expect(made.map((column) => [column.name, column.type, column.notnull === 1])).toEqual(
      columns.map((column) => [column.name, column.getSQLType().toUpperCase(), column.notNull]),
    );
    const key = made.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const declared = primaryKeys.flatMap((primary) => primary.columns);
    expect(names(key)).toEqual(names(declared.length > 0 ? declared : columns.filter(({ primary }) => primary)));
  });

  it.each(all)("on the indexes of $name", async ({ name, indexes }) => {
    const made = await ask<{ name: string; unique: number; origin: string }>(`PRAGMA index_list(${name})`);
    const found = await Promise.all(
      made
        .filter(({ origin }) => origin === "c")
        .map(async (index) => ({
          name: index.name,
          unique: index.unique === 1,
          columns: names(await ask(`PRAGMA index_info(${index.name})`)),
          where: await conditionOf(index.name),
        })),
    );
    const declared = indexes.map(({ config }) => ({
      name: config.name,
      unique: config.unique,
      columns: names(config.columns),
      where: config.where === undefined ? null : config.where.queryChunks.map(text).join(""),
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(found.sort(byName)).toEqual(declared.sort(byName));
  });
});

async function conditionOf(index: string): Promise<string | null> {
  const [row] = await ask<{ sql: string }>(`SELECT sql FROM sqlite_master WHERE name = '${index}'`);
  return row?.sql.split(" WHERE ")[1] ?? null;
}

function text(chunk: unknown): string {
  return (chunk as { value: string[] }).value.join("");
}
