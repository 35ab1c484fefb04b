// Retry samples: the predicted results for a few of the dead letters that match a filter. Their executions compute them
// on their real state and discard the result. Bounded: a preview of a hundred thousand reads as many as one of twenty.
import { listDeadLetters } from "#catalog/dead-letters.ts";
import { repeatSafety } from "#policy/advice/repeat-safety.ts";
import type { DeadLetterFilters } from "#schema/dead-letter.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { isHandled } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { OPERATION_SAMPLE_MAX, OPERATION_SAMPLE_WAITING } from "#schema/limits/upkeep.ts";
import { tryRetry, type RetryPrediction } from "./try-retry.ts";
import { withDoubtfulAttempts } from "../executions/doubtful-attempts.ts";
import { readState } from "../cells/read-state.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type SampledItem = {
  readonly id: string;
  /** gone: it is no longer a dead letter. unknown: its execution does not answer. */
  readonly outcome: RetryPrediction["outcome"] | "gone" | "unknown";
  readonly reason: string | null;
  /** The machine's reaction, or another sentence; null if the reason suffices. */
  readonly says: string | null;
  /** null if it would not be sent. */
  readonly repeatSafe: boolean | null;
  readonly executionEnded: boolean | null;
};

type Tally = { readonly [what: string]: number };
export type RetrySample = {
  readonly of: number;
  readonly outcomes: Tally;
  /** The reasons of those that would not be sent. */
  readonly reasons: Tally;
  readonly repeatSafe: { readonly safe: number; readonly unsafe: number };
  readonly executionsEnded: number;
  readonly items: readonly SampledItem[];
};

/** `filter` matches waiting ones; a few handled ones are added to the sample. */
export async function sampleRetries(deps: Deps, caller: TenantCaller, filter: DeadLetterFilters): Promise<RetrySample> {
  const [waiting, handled] = await Promise.all([
    first(deps, caller, filter, OPERATION_SAMPLE_WAITING),
    first(deps, caller, { ...filter, handled: true }, OPERATION_SAMPLE_MAX),
  ]);
  const rows = [...waiting, ...handled].slice(0, OPERATION_SAMPLE_MAX);
  const items = await Promise.all(rows.map((row) => sampled(deps, caller, row)));
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

async function first(
  deps: Deps,
  { tenant }: TenantCaller,
  filter: DeadLetterFilters,
  count: number,
): Promise<readonly RunRow[]> {
  const page = await listDeadLetters(deps.db, tenant, filter, null, count, "oldest");
  if (!page.ok) throw new Error(page.refusal.message); // there is no cursor to be wrong
  return page.value.data;
}

/** One that cannot be queried counts as unknown, and the others are still returned. */
async function sampled(deps: Deps, caller: TenantCaller, row: RunRow): Promise<SampledItem> {
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
    if (row.incarnation !== 0 && row.incarnation !== state.createdAt) return item("gone", "id_used_again");
    const found = state.runs.find((each) => each.id === run);
    if (!found?.deadLetter) return item("gone", found === undefined ? "history_gone" : found.status);
    const executionEnded = isFinalStatus(state.status);
    const tried = await tryRetry(deps, caller, { execution, run });
    if (isHandled(found)) return item("skipped", "handled", { says: tried.reason, executionEnded });
    if (tried.outcome === "refused" || tried.outcome === "failed")
      return item(tried.outcome, tried.outcome, { says: tried.reason, executionEnded });
    if (tried.outcome === "skipped") return item(tried.outcome, tried.reason, { executionEnded });
    const repeats = deps.repeatsOf(found.type, found.config ?? {});
    const { safe, why } = repeatSafety(withDoubtfulAttempts(deps, found), repeats, deps.now());
    return item(tried.outcome, tried.reason, { says: why, repeatSafe: safe, executionEnded });
  } catch (fault) {
    deps.log({ level: "warn", event: "dead_letter_not_sampled", execution, run, message: String(fault) });
    return item("unknown", "unavailable");
  }
}

function tally(names: readonly string[]): Tally {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}
