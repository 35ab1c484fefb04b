// A refusal in the provider's own words: what its error codes mean goes over what the HTTP status alone could say.
import type { ActionError } from "#schema/engine/outcome.ts";
import { SAID_CHARS_MAX } from "#schema/limits/runners.ts";
import type { Failure } from "./classify.ts";
import { redactText } from "./redact.ts";

export type Meaning = Partial<Pick<ActionError, "type" | "retryable" | "code" | "effect">> & {
  /** What the provider said, in its own words. */
  readonly said?: string | null;
  /** When the provider wants to be asked again, where it does not say so in Retry-After. */
  readonly retryAfterMs?: number | null;
};

export function refined({ error, retryAfterMs }: Failure, meaning: Meaning): Failure {
  const { said = null, retryAfterMs: later = null, ...known } = meaning;
  const words = said === null ? "" : `; it said: ${redactText(said).slice(0, SAID_CHARS_MAX)}`;
  const refinedError = { ...error, ...known, message: `${error.message}${words}` };
  const wait = retryAfterMs ?? later;
  return wait === null ? { error: refinedError } : { error: refinedError, retryAfterMs: wait };
}

export type ErrorMeanings = {
  readonly [code: string]: readonly [type: ActionError["type"], retryable: boolean, code: string];
};

/** A table's row as a meaning; nothing for a code that is not in it. */
export function meaningIn(table: ErrorMeanings, code: string): Meaning {
  const row = Object.hasOwn(table, code) ? table[code] : undefined;
  return row === undefined ? {} : { type: row[0], retryable: row[1], code: row[2] };
}
