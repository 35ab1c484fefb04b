// Stored responses: repeats the stored response to a change with the same Idempotency-Key. It serves changes that have
// no object to store the response in. The response of a dry run is not stored.
import type { JsonObject } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import { answerOnce } from "#services/caller/stored-responses.ts";
import type { Deps } from "#services/deps.ts";
import type { AppContext } from "./context.ts";

/** The parsed request. A repeat with the same key is refused if its input differs. */
type Input = { readonly [field: string]: unknown; readonly dryRun: boolean };

export function answerOncePerKey<T>(
  c: AppContext,
  input: Input,
  change: (deps: Deps) => Promise<Result<T>>,
  keep: (value: T) => T = (value) => value,
): Promise<Result<T>> {
  const key = input.dryRun ? null : c.var.idempotencyKey;
  const route = `${c.req.method} ${c.req.path}`;
  const body = input as JsonObject; // The input is parsed JSON.
  return answerOnce(c.var.deps, c.var.installationCaller, { key, route, body, keep }, change);
}
