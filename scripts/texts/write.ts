// Writes what is generated from the sources' texts and the API's description: `npm run texts`. Read the diff: in
// test/golden/texts.txt each line is a text that users see; in test/golden/openapi.json each is a promise to clients.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshots } from "#test/tidy/generated/snapshots.ts";

const root = join(import.meta.dirname, "../..");
for (const [path, content] of Object.entries(snapshots())) {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  writeFileSync(file, content);
  console.log(`${path}: ${content === before ? "unchanged" : "written"}`);
}
