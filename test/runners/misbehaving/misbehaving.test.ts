// Test of every HTTP runner against the misbehaving server: the results must equal the reviewed record.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { misbehavingServer, type Misbehaving } from "./server.ts";
import { subjects } from "./subjects.ts";
import { misbehavingTable } from "./table.ts";

let server: Misbehaving;
beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());

const recorded = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../golden/misbehaving/${name}.txt`), "utf8");

it("covers every runner that speaks HTTP", () => {
  const met = new Set(Object.values(subjects).map(({ type }) => type));
  const within = ["delay", "task", "start_execution", "send_event"];
  const overRpc = ["worker"]; // test/runners/worker/misbehaving-worker.workers.test.ts
  expect([...met, ...within, ...overRpc].toSorted()).toEqual(Object.keys(runners).toSorted());
});

describe("a misbehaving server", () => {
  it.each(Object.keys(subjects))(
    "%s equals the record: read the difference, and record it again with `node scripts/record-golden.ts`",
    async (name) => {
      expect(await misbehavingTable(server, name)).toBe(recorded(name));
    },
    30_000,
  );
});

describe.each(Object.keys(subjects))("in the table of %s", (name) => {
  const rows = recorded(name).split("\n");

  it("an attempt after a possible effect says so", () => {
    const unknown = rows.filter((line) => line.includes("effect unknown"));
    expect(unknown.filter((line) => !line.includes("says so"))).toEqual([]);
  });

  it("a success is not repeated, unless the call only reads", () => {
    const successes = rows.filter((line) => /^(?:body: |20\d|226)/.test(line));
    expect(successes.filter((line) => / again +/.test(line) && !line.includes("effect none"))).toEqual([]);
  });
});
