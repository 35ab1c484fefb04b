// Outcomes of recurring actions' work: reads from the catalog the outcomes of the started occurrences.
import { readWork, type ExecutionKey } from "#catalog/recurring.ts";
import { healthWithWork, workHistory } from "#policy/calendar/work-outcomes.ts";
import type { RecurringHealth } from "#schema/recurring/calls.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import type { StartedOccurrence } from "#schema/recurring/state.ts";
import type { WorkHistory } from "#schema/recurring/work-outcome.ts";
import { isCatalogFailure } from "../catalog-failure.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import type { RecurringDetails } from "./recurring-view.ts";

/** A recurring action with the outcomes of its work, which its health takes into account. */
export type WithWork<T> = T & { readonly health: RecurringHealth; readonly work: WorkHistory };
type Workless = {
  readonly spec: RecurringSpec;
  readonly health: RecurringHealth;
  readonly recent?: readonly StartedOccurrence[] | null;
};

export type SeenRecurring = Omit<RecurringDetails, "view"> & { readonly view: WithWork<RecurringDetails["view"]> };

/** Reads the outcomes of all recurring actions of a page at once. */
export async function withWork<T extends Workless>(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  items: readonly T[],
): Promise<readonly WithWork<T>[]> {
  const addWork = await openWork(deps, tenant, items);
  return items.map((item) => addWork(item));
}

export async function detailsWithWork(
  deps: Deps,
  { tenant }: TenantCaller,
  { view, ...details }: RecurringDetails,
): Promise<SeenRecurring> {
  const addWork = await openWork(deps, tenant, [view]);
  return { ...details, view: addWork(view) };
}

/** Returns a function that adds the outcomes. If the catalog does not answer, they are unknown. */
export async function openWork(deps: Pick<Deps, "db" | "now">, tenant: string, items: readonly Workless[]) {
  const keys = items.flatMap(({ recent }) => (recent ?? []).map(keyOf));
  const rows = await readWork(deps.db, tenant, keys).catch((cause: unknown) => {
    if (isCatalogFailure(cause)) return null;
    throw cause;
  });
  const byExecution = new Map((rows ?? []).map((row) => [row.execution, row]));
  const now = rows === null ? Infinity : deps.now();
  return <T extends Workless>(item: T): WithWork<T> => {
    const work = workHistory(item.recent ?? [], byExecution, item.spec.work.kind === "action", now);
    return { ...item, work, health: healthWithWork(item.health, work) };
  };
}

function keyOf({ execution, createdAt }: StartedOccurrence): ExecutionKey {
  return [execution, createdAt];
}
