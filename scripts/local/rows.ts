// Stored rows: prints the rows of a local object's file as JSON lines, with packed rows unpacked: `npm run rows --
// <file> [execution]`. It only reads, so the engine may be running.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { unpackBody } from "#objects/execution/stored/packing.ts";

const [file, execution] = process.argv.slice(2);
if (file === undefined || !existsSync(file)) {
  console.error("name a file of .state/v3/do/escapement-ExecutionObject/: npm run rows -- <file> [execution]");
  process.exit(1);
}

const database = new DatabaseSync(file, { readOnly: true });
if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'rows'").get() === undefined) {
  console.log("the file has no rows: nothing was stored in this object, or it was deleted");
  process.exit(0);
}
const rows = database.prepare("SELECT * FROM rows").iterate();
for (const row of rows) {
  if (execution !== undefined && row["execution"] !== execution) continue;
  console.log(JSON.stringify({ ...row, body: decodeBody(row["body"]) }));
}

/**
 * Returns the decoded body. A body that cannot be decoded becomes an error in its place, so that the other rows are
 * printed.
 */
function decodeBody(body: unknown): unknown {
  try {
    const text = unpackBody(body instanceof Uint8Array ? new Uint8Array(body).buffer : String(body));
    return JSON.parse(text);
  } catch (fault) {
    return { unreadable: fault instanceof Error ? fault.message : String(fault) };
  }
}
