// Starts what occurrences ask for, by the way of everything that starts. Each has a key that follows from it, so that an
// occurrence that is sent again finds what it started the first time.
import type { DispatchItem, DispatchOutcome, DispatchTerms } from "#schema/recurring/calls.ts";
import { isUndecided, type Refusal } from "#schema/refusal.ts";
import { answerEach } from "../cells/broken-item.ts";
import type { Deps } from "../deps.ts";
import { startPlanned } from "../executions/start-planned.ts";
import { planOccurrence } from "./occurrence-request.ts";

/** An answer for each, in their order. */
export async function dispatchOccurrences(
  deps: Deps,
  terms: DispatchTerms,
  items: readonly DispatchItem[],
): Promise<readonly DispatchOutcome[]> {
  const plans = await answerEach(deps, items, (item) => planOccurrence(deps, terms, item));
  const replies = await startPlanned(deps, terms.tenant, plans, false);
  return items.map(({ id }, n) => {
    const [plan, reply] = [plans[n], replies[n]];
    if (reply === undefined || plan === undefined)
      return { id, kind: "unreached", message: UNANSWERED, retryAfterMs: null };
    if (reply.ok) return { id, kind: "taken", execution: reply.value.state.id };
    const { code, message, retryAfterS, details } = reply.refusal;
    // It was started at an earlier try, and what recurs has been changed since.
    if (code === "idempotency_conflict" && plan.ok) {
      const elsewhere = details?.execution;
      const execution = typeof elsewhere === "string" ? elsewhere : plan.value.command.execution;
      return { id, kind: "taken", execution };
    }
    if (!mayPass(reply.refusal)) return { id, kind: "refused", code, message };
    return { id, kind: "unreached", message, retryAfterMs: retryAfterS === undefined ? null : retryAfterS * 1_000 };
  });
}

const UNANSWERED = "nobody answered";

function mayPass(refusal: Refusal): boolean {
  return isUndecided(refusal) || refusal.code === "quota_exceeded" || refusal.code === "receipts_full";
}
