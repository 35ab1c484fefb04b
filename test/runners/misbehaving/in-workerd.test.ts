// Test of webhooks in workerd against the misbehaving server: the results must equal the reviewed record.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workerdTable } from "./in-workerd.ts";
import { misbehavingServer } from "./server.ts";

const golden = join(import.meta.dirname, "../../golden/misbehaving/in-workerd.txt");
const recorded = () => readFileSync(golden, "utf8").split("\n");

it("webhooks in workerd equal the record: read the difference, and record it again with `node scripts/record-golden.ts`", async () => {
  const server = await misbehavingServer();
  try {
    expect((await workerdTable(server)).split("\n")).toEqual(recorded());
  } finally {
    server.close();
  }
}, 180_000);

it("in workerd, an attempt after a possible effect says so, and a success is not repeated", () => {
  const rows = recorded();
  const again = rows.filter((line) => line.includes(" again "));
  expect(again.filter((line) => line.includes("effect unknown") !== line.includes("says so"))).toEqual([]);
  expect(again.filter((line) => /^(?:body: |20\d|226)/.test(line))).toEqual([]);
});
