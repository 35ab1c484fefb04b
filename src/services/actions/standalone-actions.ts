// Standalone actions: finds and lists them.
import { listActions as list, type ActionFilters, type ListedRun, type ActionScope } from "#catalog/actions.ts";
import type { SearchPage } from "#catalog/page.ts";
import { listRuns } from "#catalog/runs.ts";
import { resolveRetry } from "#kernel/execution/retries/retry.ts";
import { ACTION_REF, ALERT_REF } from "#schema/definition/standalone.ts";
import { actionRun, type RetiredAction, type SeenAction } from "#schema/engine/action-status.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { DeliveryStatus } from "#schema/reports/report.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { readState } from "../cells/read-state.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { withDoubtfulAttempts } from "../executions/doubtful-attempts.ts";
import { historyGone, retiredRow } from "../executions/executions.ts";
import { deliveriesOf, type DeliveredRun } from "../hooks/delivery-status.ts";

export type FoundAction =
  | { readonly kind: "live"; readonly seen: SeenAction }
  | { readonly kind: "retired"; readonly retired: RetiredAction };

export async function findAction(
  deps: Deps,
  caller: TenantCaller,
  input: { readonly id: string },
): Promise<Result<FoundAction>> {
  const read = await readState(deps, caller, { execution: input.id });
  if (read.ok) {
    const seen = actionView(deps, read.value);
    return seen.ok ? accept({ kind: "live", seen: seen.value }) : seen;
  }
  if (read.refusal.code !== "not_found") return read;
  const row = await retiredRow(deps, caller.tenant, input.id);
  if (row?.erasedAt) return refuse(historyGone(row));
  if (row === null) return refuse({ code: "not_found", message: `There is no action ${input.id}.` });
  if (![ACTION_REF.id, ALERT_REF.id].includes(row.definitionId)) return refuse(notAnAction(input.id));
  const runs = await listRuns(deps.db, caller.tenant, input.id, {}, null, 1);
  return accept({ kind: "retired", retired: { row, run: runs.ok ? (runs.value.data[0] ?? null) : null } });
}

/** An action with what the provider has reported about its message; null if it has reported nothing. */
export type FoundDelivery = { readonly action: FoundAction; readonly delivery: DeliveryStatus | null };

export async function findDeliveredAction(
  deps: Deps,
  caller: TenantCaller,
  input: { readonly id: string },
): Promise<Result<FoundDelivery>> {
  const found = await findAction(deps, caller, input);
  if (!found.ok) return found;
  const [delivery = null] = await deliveriesOf(deps, caller.tenant, sentBy(found.value));
  return accept({ action: found.value, delivery });
}

function sentBy(found: FoundAction): readonly DeliveredRun[] {
  if (found.kind === "retired") return found.retired.run === null ? [] : [deliveredRun(found.retired.run)];
  const { state } = found.seen;
  const run = actionRun(state);
  if (run === undefined) return [];
  const { id, type, status } = run;
  return [{ execution: state.id, run: id, type, status, incarnation: state.createdAt }];
}

function deliveredRun({ execution, id, type, status, incarnation }: RunRow): DeliveredRun {
  return { execution, run: id, type, status, incarnation };
}

/**
 * Returns the state of an action's execution as the API shows it. Refuses the state of an execution that is not a
 * standalone action.
 */
export function actionView(deps: Pick<Deps, "repeatsOf">, state: ExecutionState): Result<SeenAction> {
  const { standalone } = state;
  if (standalone === undefined) return refuse(notAnAction(state.id));
  const before = actionRun(state)?.redriven?.attemptsBefore ?? 0;
  const maxAttempts = before + resolveRetry(standalone.action.retryPolicy, "reaction").maxAttempts;
  return accept({
    state: { ...state, runs: state.runs.map((run) => withDoubtfulAttempts(deps, run)) },
    standalone,
    maxAttempts,
  });
}

function notAnAction(id: string): Refusal {
  return {
    code: "not_found",
    message: `${id} is an execution of a definition, not a standalone action.`,
    hint: `Read the execution at /v1/executions/${id}. Its actions are its runs.`,
  };
}

export type ListActions = {
  readonly filters: ActionFilters;
  readonly whose?: ActionScope;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listActions(
  deps: Deps,
  caller: TenantCaller,
  input: ListActions,
): Promise<Result<SearchPage<ListedRun>>> {
  const { filters, whose = "alone", cursor, limit } = input;
  return list(deps.db, caller.tenant, { ...filters, whose }, cursor, limit);
}

export type DeliveredAction = ListedRun & { readonly delivery: DeliveryStatus | null };

/** Lists actions with what providers have reported about their messages. */
export async function listDeliveredActions(
  deps: Deps,
  caller: TenantCaller,
  input: ListActions,
): Promise<Result<SearchPage<DeliveredAction>>> {
  const page = await listActions(deps, caller, input);
  if (!page.ok) return page;
  const { data, ...rest } = page.value;
  const deliveries = await deliveriesOf(deps, caller.tenant, data.map(deliveredRun));
  return accept({ data: data.map((row, n) => ({ ...row, delivery: deliveries[n] ?? null })), ...rest });
}
