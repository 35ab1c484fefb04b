// Conditional headers: lists which endpoint supports which header, and reads the headers' values.
// unsupported-headers.ts refuses a conditional header on every other endpoint.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { AppContext } from "./context.ts";
import type { EndpointId } from "./endpoint-access.ts";

const conditionalHeaders = {
  "If-Match": {
    description:
      'The revision that the client read, as returned in `ETag`: `"3"`. If the current revision differs, the request is refused with 412.',
    pattern: '^"(0|[1-9][0-9]{0,14})"$',
  },
  "If-State": {
    description:
      "Required current state: the path of a state or the name of a node, or several separated by commas. In any other state the request is refused with 409 `state_changed`.",
    pattern: "^[\\x20-\\x7e]{1,1000}$",
  },
  "Idempotency-Key": {
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
  "reschedule",
  "holdRun",
  "releaseRun",
  "completeWait",
];

/** The headers that an endpoint supports in addition to those of its HTTP method. */
const supportedHeaders: ReadonlyMap<string, readonly Header[]> = new Map<EndpointId, readonly Header[]>([
  ["publishDefinition", ["If-Match"]],
  ["rollBackDefinition", ["If-Match"]],
  ["setDesired", ["If-Match", "Idempotency-Key"]],
  ["setObserved", ["If-Match", "Idempotency-Key"]],
  ...commands.map((id) => [id, ["If-State"]] as const),
]);

export function isHeaderSupported(endpoint: string, header: string): boolean {
  return supportedHeaders.get(endpoint)?.some((name) => name.toLowerCase() === header.toLowerCase()) ?? false;
}

/** Returns the additional headers of an endpoint, for /openapi.json. */
export function headersOf(endpoint: string) {
  return (supportedHeaders.get(endpoint) ?? []).map((name) => ({ name, ...conditionalHeaders[name] }));
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
