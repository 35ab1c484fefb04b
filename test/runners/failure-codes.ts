// The codes that runners and the engine give failures, read out of the sources: a new one is found by being there.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("rehearsal/"))
    .map((file) => ({ file: basename(file), text: readFileSync(join(root, folder, file), "utf8") }));
const runners = sourcesIn("src/runners");

const found = (texts: readonly { readonly text: string }[], ...patterns: readonly RegExp[]): string[] => [
  ...new Set(
    texts.flatMap(({ text }) => patterns.flatMap((each) => [...text.matchAll(each)].map((hit) => hit[1] ?? ""))),
  ),
];

/** A table's row: type, whether it is retried, code. */
const ROW = /"[a-z_]+",\s*(?:true|false),\s*"([a-z_]+)"/g;
export const codes = found(
  runners,
  ROW,
  /\b(?:identity|permission|wrong|busy)\("([a-z_]+)"\)/g,
  /\bcode: "([a-z]+(?:_[a-z]+)*)"/g,
  /(?:configurationFailure|new Wrong|refuse|misconfigured|notSent)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
).filter((code) => code !== "custom"); // zod's own

export const ofServices = found(
  [...sourcesIn("src/services"), ...sourcesIn("src/schema/provider")].filter(({ file }) =>
    /^(?:open-(?!enrol)|connection-(?!noun)|create-task|catalog-outage|find-connection|renew-token|token-)/.test(file),
  ),
  /\b(?:failure|invalid|wrong)\((?:[^()]|\([^()]*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
  /\bcode: "([a-z]+_[a-z_]+)"/g,
).filter((code) => !["not_found", "already_exists", "invalid_configuration"].includes(code)); // the API's own

export const types = found(runners, /"([a-z_]+)",\s*(?:true|false),\s*"[a-z_]+"/g);

/** Types that stand in an error written out. */
export const typesWritten = found(runners, /\btype: "([a-z_]+)",\s*(?:message|retryable|code)/g);
