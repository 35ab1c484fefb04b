// Retry samples: predicts the results of retrying some of the dead letters that match a filter. Each execution computes
// the retry on its current state and discards the result. The sample has a fixed size, however many dead letters match.
import { listDeadLetters } from "#catalog/dead-letters.ts";
import { repeatSafety } from "#policy/advice/repeat-safety.ts";
import type { DeadLetterFilters } from "#schema/dead-letter-filter.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { isHandled } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { OPERATION_SAMPLE_FAILED, OPERATION_SAMPLE_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import { tryRetry, type RetryPrediction } from "./try-retry.ts";
import { withDoubtfulAttempts } from "../executions/doubtful-attempts.ts";
import { readState } from "../cells/read-state.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type SampledItem = {
  readonly id: string;
  /** `gone`: the run is no longer a dead letter. `unknown`: the run's execution does not answer. */
  readonly outcome: RetryPrediction["outcome"] | "gone" | "unknown";
  readonly reason: string | null;
  /** A sentence about the program's reaction or about the outcome. Null if `reason` alone explains the outcome. */
  readonly says: string | null;
  /**
   * True if the provider would recognize the retry as a repeat of an earlier delivery. Null if the retry would not be
   * sent.
   */
  readonly repeatSafe: boolean | null;
  readonly executionEnded: boolean | null;
};

type Tally = { readonly [what: string]: number };
export type RetrySample = {
  readonly of: number;
  readonly outcomes: Tally;
  /** The number of sampled retries that would not be sent, by reason. */
  readonly reasons: Tally;
  readonly repeatSafe: { readonly safe: number; readonly unsafe: number };
  readonly executionsEnded: number;
  readonly items: readonly SampledItem[];
};

/** Samples the unhandled dead letters that match the filter, and a few handled ones. */
export async function sampleRetries(deps: Deps, caller: TenantCaller, filter: DeadLetterFilters): Promise<RetrySample> {
  const [waiting, handled] = await Promise.all([
    listOldest(deps, caller, filter, OPERATION_SAMPLE_FAILED),
    listOldest(deps, caller, { ...filter, handled: true }, OPERATION_SAMPLE_MAX),
  ]);
  const rows = [...waiting, ...handled].slice(0, OPERATION_SAMPLE_MAX);
  const items = await Promise.all(rows.map((row) => sampleRetry(deps, caller, row)));
  const isSafe = (safe: boolean) => items.filter(({ repeatSafe }) => repeatSafe === safe).length;
  return {
    of: items.length,
    outcomes: tally(items.map(({ outcome }) => outcome)),
    reasons: tally(items.flatMap(({ reason }) => (reason === null ? [] : [reason]))),
    repeatSafe: { safe: isSafe(true), unsafe: isSafe(false) },
    executionsEnded: items.filter(({ executionEnded }) => executionEnded === true).length,
    items,
  };
}

async function listOldest(
  deps: Deps,
  { tenant }: TenantCaller,
  filter: DeadLetterFilters,
  count: number,
): Promise<readonly RunRow[]> {
  const page = await listDeadLetters(deps.db, tenant, filter, null, count, "oldest");
  // listDeadLetters refuses only an invalid cursor, and this call passes none.
  if (!page.ok) throw new Error(page.refusal.message);
  return page.value.data;
}

/**
 * Predicts the retry of one dead letter. If its execution does not answer, the prediction is `unknown`, so that the
 * rest of the sample is still returned.
 */
async function sampleRetry(deps: Deps, caller: TenantCaller, row: RunRow): Promise<SampledItem> {
  const { execution, id: run } = row;
  const id = deadLetterId(execution, run);
  const item = (
    outcome: SampledItem["outcome"],
    reason: string | null,
    more: Partial<SampledItem> = {},
  ): SampledItem => ({ id, outcome, reason, says: null, repeatSafe: null, executionEnded: null, ...more });
  try {
    const read = await readState(deps, caller, { execution });
    if (!read.ok && read.refusal.code !== "not_found") return item("unknown", read.refusal.code);
    if (!read.ok) return item("gone", "history_gone");
    const state = read.value;
    if (row.incarnation !== 0 && row.incarnation !== state.createdAt) return item("gone", "id_reused");
    const found = state.runs.find((each) => each.id === run);
    if (!found?.deadLetter) return item("gone", found === undefined ? "history_gone" : found.status);
    const executionEnded = isFinalStatus(state.status);
    const prediction = await tryRetry(deps, caller, { execution, run });
    if (isHandled(found)) return item("skipped", "handled", { says: prediction.reason, executionEnded });
    if (prediction.outcome === "refused" || prediction.outcome === "failed")
      return item(prediction.outcome, prediction.outcome, { says: prediction.reason, executionEnded });
    if (prediction.outcome === "skipped") return item(prediction.outcome, prediction.reason, { executionEnded });
    const repeats = deps.repeatsOf(found.type, found.config ?? {});
    const { safe, why } = repeatSafety(withDoubtfulAttempts(deps, found), repeats, deps.now());
    return item(prediction.outcome, prediction.reason, { says: why, repeatSafe: safe, executionEnded });
  } catch (fault) {
    deps.log({ level: "warn", event: "dead_letter_not_sampled", execution, run, message: String(fault) });
    return item("unknown", "unavailable");
  }
}

function tally(names: readonly string[]): Tally {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
