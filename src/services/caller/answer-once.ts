// Does a change at most once per Idempotency-Key, for changes that have no object to remember them: tenants, keys,
// definitions. The same key and body get the first answer again; the same key with another body is refused.
import { keepAnswer, releaseAnswer, reserveAnswer, type AnswerKey } from "#catalog/kept-answers.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { ANSWER_ABANDONED_MS } from "#schema/limits/upkeep.ts";
import type { Caller, Deps } from "../deps.ts";
import { fingerprint } from "./fingerprint.ts";

const STATUS_OK = 200;

export type Once<T> = {
  readonly key: string | null;
  /** Which change; a key means something else on another route. */
  readonly route: string;
  readonly body: Json;
  /** What may be stored of the answer, and is answered to a repeat: never a secret. */
  readonly keep: (value: T) => T;
};

export async function answerOnce<T>(
  deps: Deps,
  caller: Caller,
  once: Once<T>,
  change: () => Promise<Result<T>>,
): Promise<Result<T>> {
  if (once.key === null) return change();
  // The root key's own changes belong to no tenant; no tenant's id looks like this.
  const at = { tenant: caller.tenant ?? "*", key: once.key, route: once.route };
  const held = await reserve<T>(deps, at, await fingerprint(once.body));
  if (!held.ok) return held;
  if (held.value !== null) return accept(held.value.kept);
  try {
    const result = await change();
    if (result.ok) await keepAnswer(deps.db, at, STATUS_OK, JSON.stringify(once.keep(result.value)));
    else await releaseAnswer(deps.db, at);
    return result;
  } catch (cause) {
    await releaseAnswer(deps.db, at);
    throw cause;
  }
}

/** null: the key is the caller's now, and the change is to be made. */
async function reserve<T>(deps: Deps, at: AnswerKey, print: string): Promise<Result<{ readonly kept: T } | null>> {
  const row = await reserveAnswer(deps.db, at, print, deps.now());
  if (row === null) return accept(null);
  if (row.fingerprint !== print) return refuse(conflict(at.key));
  if (row.body !== null) return accept({ kept: JSON.parse(row.body) as T }); // keepAnswer wrote it for this route
  if (deps.now() - row.createdAt < ANSWER_ABANDONED_MS) return refuse(inProgress);
  await releaseAnswer(deps.db, at);
  return (await reserveAnswer(deps.db, at, print, deps.now())) === null ? accept(null) : refuse(inProgress);
}

function conflict(key: string) {
  return {
    code: "idempotency_conflict",
    message: `The Idempotency-Key ${key} was used before with another body.`,
    hint: "Use a new key for a new request; repeat a request with exactly the body it had.",
    errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was used with another body" }],
  } as const;
}

const inProgress = {
  code: "unavailable",
  message: "The first request with this Idempotency-Key is still being answered.",
  hint: "Send the same request again in a moment.",
} as const;
