// Retry dry run: the result of a retry now. The execution computes it on its real state and discards it.
import type { DeadLetterName } from "#schema/dead-letter.ts";
import { controlExecution } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { retryVerb, noEdit } from "./retry-run.ts";

/** sent: it would be sent. waits: not yet. skipped, failed: it would end so at once. refused: it cannot be retried. */
export type RetryPrediction = {
  readonly outcome: "sent" | "waits" | "skipped" | "failed" | "refused";
  /** The reason as a snake_case fact (late, no_longer_valid, paused …), or a sentence if there is none. */
  readonly reason: string | null;
};

export async function tryRetry(
  deps: Deps,
  caller: TenantCaller,
  { execution, run }: DeadLetterName,
): Promise<RetryPrediction> {
  const verb = retryVerb(run, noEdit, null);
  const tried = await controlExecution(deps, caller, { execution, verb, key: null, dryRun: true });
  if (!tried.ok) return { outcome: "refused", reason: tried.refusal.message };
  const { entries = [], state } = tried.value;
  for (const entry of entries.toReversed()) {
    if (entry.kind === "run_skipped" && entry.run === run) return { outcome: "skipped", reason: entry.reason };
    if (entry.kind === "run_failed" && entry.run === run) return { outcome: "failed", reason: entry.error.message };
    if (entry.kind === "run_dispatched" && entry.run === run) return { outcome: "sent", reason: null };
  }
  if (state.status === "paused") return { outcome: "waits", reason: "paused" };
  const dueAt = state.runs.find(({ id }) => id === run)?.dueAt ?? null;
  return { outcome: "waits", reason: dueAt !== null && dueAt <= deps.now() ? "no_free_slot" : "delay" };
}
