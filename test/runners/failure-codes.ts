// Failure codes: reads the codes that runners and the engine use from the sources, so that new ones are found
// automatically.
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

/** A row of a meaning table: type, whether it is retryable, code. */
const ROW = /"[a-z_]+",\s*(?:true|false),\s*"([a-z_]+)"/g;
export const codes = found(
  runners,
  ROW,
  /\b(?:identity|permission|wrong|busy)\("([a-z_]+)"\)/g,
  /\bcode: "([a-z]+(?:_[a-z]+)*)"/g,
  /(?:configurationFailure|new CallDataError|refuse|misconfigured|notSent)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
).filter((code) => code !== "custom"); // zod's own code

export const ofServices = found(
  [...sourcesIn("src/services"), ...sourcesIn("src/schema/provider")].filter(({ file }) =>
    /^(?:open-(?!enrol)|connection-(?!noun)|create-task|catalog-outage|find-connection|renew-token|render-template|token-)/.test(
      file,
    ),
  ),
  /\b(?:\w*[fF]ailure|invalid|wrong|misconfigured)\((?:[^()]|\([^()]*\))*?"([a-z]+(?:_[a-z]+)+)",?\s*\)/g,
  /\bcode: "([a-z]+_[a-z_]+)"/g,
).filter((code) => !["not_found", "already_exists", "invalid_configuration"].includes(code)); // codes of the API

export const types = found(runners, /"([a-z_]+)",\s*(?:true|false),\s*"[a-z_]+"/g);

/** Error types that are written directly into an error. */
export const typesWritten = found(runners, /\btype: "([a-z_]+)",\s*(?:message|retryable|code)/g);
