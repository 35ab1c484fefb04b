// Golden recorder: records the golden histories, the tables of runs and verbs, and the tables of misbehaving servers
// again: `node scripts/record-golden.ts`. Definitions and inputs stay; the kernel's results are rewritten. Read the
// diff: each changed line changes executions that are in progress.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay, type History } from "#test/golden/replay.ts";
import { runTable } from "#test/golden/run-table.ts";
import { verbTable } from "#test/durable-objects/execution/verbs/verb-table.ts";
import { misbehavingServer } from "#test/runners/misbehaving/server.ts";
import { workerdTable } from "#test/runners/misbehaving/in-workerd.ts";
import { subjects } from "#test/runners/misbehaving/subjects.ts";
import { misbehavingTable } from "#test/runners/misbehaving/table.ts";

const folder = join(import.meta.dirname, "../test/golden");
for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
  const { about, definition, inputs } = JSON.parse(readFileSync(join(folder, name), "utf8")) as Partial<History>; // the project's own file
  if (definition === undefined || inputs === undefined) continue; // This file is not a history.
  const after = `${JSON.stringify({ about, definition, inputs, recorded: replay({ definition, inputs }) }, null, 2)}\n`;
  record(name, after);
}
record("runs.txt", runTable());
record("../../docs/reference/verb-table.md", await verbTable());
const server = await misbehavingServer();
for (const name of Object.keys(subjects)) record(`misbehaving/${name}.txt`, await misbehavingTable(server, name));
record("misbehaving/in-workerd.txt", await workerdTable(server));
server.close();

function record(name: string, after: string): void {
  const path = join(folder, name);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeFileSync(path, after);
  console.log(`${name}: ${after === before ? "unchanged" : "recorded anew"}`);
}
