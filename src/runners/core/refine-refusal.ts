// Refined refusals: combine an HTTP failure with the meaning of the provider's own error code, which overrides that of
// the status.
import type { ActionError } from "#schema/engine/outcome.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import type { Failure } from "./classify.ts";
import { redactText } from "./redact.ts";

export type Meaning = Partial<Pick<ActionError, "type" | "retryable" | "code" | "effect">> & {
  /** The provider's error message. Null if the answer has none. */
  readonly said?: string | null;
  /** When to retry, in milliseconds from now. Used only if the answer has no Retry-After header. */
  readonly retryAfterMs?: number | null;
};

export function refineRefusal({ error, retryAfterMs }: Failure, meaning: Meaning): Failure {
  const { said = null, retryAfterMs: later = null, ...known } = meaning;
  const words =
    said === null ? "" : `; the provider's message: ${redactText(said).slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  const refinedError = { ...error, ...known, message: `${error.message}${words}` };
  const wait = retryAfterMs ?? later;
  return wait === null ? { error: refinedError } : { error: refinedError, retryAfterMs: wait };
}

export type ErrorMeanings = {
  readonly [code: string]: readonly [type: ActionError["type"], retryable: boolean, code: string];
};

/** Returns the meaning of a code in a table, or an empty meaning for an unknown code. */
export function meaningIn(table: ErrorMeanings, code: string): Meaning {
  const row = Object.hasOwn(table, code) ? table[code] : undefined;
  return row === undefined ? {} : { type: row[0], retryable: row[1], code: row[2] };
}
