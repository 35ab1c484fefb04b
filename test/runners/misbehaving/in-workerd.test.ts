// The whole engine in workerd before the server that misbehaves: what is recorded is what a person has read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workerdTable } from "./in-workerd.ts";
import { misbehavingServer } from "./server.ts";

const golden = join(import.meta.dirname, "../../golden/misbehaving/in-workerd.txt");
const recorded = () => readFileSync(golden, "utf8").split("\n");

it("a webhook in workerd comes to what was recorded: read the difference, and record it again with `node scripts/record-golden.ts`", async () => {
  const server = await misbehavingServer();
  try {
    expect((await workerdTable(server)).split("\n")).toEqual(recorded());
  } finally {
    server.close();
  }
}, 180_000);

it("there, too, whatever may have had its effect is followed by one that says so, and no success by any", () => {
  const rows = recorded();
  const again = rows.filter((line) => line.includes(" again "));
  expect(again.filter((line) => line.includes("effect unknown") !== line.includes("says so"))).toEqual([]);
  expect(again.filter((line) => /^(?:body: |20\d|226)/.test(line))).toEqual([]);
});
