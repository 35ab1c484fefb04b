// Retry dry run: predicts the result of retrying a run now. The execution computes the retry on its current state and
// discards the result.
import type { DeadLetterName } from "#schema/dead-letter-filter.ts";
import { controlExecution } from "../executions/control-execution.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { retryVerb, noEdit } from "./retry-run.ts";

/**
 * The predicted result. `sent`: the request is sent immediately. `waits`: the run waits first. `skipped`, `failed`: the
 * run ends immediately with this status. `refused`: the execution refuses the retry.
 */
export type RetryPrediction = {
  readonly outcome: "sent" | "waits" | "skipped" | "failed" | "refused";
  /**
   * The reason as a snake_case fact (late, no_longer_valid, paused …), or as a sentence if there is no such fact. Null
   * if the outcome is `sent`.
   */
  readonly reason: string | null;
};

export async function tryRetry(
  deps: Deps,
  caller: TenantCaller,
  { execution, run }: DeadLetterName,
): Promise<RetryPrediction> {
  const verb = retryVerb(run, noEdit, null);
  const reply = await controlExecution(deps, caller, { execution, verb, key: null, dryRun: true });
  if (!reply.ok) return { outcome: "refused", reason: reply.refusal.message };
  const { entries = [], state } = reply.value;
  for (const entry of entries.toReversed()) {
    if (entry.kind === "run_skipped" && entry.run === run) return { outcome: "skipped", reason: entry.reason };
    if (entry.kind === "run_failed" && entry.run === run) return { outcome: "failed", reason: entry.error.message };
    if (entry.kind === "run_dispatched" && entry.run === run) return { outcome: "sent", reason: null };
  }
  if (state.status === "paused") return { outcome: "waits", reason: "paused" };
  const dueAt = state.runs.find(({ id }) => id === run)?.dueAt ?? null;
  return { outcome: "waits", reason: dueAt !== null && dueAt <= deps.now() ? "no_free_slot" : "delay" };
}
