// What is thrown over one of several becomes a refusal in its place: the others have been done, and their answers count.
import { refuse, type Result } from "#schema/refusal.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { Deps } from "../deps.ts";
import { passingTrouble } from "./passing.ts";

/** Logged with what it was about. Nothing is known of what was done: all inputs may be sent again under their ids. */
export function brokenItem(
  { log }: Pick<Deps, "log">,
  about: { readonly [key: string]: string | number },
  fault: unknown,
): Extract<Result<never>, { ok: false }> {
  const stack = fault instanceof Error ? (fault.stack ?? null) : null;
  log({ level: "error", event: "item_failed", ...about, message: String(fault), stack });
  if (isCatalogFailure(fault)) return refuse(catalogSilent);
  return refuse(passingTrouble(fault) === null ? ourMistake : outOfReach);
}

/** Several at once, an answer each. A single one's exception is the whole call's, and goes on as that. */
export async function answerEach<Asked, Answer>(
  deps: Pick<Deps, "log">,
  asked: readonly Asked[],
  answer: (one: Asked) => Promise<Result<Answer>>,
): Promise<readonly Result<Answer>[]> {
  return Promise.all(
    asked.map(async (one, item) => {
      try {
        return await answer(one);
      } catch (fault) {
        if (asked.length === 1) throw fault;
        return brokenItem(deps, { item }, fault);
      }
    }),
  );
}

const catalogSilent = {
  code: "unavailable",
  message: "The catalog does not answer just now, and this one needs it.",
  hint: "Send the same request again with the same Idempotency-Key; nothing is done twice.",
} as const;

const outOfReach = {
  code: "unavailable",
  message: "What this one needs cannot be reached just now; whether it has been done is not known.",
  hint: "Send the same request again with the same Idempotency-Key; nothing is done twice.",
} as const;

const ourMistake = {
  code: "internal_error",
  message: "Something went wrong on our side over this one; whether it has been done is not known.",
  hint: "Send the same request again with the same Idempotency-Key; nothing is done twice. The log has the reason under item_failed.",
} as const;
