// Method errors: classify what a call of a method threw. The method threw it, or the platform did. A part of the worker
// runner.
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { configurationFailure, networkFailure, type Failure } from "../core/classify.ts";
import { redactText } from "../core/redact.ts";

/** The port throws an error with this text if a name of ACTION_SERVICES has no Worker. */
export const NO_BOUND_SERVICE = "the Worker has no service binding under this name";

/** The texts of the platform's errors, which have no codes. */
const MEANINGS: readonly (readonly [words: RegExp, type: string, retryable: boolean, code: string])[] = [
  [new RegExp(NO_BOUND_SERVICE), "invalid_configuration", false, "service_not_bound"],
  [
    /local dev session|no such (?:entrypoint|service)|entrypoint .{0,100}not found/i,
    "invalid_configuration",
    false,
    "service_not_bound",
  ],
  [/overloaded|too many requests queued/i, "service_unavailable", true, "service_overloaded"],
  [
    /exceeded (?:its |the )?(?:CPU|memory|resource)|out of memory/i,
    "service_unavailable",
    true,
    "service_limit_exceeded",
  ],
  [
    /recursed through workers|subrequest depth|too many subrequests|worker invocations/i,
    "malformed_request",
    false,
    "service_recursion",
  ],
  [
    /could not serialize|could not be cloned|does not support serialization/i,
    "unknown_error",
    false,
    "result_not_json",
  ],
  [/limited to 32 ?MiB/i, "unknown_error", false, "result_too_large"],
];
const DISCONNECTED = /network connection lost|disconnected|connection (?:was )?(?:lost|closed|reset)|code was updated/i;

/** Errors keep these properties over RPC. The platform sets `overloaded` and a true `retryable`. */
type ThrownParts = {
  readonly message: string;
  readonly code: string | null;
  readonly retryable: boolean | null;
  readonly overloaded: boolean;
};

export function thrownFailure(thrown: unknown, service: string, method: string): Failure {
  const parts = partsOf(thrown);
  const { message, code, retryable, overloaded } = parts;
  // The platform's own text, with the method's name.
  if (message === `The RPC receiver does not implement the method "${method}".`)
    return configurationFailure(`method: the Worker ${service} has no method ${method}`, "method_missing");
  const isOfMethod = code !== null || retryable === false;
  return (isOfMethod && !overloaded ? null : platformFailure(parts, service)) ?? methodFailure(parts, service, method);
}

function platformFailure({ message, overloaded }: ThrownParts, service: string): Failure | null {
  const excerpt = excerptOf(message);
  if (DISCONNECTED.test(message)) return networkFailure(`the Worker ${service}`, excerpt, "unknown");
  const row = MEANINGS.find(([words]) => words.test(overloaded ? "overloaded" : message));
  if (row === undefined) return null;
  const [, type, retryable, code] = row;
  const error = { type, retryable, code, message: `the Worker ${service} could not answer: ${excerpt}` };
  return { error: type === "invalid_configuration" ? error : { ...error, effect: "unknown" } };
}

/**
 * Returns the failure of a method that threw. An error with `retryable` is the method's answer. After any other error it
 * is unknown what the method has done.
 */
function methodFailure({ message, code, retryable }: ThrownParts, service: string, method: string): Failure {
  const words = `${service}.${method} failed: ${excerptOf(message)}`;
  const error = { message: words, code: "method_threw", ...prefixedCode(code) };
  if (retryable === null) return { error: { ...error, type: "unknown_error", retryable: true, effect: "unknown" } };
  return { error: { ...error, type: retryable ? "service_unavailable" : "malformed_request", retryable } };
}

/** Adds a prefix to the method's code, because the engine's own codes have a fixed meaning. */
function prefixedCode(code: string | null): { readonly code?: string } {
  const plain = (code ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 60);
  return /[a-z0-9]/.test(plain) ? { code: `worker_${plain}` } : {};
}

function excerptOf(message: string): string {
  return redactText(message).slice(0, MESSAGE_EXCERPT_CHARS_MAX);
}

function partsOf(thrown: unknown): ThrownParts {
  // A thrown object may have any field; each is checked below.
  const fields = Object(thrown) as { readonly [name: string]: unknown };
  const { message, code, retryable, overloaded } = fields;
  return {
    message: typeof message === "string" ? message : String(thrown),
    code: typeof code === "string" ? code : null,
    retryable: typeof retryable === "boolean" ? retryable : null,
    overloaded: overloaded === true,
  };
}
