// A migration that has landed is history: it has run in somebody's database, which remembers it by its name. So names only
// ever go on, in one order for all who sort them (wrangler and the test plugin by number, scripts/migrate.ts by letter),
// and no landed file changes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takenAway } from "./added.ts";

const folder = join(import.meta.dirname, "../../migrations");
const names = readdirSync(folder).toSorted();

/** Released migrations, each with the beginning of its SHA-256. A new migration adds its line; no line ever changes. */
const released: { readonly [name: string]: string } = {
  "0001_baseline.sql": "737e6f3d81476ab7",
  "0002_add_key_actor.sql": "e283632d1b483b75",
  "0003_add_recurring_names.sql": "115ddfc726709cc0",
  "0004_add_suppressions.sql": "7cf691162a1120a6",
  "0005_add_definition_caps.sql": "e4cbdf95199d3618",
  "0006_add_message_reports.sql": "223158d97dcc7cc1",
  "0007_add_recent_occurrences.sql": "646829c6dfcae3c1",
  "0008_add_execution_errors.sql": "f2cdfc40ff93a168",
  "0009_add_calendars.sql": "d7dc97c3a27079e1",
  "0010_add_policies.sql": "60172a46cbd2de0b",
  "0014_add_sessions.sql": "7064c9fac6358ba5",
  "0011_add_key_exact_scopes.sql": "830d34595743202d",
  "0012_add_followed_calendars.sql": "66a8aeb283760ed9",
  "0013_add_figures.sql": "1f685fd23d99db5e",
  "0015_add_search.sql": "de30a7e8e9b2f9ba",
  "0016_add_run_filters.sql": "b30d95df633558fd",
};

describe("migrations", () => {
  it("are named by four digits and by what they change", () => {
    expect(names.filter((name) => !/^\d{4}_[a-z][a-z0-9]*(_[a-z0-9]+)*\.sql$/.test(name))).toEqual([]);
  });

  it("are numbered from 1 without gaps, as npx wrangler d1 migrations create does", () => {
    expect(names.map(numberOf)).toEqual(names.map((_, index) => index + 1));
  });

  it("never change once released: a correction is a new migration, with a line of its own in this test", () => {
    expect(Object.fromEntries(names.map((name) => [name, digestOf(name)]))).toEqual(released);
  });
});

describe("a migration only ever adds, for code one version older works on its tables", () => {
  it.each(names)("%s", (name) => {
    expect(takenAway(readFileSync(join(folder, name), "utf8"))).toEqual([]);
  });

  it.each([
    ["DROP TABLE runs", "only CREATE TABLE"],
    ["DELETE FROM runs", "only CREATE TABLE"],
    ["UPDATE runs SET seq = 0", "only CREATE TABLE"],
    ["ALTER TABLE runs DROP COLUMN seq", "only CREATE TABLE"],
    ["ALTER TABLE runs RENAME COLUMN seq TO turn", "only CREATE TABLE"],
    ["ALTER TABLE runs RENAME TO actions", "only CREATE TABLE"],
    ["CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1", "only CREATE TABLE"],
    ["ALTER TABLE runs ADD COLUMN life INTEGER NOT NULL", "needs a default"],
    ["ALTER TABLE runs ADD life INTEGER CHECK (life > 0)", "such a rule"],
    ["CREATE UNIQUE INDEX runs_seq ON runs (seq)", "not unique"],
    ["DROP INDEX runs_dead", "made anew"],
  ])("refused: %s", (sql, why) => {
    expect(takenAway(`-- Why.\nCREATE TABLE other (id TEXT);\n${sql};`)).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    "CREATE TABLE a (id TEXT); CREATE UNIQUE INDEX a_id ON a (id)",
    "ALTER TABLE runs ADD COLUMN life INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN life INTEGER",
    "DROP INDEX runs_dead; CREATE INDEX runs_dead ON runs (tenant)",
  ])("allowed: %s", (sql) => expect(takenAway(sql)).toEqual([]));
});

function numberOf(name: string): number {
  return Number(name.split("_")[0]);
}

function digestOf(name: string): string {
  const text = readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
