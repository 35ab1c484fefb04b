// Records the golden histories again: `node scripts/record-golden.ts`. Their definitions and inputs stay; what the
// kernel makes of them is written anew. Read the diff: each line of it happens to executions that are under way.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay, type History } from "#test/golden/replay.ts";

const folder = join(import.meta.dirname, "../test/golden");
for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
  const path = join(folder, name);
  const before = readFileSync(path, "utf8");
  const { about, definition, inputs } = JSON.parse(before) as History; // a file of ours
  const after = `${JSON.stringify({ about, definition, inputs, recorded: replay({ definition, inputs }) }, null, 2)}\n`;
  writeFileSync(path, after);
  console.log(`${name}: ${after === before ? "unchanged" : "recorded anew"}`);
}
