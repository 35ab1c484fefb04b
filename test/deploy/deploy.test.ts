// Tests of npm run deploy: the order of migrations and deploy, and the message of each failing step.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { planDeploy } from "../../scripts/deploy/plan.ts";
import { type Database, runDeploy } from "../../scripts/deploy/run.ts";

const APPLY = "d1 migrations apply DB --remote";
const DEPLOY = "deploy --minify";
const LIST = "d1 list --json";
const named: Database = { name: "escapement", id: null };

type World = {
  readonly databases?: readonly string[] | "not logged in" | "nonsense";
  /** The command that fails. Default: all succeed. */
  readonly fails?: string;
  readonly args?: readonly string[];
  readonly database?: Database;
};

function deploy({ databases = [], fails = "", args = [], database = named }: World) {
  const asked: string[] = [];
  const said: string[] = [];
  const run = (words: readonly string[]): boolean => {
    asked.push(words.join(" "));
    return words.join(" ") !== fails;
  };
  const listed = databases === "nonsense" ? databases : JSON.stringify([...databases].map((name) => ({ name })));
  const ask = (words: readonly string[]) => (run(words) && databases !== "not logged in" ? listed : null);
  const isDeployed = runDeploy({ run, read: ask, print: (line) => void said.push(line) }, database, args);
  return { isDeployed, asked, said };
}

/** Returns the message of a failing step. */
function ifItFails(name: "migrate" | "deploy", hasDatabase: boolean): string {
  const step = planDeploy(hasDatabase, []).find((each) => each.name === name);
  if (step === undefined) throw new Error(`no step ${name}`);
  return step.failureMessage;
}

test("each failing step prints its own message", () => {
  const words = [true, false].flatMap((has) => [ifItFails("migrate", has), ifItFails("deploy", has)]);
  expect(new Set(words).size).toBe(4);
});

test("with an existing database, migrations run before the deploy", () => {
  const there = deploy({ databases: ["other", "escapement"] });
  expect(there).toMatchObject({ isDeployed: true, asked: [LIST, APPLY, DEPLOY] });
});

test("a database with an id in wrangler.toml counts as existing without a query", () => {
  expect(deploy({ database: { name: "escapement", id: "0a1b" } }).asked).toEqual([APPLY, DEPLOY]);
});

test("without a database, the deploy runs before the migrations", () => {
  const first = deploy({ databases: ["other"] });
  expect(first).toMatchObject({ isDeployed: true, asked: [LIST, DEPLOY, APPLY] });
  expect(first.said[0]).toContain(named.name);
  expect(first.said[0]).not.toBe(deploy({ databases: [named.name] }).said[0]);
});

test("a failed migration stops before the deploy and prints a message", () => {
  const failed = deploy({ databases: ["escapement"], fails: APPLY });
  expect(failed).toMatchObject({ isDeployed: false, asked: [LIST, APPLY] });
  expect(failed.said).toContain(ifItFails("migrate", true));
});

test("a failed deploy leaves the older code on the newer tables", () => {
  const failed = deploy({ databases: ["escapement"], fails: DEPLOY });
  expect(failed).toMatchObject({ isDeployed: false, asked: [LIST, APPLY, DEPLOY] });
  expect(failed.said).toContain(ifItFails("deploy", true));
});

test("a failed first deploy runs no migrations; failed first migrations run again with the next deploy", () => {
  expect(deploy({ fails: DEPLOY })).toMatchObject({ isDeployed: false, asked: [LIST, DEPLOY] });
  const half = deploy({ fails: APPLY });
  expect(half).toMatchObject({ isDeployed: false, asked: [LIST, DEPLOY, APPLY] });
  expect(half.said).toContain(ifItFails("migrate", false));
  expect(deploy({ databases: ["escapement"] }).asked).toEqual([LIST, APPLY, DEPLOY]);
});

test.each(["not logged in", "nonsense"] as const)(
  "if the databases cannot be listed (%s), nothing runs",
  (databases) => {
    const failed = deploy({ databases });
    expect(failed).toMatchObject({ isDeployed: false, asked: [LIST] });
    expect(failed.said.join()).toContain("npx wrangler login");
  },
);

test("a dry run queries the databases, prints the plan and changes nothing", () => {
  const dry = deploy({ databases: ["escapement"], args: ["--dry-run", "--env", "staging"] });
  expect(dry).toMatchObject({ isDeployed: true, asked: [LIST] });
  expect(dry.said.filter((line) => line.startsWith("wrangler "))).toEqual([
    `wrangler ${APPLY} --env staging`,
    `wrangler ${DEPLOY} --env staging`,
  ]);
});

test("the command runs wrangler in this order and returns its failure", () => {
  const folder = mkdtempSync(join(tmpdir(), "deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A script that replaces wrangler: it records its arguments and fails at the deploy.
  writeFileSync(
    join(folder, "wrangler"),
    `#!/bin/sh
echo "$*" >> ${folder}/asked
[ "$*" = "${LIST}" ] && echo '[{"name":"escapement"}]'
[ "$*" != "${DEPLOY}" ]
`,
  );
  chmodSync(join(folder, "wrangler"), 0o755);
  const { status, stdout } = spawnSync(process.execPath, ["scripts/deploy.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` },
  });
  expect(readFileSync(join(folder, "asked"), "utf8").trim().split("\n")).toEqual([LIST, APPLY, DEPLOY]);
  expect([status, stdout]).toEqual([1, expect.stringContaining(ifItFails("deploy", true))]);
}, 60_000);
