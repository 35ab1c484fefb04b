// Conditional headers: lists which endpoint supports which header, and reads the headers' values.
// unsupported-headers.ts refuses a conditional header on every other endpoint.
import type { Precondition } from "#schema/configuration/precondition.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { AppContext } from "./context.ts";
import type { EndpointId } from "./endpoint-access.ts";

const conditionalHeaders = {
  "If-Match": {
    name: "If-Match",
    description:
      'The revision that the client read, as returned in `ETag`: `"3"`. If the current revision differs, the request is refused with 412.',
    pattern: '^"(0|[1-9][0-9]{0,14})"$',
  },
  "If-Match of configuration": {
    name: "If-Match",
    description:
      "The `ETag` that the client read, or `*` for any existing resource. In any other state the request is refused with 412 `precondition_failed`.",
    pattern: '^(\\*|(W/)?"[A-Za-z0-9]{1,64}"( *, *(W/)?"[A-Za-z0-9]{1,64}"){0,9})$',
  },
  "If-None-Match": {
    name: "If-None-Match",
    description: "`*`: the request only creates. If the resource exists, it is refused with 412 `precondition_failed`.",
    pattern: "^\\*$",
  },
  "If-State": {
    name: "If-State",
    description:
      "Required current state: the path of a state or the name of a node, or several separated by commas. In any other state the request is refused with 409 `state_changed`.",
    pattern: "^[\\x20-\\x7e]{1,1000}$",
  },
  "Idempotency-Key": {
    name: "Idempotency-Key",
    description: "A repeated request with the same key and body returns the first response again.",
    pattern: "^[\\x21-\\x7e]{1,200}$",
  },
} as const;
type Header = keyof typeof conditionalHeaders;

/**
 * The endpoints that send commands to an execution. They accept the header If-State, which names the state in which the
 * client last saw the execution.
 */
const commands: readonly EndpointId[] = [
  "sendEvent",
  "patchExecution",
  "pauseExecution",
  "resumeExecution",
  "cancelExecution",
  "runNow",
  "retryRun",
  "skipInExecution",
  "cancelActionOfExecution",
  "reschedule",
  "holdRun",
  "releaseRun",
  "completeWait",
];

/** The endpoints that create or change a resource of the configuration by its name. */
const puts: readonly EndpointId[] = [
  "putConnection",
  "putAlertChannel",
  "putCalendar",
  "putPolicy",
  "putTrigger",
  "putDefinition",
  "putTemplate",
  "setPrices",
  "updateRecurring",
];

/** The headers that an endpoint supports in addition to those of its HTTP method. */
const supportedHeaders: ReadonlyMap<string, readonly Header[]> = new Map<EndpointId, readonly Header[]>([
  ["publishDefinition", ["If-Match"]],
  ["rollBackDefinition", ["If-Match"]],
  ["deleteRecurring", ["Idempotency-Key"]],
  ["setDesired", ["If-Match", "Idempotency-Key"]],
  ["setObserved", ["If-Match", "Idempotency-Key"]],
  ...commands.map((id) => [id, ["If-State"]] as const),
  ...puts.map((id) => [id, ["If-Match of configuration", "If-None-Match"]] as const),
]);

export function isHeaderSupported(endpoint: string, header: string): boolean {
  return headersOf(endpoint).some(({ name }) => name.toLowerCase() === header.toLowerCase());
}

/** Returns the additional headers of an endpoint, for /openapi.json. */
export function headersOf(endpoint: string) {
  return (supportedHeaders.get(endpoint) ?? []).map((header) => conditionalHeaders[header]);
}

const REVISION = new RegExp(conditionalHeaders["If-Match"].pattern);

/** Reads the revision in If-Match. Returns null if the header is absent; the change then applies to any revision. */
export function readIfMatch(c: AppContext): Result<number | null> {
  const sent = c.req.header("If-Match");
  if (sent === undefined) return accept(null);
  const found = REVISION.exec(sent.trim());
  if (found !== null) return accept(Number(found[1]));
  const message = "must be one revision in quotes, as returned in ETag";
  const hint = 'Send If-Match: "3" for revision 3, or omit the header to change any revision.';
  return refuse({
    code: "invalid_input",
    message: `The header If-Match is not valid: it ${message}.`,
    hint,
    errors: [{ pointer: "If-Match", code: "invalid_format", message, hint }],
  });
}

const TAGS = new RegExp(conditionalHeaders["If-Match of configuration"].pattern);

/** Reads the precondition of a write: If-Match with tags or `*`, or If-None-Match with `*`. */
export function readPrecondition(c: AppContext): Result<Precondition> {
  const [match, noneMatch] = [c.req.header("If-Match")?.trim(), c.req.header("If-None-Match")?.trim()];
  if (match !== undefined && noneMatch !== undefined)
    return refuse(invalidHeader("If-None-Match", "must not be sent together with If-Match"));
  if (noneMatch !== undefined)
    return noneMatch === "*" ? accept({ kind: "absent" }) : refuse(invalidHeader("If-None-Match", "must be *"));
  if (match === undefined) return accept({ kind: "none" });
  if (match === "*") return accept({ kind: "exists" });
  if (!TAGS.test(match)) return refuse(invalidHeader("If-Match", "must be * or an ETag in quotes, as returned by GET"));
  return accept({ kind: "matches", tags: [...match.matchAll(/"([A-Za-z0-9]+)"/g)].map(([, tag = ""]) => tag) });
}

function invalidHeader(name: string, message: string): Refusal {
  const text = `The header ${name} is not valid: it ${message}.`;
  return { code: "invalid_input", message: text, errors: [{ pointer: name, code: "invalid_format", message }] };
}

const STATES = new RegExp(conditionalHeaders["If-State"].pattern);

/** Reads the states in If-State. Returns null if the header is absent; the command then applies in any state. */
export function readIfState(c: AppContext): Result<string | null> {
  const sent = c.req.header("If-State");
  if (sent === undefined) return accept(null);
  if (STATES.test(sent) && sent.trim() !== "") return accept(sent.trim());
  const message = "must be the path of a state or the name of a node, or several separated by commas";
  return refuse({
    code: "invalid_input",
    message: `The header If-State is not valid: it ${message}.`,
    hint: "Omit the header If-State if any state is acceptable.",
    errors: [{ pointer: "If-State", code: "invalid_format", message }],
  });
}
