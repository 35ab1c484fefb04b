// RPC entrypoint of recurring actions: starts occurrences, and checks or cancels running occurrences. The recurring
// action's object keeps the schedule and the counts.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { DispatchItem, DispatchOutcome, DispatchSource, RecurringWorkPort } from "#schema/recurring/calls.ts";
import { cancelOccurrences, findRunning } from "#services/recurring/running-occurrences.ts";
import { dispatchOccurrences } from "#services/recurring/dispatch-occurrences.ts";
import { depsOf } from "./deps.ts";

export class RecurringWork extends WorkerEntrypoint<Env> implements RecurringWorkPort {
  dispatch(terms: DispatchSource, items: readonly DispatchItem[]): Promise<readonly DispatchOutcome[]> {
    return dispatchOccurrences(depsOf(this.env), terms, items);
  }

  checkRunning(tenant: string, executions: readonly string[]): Promise<readonly string[]> {
    return findRunning(depsOf(this.env), tenant, executions);
  }

  cancel(tenant: string, id: string, executions: readonly string[]): Promise<void> {
    return cancelOccurrences(depsOf(this.env), { tenant, id }, executions);
  }
}
