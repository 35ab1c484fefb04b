// Generated texts (`npm run texts`): writes the files that are generated from the sources' texts and the API's
// description. Read the diff: each line of test/golden/texts.txt is a text that users see, and test/golden/openapi.json
// is the API's contract. The ratchets of test/tidy/wording/ are lowered to the current counts and never raised.
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

/** Writes the file. content null: deletes the file. */
function write(path: string, content: string | null): void {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (content === null) rmSync(file, { force: true });
  else writeFileSync(file, content);
  console.log(`${path}: ${content === before ? "unchanged" : "written"}`);
}
