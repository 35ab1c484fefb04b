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

/** What has landed, each with the beginning of its SHA-256. A new migration adds its line; no line ever changes. */
const landed: { readonly [name: string]: string } = {
  "20261118100000_catalog_begins.sql": "f4a90f431cbb3b79",
  "20261202090000_secrets_are_kept.sql": "b3f7bf7137f6c275",
  "20261202091000_messages_have_templates.sql": "ef5fc318edc6c2a9",
  "20261202092000_connections_begin.sql": "914484361672b174",
  "20261203080000_tasks_wait_for_people.sql": "199d59323f060bb1",
  "20261203081000_attempts_have_prices.sql": "2730f6f00d9b3a6d",
  "20261219090000_dead_letters_are_found.sql": "75c8605a0b9a5383",
  "20261219091000_operations_are_listed.sql": "efd5853e6eda9421",
  "20261219092000_failures_are_told.sql": "be3f6078ab95e46e",
  "20261219092001_lives_are_told_apart.sql": "26c69ef6faac2d27",
  "20261219092002_the_overdue_are_looked_at_in_turn.sql": "21493ac7d6ec1bed",
  "20261219092003_tenants_have_quotas.sql": "784691fe3dc4bbdb",
  "20261219092004_what_stands_apart_is_listed.sql": "386bb6d4cc054676",
  "20261219092005_a_key_keeps_its_place.sql": "bb0ca857a22fdbbc",
  "20261219092006_browsers_call_from_origins.sql": "40a9071dd876ba6a",
  "20261219092007_the_erased_leave_a_mark.sql": "50acb813db3defb1",
  "20261219092008_receivers_have_keys.sql": "3d75a21af4df6af6",
  "20261219092009_secrets_keep_to_hosts.sql": "721c6dfbe9ac3082",
  "20261219092010_what_is_handled_waits_for_nobody.sql": "b19eb78177c02a37",
  "20261219092011_connections_need_attention.sql": "89ed4ade16420d33",
  "20261219092012_completing_tasks_is_a_scope.sql": "5d907154d27bfa96",
  "20261219092013_tasks_are_escalated.sql": "4b99414e5a29b680",
  "20261219092014_work_recurs.sql": "379c4c9d75cf3a9e",
  "20261219092015_triggers_begin.sql": "e740218494f6c15e",
  "20261219092016_days_are_counted.sql": "6f745cda74cb3345",
  "20261219092017_subjects_are_listed.sql": "f410e508fc9cb962",
  "20261219092018_versions_are_published.sql": "af47787dde0c873c",
  "20261219092019_executions_are_steered.sql": "544e8d194b79230b",
  "20261219092020_days_are_told_by_type.sql": "9e902e9ab1b3a010",
  "20261219092021_children_are_found.sql": "3a08c70cc94ee19c",
  "20261219092022_dead_letters_heal.sql": "51cb132e7ac2c49e",
  "20261219092023_guesses_go.sql": "5b4a6ad5a2fab5c4",
  "20261219092024_pools_grow.sql": "688d8be17afaadad",
};

/** Up to here the numbers were dates, some of them still to come; from here on they are counted up by one. */
const LAST_DATED = 20_261_219_092_000;
const DATED = 9;

describe("migrations", () => {
  it("are named by fourteen digits and, in words, why", () => {
    expect(names.filter((name) => !/^\d{14}_[a-z][a-z0-9]*(_[a-z0-9]+)*\.sql$/.test(name))).toEqual([]);
  });

  it("have a number each, and sort by number as they sort by name", () => {
    const numbers = names.map(numberOf);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  it("after the last dated one count up by one, as npx wrangler d1 migrations create does; none comes in between", () => {
    const counted = names.map(numberOf).slice(DATED);
    expect(counted).toEqual(counted.map((_, index) => LAST_DATED + 1 + index));
  });

  it("never change once landed: what must be otherwise is a new migration, with a line of its own in this test", () => {
    expect(Object.fromEntries(names.map((name) => [name, digestOf(name)]))).toEqual(landed);
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
