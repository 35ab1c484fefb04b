// What a recurring action's object calls, without the entrypoint around it.
import type { RecurringWorkPort } from "#schema/recurring/calls.ts";
import type { Deps } from "#services/deps.ts";
import { cancelOccurrences, findRunning } from "#services/recurring/running-occurrences.ts";
import { dispatchOccurrences } from "#services/recurring/dispatch-occurrences.ts";

export function recurringWork(deps: Deps): RecurringWorkPort {
  return {
    dispatch: (terms, items) => dispatchOccurrences(deps, terms, items),
    checkRunning: (tenant, executions) => findRunning(deps, tenant, executions),
    cancel: (tenant, id, executions) => cancelOccurrences(deps, { tenant, id }, executions),
  };
}
