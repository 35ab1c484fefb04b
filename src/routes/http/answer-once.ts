// Stored responses: applies a request's Idempotency-Key to a change without an object that could store it. A dry run is
// not stored.
import type { Json } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import { answerOnce } from "#services/caller/stored-responses.ts";
import type { Deps } from "#services/deps.ts";
import type { AppContext } from "./context.ts";

type Input = { readonly [name: string]: Json } & { readonly dryRun: boolean };

export function answerOncePerKey<T>(
  c: AppContext,
  input: Input,
  change: (deps: Deps) => Promise<Result<T>>,
  keep: (value: T) => T = (value) => value,
): Promise<Result<T>> {
  const key = input.dryRun ? null : c.var.idempotencyKey;
  const route = `${c.req.method} ${c.req.path}`;
  return answerOnce(c.var.deps, c.var.installationCaller, { key, route, body: input, keep }, change);
}
