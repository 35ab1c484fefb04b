// Dead letters: gets, lists and counts them.
import {
  listDeadLetters as list,
  countDeadLetters as count,
  surveyDeadLetters as survey,
} from "#catalog/dead-letters.ts";
import type { Page } from "#catalog/page.ts";
import { deadLetterUntil, expiringDeadLetters } from "#kernel/waiting/deadlines.ts";
import { repeatSafety, type RepeatSafety } from "#policy/advice/repeat-safety.ts";
import type { DeadLetterName, DeadLetterFilters, DeadLetterSurvey } from "#schema/dead-letter-filter.ts";
import type { Destination } from "#schema/destination.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { JsonObject } from "#schema/json.ts";
import { JOURNAL_PAGE_ENTRIES_MAX } from "#schema/limits/executions.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { actionOfRun } from "../actions/check-action.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { withDoubtfulAttempts } from "../executions/doubtful-attempts.ts";
import { getJournal } from "../executions/executions.ts";
import { wouldSend, type WouldSend } from "../rehearsal/would-send.ts";
import { summaryOf, type DeadLetterSummary, summaryOfRow } from "./dead-letter-summary.ts";
import { findDeadLetter } from "./find-dead-letter.ts";
import { nextSteps, type NextStep } from "./next-steps.ts";
import { tryRetry, type RetryPrediction } from "./try-retry.ts";

export type DeadLetterView = {
  readonly summary: DeadLetterSummary;
  readonly state: ExecutionState;
  readonly run: Run;
  readonly sends: RetryRequests;
  /**
   * The requests that a retry would send. Null if the config is not rendered yet, or if the catalog does not answer.
   */
  readonly would: WouldSend | null;
  readonly destination: Destination | null;
  readonly repeats: IdempotencySupport;
  readonly repeatSafe: RepeatSafety;
  /** The predicted result of a retry at this time; null if the run is no longer a dead letter. */
  readonly ifRetried: RetryPrediction | null;
  /** The journal entries that followed the failure within the same step; null if the history is not available. */
  readonly reaction: readonly JournalEntry[] | null;
  readonly expiresAt: number | null;
  readonly next: readonly NextStep[];
};

/**
 * The config that a retry sends. `frozen`: exactly the bytes of the first attempt. `template`: a config that is not
 * rendered yet. `unknown`: the definition cannot be looked up.
 */
export type RetryRequests = { readonly kind: "frozen" | "template" | "unknown"; readonly config: JsonObject | null };

export async function getDeadLetter(
  deps: Deps,
  caller: TenantCaller,
  name: DeadLetterName,
): Promise<Result<DeadLetterView>> {
  const found = await findDeadLetter(deps, caller, name);
  if (!found.ok) return found;
  const { state } = found.value;
  const run = withDoubtfulAttempts(deps, found.value.run);
  const [sends, would, reaction, ifRetried] = await Promise.all([
    retryRequestsOf(deps, state, run),
    predictRequests(deps, state, run),
    findReaction(deps, caller, name, run),
    run.deadLetter ? tryRetry(deps, caller, name) : null,
  ]);
  const config = sends.config ?? {};
  const repeats = deps.repeatsOf(run.type, config);
  const view = {
    summary: summaryOf(state, run),
    state,
    run,
    sends,
    would,
    repeats,
    ifRetried,
    reaction,
    destination: sends.config === null ? null : deps.destinationOf(run.type, config),
    repeatSafe: repeatSafety(run, repeats, deps.now()),
    expiresAt: expiringDeadLetters(state).some(({ id }) => id === run.id) ? deadLetterUntil(run) : null,
  };
  return accept({ ...view, next: nextSteps(view) });
}

async function retryRequestsOf(deps: Deps, state: ExecutionState, run: Run): Promise<RetryRequests> {
  if (run.config !== null) return { kind: "frozen", config: run.config };
  if (run.edit !== undefined) return { kind: "template", config: run.edit };
  const action = await actionOfRun(deps, state, run.action);
  return action.ok ? { kind: "template", config: action.value.config } : { kind: "unknown", config: null };
}

/**
 * Predicts the requests of a retry. If that throws, it returns null, so that a catalog outage or an invalid config does
 * not fail the whole read.
 */
async function predictRequests(deps: Deps, { id, tenant }: ExecutionState, run: Run): Promise<WouldSend | null> {
  if (run.config === null) return null;
  try {
    return await wouldSend(deps, tenant, { ...run, config: run.config, execution: id });
  } catch (cause) {
    deps.log({ level: "warn", event: "retry_not_predicted", execution: id, run: run.id, message: String(cause) });
    return null;
  }
}

async function findReaction(
  deps: Deps,
  caller: TenantCaller,
  { execution }: DeadLetterName,
  { id, failedSeq }: Run,
): Promise<readonly JournalEntry[] | null> {
  if (failedSeq === undefined) return [];
  const query = { execution, cursor: null, limit: JOURNAL_PAGE_ENTRIES_MAX, seq: failedSeq };
  const page = await getJournal(deps, caller, query);
  if (!page.ok) return null;
  const step = page.value.entries.filter(({ seq }) => seq === failedSeq);
  const failed = step.findIndex((entry) => entry.kind === "run_failed" && entry.run === id);
  return failed === -1 ? [] : step.slice(failed + 1);
}

export type ListDeadLetters = {
  readonly filters: DeadLetterFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listDeadLetters(
  deps: Deps,
  caller: TenantCaller,
  { filters, cursor, limit }: ListDeadLetters,
): Promise<Result<Page<DeadLetterSummary>>> {
  const page = await list(deps.db, caller.tenant, filters, cursor, limit);
  if (!page.ok) return page;
  const { data, nextCursor } = page.value;
  return accept({ data: data.map(summaryOfRow), nextCursor });
}

export async function surveyDeadLetters(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
): Promise<DeadLetterSurvey> {
  return survey(deps.db, tenant, filters);
}

export async function countDeadLetters(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
): Promise<number> {
  return count(deps.db, tenant, filters);
}
