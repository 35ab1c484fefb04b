// Writes what is generated from the sources' texts and the API's description: `npm run texts`. Read the diff: in
// test/golden/texts.txt each line is a text that users see; in test/golden/openapi.json each is a promise to clients.
// The ratchets of test/tidy/wording/ are lowered to what is there now, and never raised.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshots } from "#test/tidy/generated/snapshots.ts";
import { wording } from "#test/tidy/wording/wording.ts";

const WHERE = "npx vitest run --project node test/tidy/wording says where";
const root = join(import.meta.dirname, "../..");
for (const [path, content] of Object.entries(snapshots())) write(path, content);
for (const [path, { next, above }] of Object.entries(wording())) {
  write(path, Object.keys(next).length === 0 ? null : `${JSON.stringify(next, null, 2)}\n`);
  if (above.length > 0) console.log(`${path}: more than allowed in ${above.length}, such as ${above[0]}; ${WHERE}`);
}

/** null: the file is not needed any more. */
function write(path: string, content: string | null): void {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (content === null) rmSync(file, { force: true });
  else writeFileSync(file, content);
  console.log(`${path}: ${content === before ? "unchanged" : "written"}`);
}
