// Runs the recorded statements of the previous release on the current tables, as after a migration or a rollback.
// Current code then reads what they have written.
import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { catalog, database } from "#test/support/catalog.ts";
import * as alertChannels from "#catalog/tables/alert-channels.ts";
import * as audit from "#catalog/tables/audit.ts";
import * as connections from "#catalog/tables/connections.ts";
import * as definitions from "#catalog/tables/definitions.ts";
import * as executions from "#catalog/tables/executions.ts";
import * as keys from "#catalog/tables/keys.ts";
import * as operations from "#catalog/tables/operations.ts";
import * as prices from "#catalog/tables/prices.ts";
import * as runs from "#catalog/tables/runs.ts";
import * as secrets from "#catalog/tables/secrets.ts";
import * as tasks from "#catalog/tables/tasks.ts";
import * as templates from "#catalog/tables/templates.ts";
import * as tenants from "#catalog/tables/tenants.ts";
import recorded from "./previous-release.json";

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };
const statements: readonly Statement[] = recorded.statements;

/** Errors that depend on rows and not on the table: the row exists, or the reservation of a response is lost. */
const TAKEN = /UNIQUE constraint failed|NOT NULL constraint failed: stored_responses\.fingerprint/;

/**
 * Returns the statement's error on the current tables; null if it works. Names are put in brackets, because SQLite
 * reads an unknown name in double quotes as a text.
 */
async function fault({ sql, parameters }: Statement): Promise<string | null> {
  try {
    await database()
      .prepare(sql.replaceAll(/"([^"]*)"/g, "[$1]"))
      .bind(...parameters)
      .run();
    return null;
  } catch (error) {
    return TAKEN.test(String(error)) ? null : `${String(error)}: ${sql}`;
  }
}

const writes = statements.filter(({ sql }) => /^\s*(insert|update)/i.test(sql));
const others = statements.filter((each) => !writes.includes(each));

const { RECORD_STATEMENTS: recordingTo } = env as unknown as { RECORD_STATEMENTS: string }; // set by vitest.config.ts

// While a release is recorded, there is no other record to compare with.
describe.skipIf(recordingTo !== "")("statements of the previous release", () => {
  test("the recorded release reads and writes every table", () => {
    const all = statements.map(({ sql }) => sql).join("\n");
    const tables = ["alert_channels", "audit", "connections", "definitions", "executions", "keys", "stored_responses"];
    const more = ["operations", "prices", "runs", "secrets", "tasks", "templates", "tenants"];
    for (const table of [...tables, ...more]) {
      expect(all).toMatch(new RegExp(`(insert into|update) "?${table}"?`, "i"));
      expect(all).toMatch(new RegExp(`from "?${table}"?`, "i"));
    }
  });

  test("statements of the previous release can write and read the current tables", async () => {
    const faults = [];
    // Reading statements run last, so that there are rows to read.
    for (const statement of [...writes, ...others]) faults.push(await fault(statement));
    expect(faults.filter((each) => each !== null)).toEqual([]);
  });

  test("current code reads rows that the previous release has written", async () => {
    for (const statement of writes) await fault(statement);
    const tables = {
      ...alertChannels,
      ...audit,
      ...connections,
      ...definitions,
      ...executions,
      ...keys,
      ...operations,
      ...prices,
      ...runs,
      ...secrets,
      ...tasks,
      ...templates,
      ...tenants,
    };
    // The previous release does not know the tables that were added since. The first test names those it writes.
    const isWritten = (table: string) =>
      writes.some(({ sql }) => new RegExp(`(into|update) "?${table}\\b`, "i").test(sql));
    for (const [name, table] of Object.entries(tables)) {
      if (!isWritten(getTableName(table))) continue;
      const rows = await catalog().select().from(table).limit(50);
      expect([name, rows.length > 0]).toEqual([name, true]);
    }
  });

  test("a migration that removes a column is detected", async () => {
    expect(await fault({ sql: 'select "no_such_column" from "runs"', parameters: [] })).toContain("no such column");
    const missing = { sql: "INSERT INTO tenants (id) VALUES (?)", parameters: ["x"] };
    expect(await fault(missing)).toContain("NOT NULL constraint failed");
  });
});
