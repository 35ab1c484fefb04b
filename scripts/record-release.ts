// Release recorder: records the catalog statements of this version with their parameters, and the stored rows of each
// kind of object. Run it once per release. The tests named previous-release check the next version against these files,
// and `npm run upgrade` starts from the recorded commit.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const statementsFile = join(root, "test/catalog/previous-release.json");
const objectsFile = join(root, "test/durable-objects/previous-release.json");
const commitFile = join(root, "scripts/upgrade/previous-release.json");
/** Statements by their shape: lists of any length count as the same statement. */
const recorded = new Map<string, { sql: string; parameters: unknown[] }>();

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const told: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (Array.isArray(told)) keep(...(told as [string, unknown[]])); // test/support/record-statements.ts sends it
    else writeFileSync(objectsFile, `${JSON.stringify(told, null, 1)}\n`); // the objects' own test sends it
    response.end();
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the recorder does not listen");

const vitest = spawn("vitest", ["run", "--project", "workers"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, RECORD_STATEMENTS: `http://127.0.0.1:${address.port}` },
});
const code = await new Promise<number | null>((done) => vitest.on("exit", done));
server.close();
if (code !== 0) throw new Error("the tests failed, so their statements were not recorded");

const migrations = readdirSync(join(root, "migrations")).toSorted();
const statements = [...recorded.values()].toSorted((a, b) => (a.sql < b.sql ? -1 : 1));
writeFileSync(statementsFile, `${JSON.stringify({ until: migrations.at(-1), statements }, null, 1)}\n`);
const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
writeFileSync(commitFile, `${JSON.stringify({ commit })}\n`);
console.log(`${statements.length} statements in ${statementsFile}, objects in ${objectsFile}`);

/** Records a statement. Statements without column names come from the tests themselves and are skipped. */
function keep(sql: string, parameters: unknown[]): void {
  const isOurs =
    /\b(from|into|update)\b/i.test(sql) && !/^\s*(insert into \S+ values|explain|pragma|create|alter|drop)/i.test(sql);
  const shape = sql.replaceAll(/\?(, \?)+/g, "?, …").replaceAll(/(\(\?, …\))(, \(\?, …\))+/g, "$1, …");
  if (isOurs && !/select \* from|sqlite_master/i.test(sql) && !recorded.has(shape))
    recorded.set(shape, { sql, parameters });
}
