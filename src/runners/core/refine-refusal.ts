// Refined refusals: combine an HTTP failure with the meaning of the provider's own error code. The code's meaning
// overrides the status's meaning.
import type { ActionError } from "#schema/engine/outcome.ts";
import { MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import type { Failure } from "./classify.ts";
import { redactText } from "./redact.ts";

export type Meaning = Partial<Pick<ActionError, "type" | "retryable" | "code" | "effect">> & {
  /** The provider's error message; null if the answer has none. */
  readonly providerMessage?: string | null;
  /** The wait before the retry, in milliseconds. It is used only if the answer has no Retry-After header. */
  readonly retryAfterMs?: number | null;
};

export function refineRefusal({ error, retryAfterMs }: Failure, meaning: Meaning): Failure {
  const { providerMessage = null, retryAfterMs: providerRetryAfterMs = null, ...overrides } = meaning;
  const suffix =
    providerMessage === null
      ? ""
      : `; the provider's message: ${redactText(providerMessage).slice(0, MESSAGE_EXCERPT_CHARS_MAX)}`;
  const refinedError = { ...error, ...overrides, message: `${error.message}${suffix}` };
  const delayMs = retryAfterMs ?? providerRetryAfterMs;
  return delayMs === null ? { error: refinedError } : { error: refinedError, retryAfterMs: delayMs };
}

export type ErrorMeanings = {
  readonly [code: string]: readonly [type: ActionError["type"], retryable: boolean, code: string];
};

/** Returns the meaning of a code in a table, or an empty meaning for an unknown code. */
export function meaningFrom(table: ErrorMeanings, code: string): Meaning {
  const row = Object.hasOwn(table, code) ? table[code] : undefined;
  return row === undefined ? {} : { type: row[0], retryable: row[1], code: row[2] };
}
