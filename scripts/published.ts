// Provider extract recorder: stores the facts of a provider's published API beside the project's extract of it: `node
// scripts/published.ts NAME CLONE`. NAME is an extract in test/runners/published; CLONE is a git clone of the
// provider's repository. Facts are fields, types, required fields and limits.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factsAsText, factsOf, type Described } from "#test/support/published-facts.ts";
import { bodyIn } from "./published/bodies.ts";
import { sources } from "./published/sources.ts";

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const folder = join(import.meta.dirname, "../test/runners/published");
const [name = "", clone = ""] = process.argv.slice(2);
const source = sources[name];
if (source === undefined || clone === "") {
  console.error(`usage: node scripts/published.ts NAME CLONE\nNAME is one of ${Object.keys(sources).join(", ")}`);
  process.exit(1);
}

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-C", clone, ...args], { encoding: "utf8", maxBuffer: FILE_BYTES_MAX });
const digest = createHash("sha256");
const texts = new Map<string, string>();
const { body, resolve } = bodyIn(source, (path) => {
  const text = texts.get(path) ?? git("show", `HEAD:${path}`);
  if (!texts.has(path)) digest.update(text);
  texts.set(path, text);
  return text;
});
const extract = factsOf(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Described); // the project's own file
const isNamed = (path: string) => extract.has(path.replace(/^\./, ""));
const wants = (path: string, required: boolean) => source.isVast !== true || required || isNamed(path);
const facts = factsOf(body, { resolve, wants });
const head = [
  `repository: https://github.com/${source.repository}`,
  `commit: ${git("rev-parse", "HEAD").trim()}`,
  `path: ${source.path}${texts.size > 1 ? ` (${texts.size} files, in the order they were read)` : ""}`,
  `sha256: ${digest.digest("hex")}`,
  `operation: ${source.operation}`,
];
writeFileSync(join(folder, `${name}.source.txt`), `${head.join("\n")}\n\n${factsAsText(facts)}`);
console.log(`${name}: ${facts.size} facts`);
