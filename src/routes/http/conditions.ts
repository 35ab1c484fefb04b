// Headers under which a change is made or not: which endpoints heed which, and what they say. All others refuse them
// (ignored-headers.ts).
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { AppContext } from "./context.ts";
import type { EndpointId } from "./endpoint-access.ts";

const spoken = {
  "If-Match": {
    description: 'The revision that is to be changed, as `ETag` gave it: `"3"`. Another one there is refused with 412.',
    pattern: '^"(0|[1-9][0-9]{0,14})"$',
  },
  "Idempotency-Key": {
    description: "The same key and body get the first answer again.",
    pattern: "^[\\x21-\\x7e]{1,200}$",
  },
} as const;
type Header = keyof typeof spoken;

/** Besides what all endpoints of a method take. */
const heeded: ReadonlyMap<string, readonly Header[]> = new Map([
  ["setDesired", ["If-Match", "Idempotency-Key"]],
  ["setObserved", ["If-Match", "Idempotency-Key"]],
] satisfies [EndpointId, Header[]][]);

export function isHeeded(endpoint: EndpointId, header: string): boolean {
  return heeded.get(endpoint)?.some((name) => name.toLowerCase() === header.toLowerCase()) ?? false;
}

/** For the description of the API. */
export function headersOf(endpoint: string) {
  return (heeded.get(endpoint) ?? []).map((name) => ({ name, ...spoken[name] }));
}

const REVISION = new RegExp(spoken["If-Match"].pattern);

/** null: whatever the revision is. */
export function revisionAsked(c: AppContext): Result<number | null> {
  const sent = c.req.header("If-Match");
  if (sent === undefined) return accept(null);
  const found = REVISION.exec(sent.trim());
  if (found !== null) return accept(Number(found[1]));
  const message = "is one revision in quotes, as ETag gave it";
  const hint = 'Send If-Match: "3" for revision 3, or leave it out to change whatever there is.';
  return refuse({
    code: "invalid_input",
    message: `The header If-Match cannot be this: it ${message}.`,
    hint,
    errors: [{ pointer: "If-Match", code: "invalid_format", message, hint }],
  });
}
