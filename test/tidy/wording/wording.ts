// What is still worded as it should not be, by file and by endpoint, beside what is still allowed. `npm run texts` lowers
// what is allowed to what is there, and deletes a list that is empty.
import { operations } from "../generated/operations.ts";
import { ACTION_FIELDS } from "../generated/action-fields-page.ts";
import { ENDPOINTS, ERRORS } from "../generated/reference-pages.ts";
import { told } from "../inspect.ts";
import { read, tree, under } from "../tree.ts";
import { phrasesIn } from "./hits.ts";
import { lowered, type Counts, type Ratcheted } from "./ratchet.ts";
import { faultOf } from "./summaries.ts";

export const LITERARY = "test/tidy/literary.json";
export const SUMMARIES = "test/tidy/summaries.json";

/** What is written there is written in the sources. */
const GENERATED: ReadonlySet<string> = new Set([ENDPOINTS, ERRORS, ACTION_FIELDS]);
const ROOMS = ["src", "durable-objects", "sandbox", "docs"];
const PAGES: ReadonlySet<string> = new Set(["README.md", "CONTRIBUTING.md", "SECURITY.md"]);

type Faults = { readonly [of: string]: readonly string[] };
type Judged = Ratcheted & { readonly allowed: Counts; readonly faults: Faults };

/** By the path of the list that says what is allowed. */
export function wording(): { readonly [path: string]: Judged } {
  return { [LITERARY]: judged(LITERARY, literary(), true), [SUMMARIES]: judged(SUMMARIES, poorSummaries(), false) };
}

function literary(): Faults {
  const isRead = (path: string) =>
    PAGES.has(path) || (ROOMS.some((room) => under(room)(path)) && isText(path) && !GENERATED.has(path));
  return Object.fromEntries(tree.filter(isRead).map((path) => [path, phrasesIn(path, read(path)).map(told)]));
}

/** By operationId. */
function poorSummaries(): Faults {
  return Object.fromEntries(
    operations().map(({ operationId, summary }) => {
      const fault = faultOf(summary);
      return [operationId, fault === null ? [] : [`${operationId}: "${summary}" ${fault}`]];
    }),
  );
}

function judged(path: string, faults: Faults, mayMove: boolean): Judged {
  const allowed = tree.includes(path) ? (JSON.parse(read(path)) as Counts) : {}; // written by `npm run texts`
  const counts = Object.entries(faults).map(([of, each]) => [of, each.length] as const);
  const found = Object.fromEntries(counts.filter(([, count]) => count > 0));
  return { allowed, faults, ...lowered(allowed, found, mayMove) };
}

function isText(path: string): boolean {
  return path.endsWith(".ts") || path.endsWith(".md");
}
