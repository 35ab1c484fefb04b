// Fields that a reconciler does not use. The definition is refused, because these fields would have no effect.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Finding } from "#schema/refusal.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { finding } from "../finding.ts";

export function unusedFieldFindings(definition: ReconcilerDefinition): readonly Finding[] {
  const { concurrency = 1, events, collector, staleAfter, actions = [] } = definition;
  const found: Finding[] = [];
  if (concurrency !== 1) {
    const message = "a reconciler has at most one action in progress";
    found.push(finding("/concurrency", "not_in_reconcilers", message, "Remove this field."));
  }
  if (events !== undefined) {
    const message = "a reconciler accepts no events";
    found.push(finding("/events", "not_in_reconcilers", message, "Send the data as an observation."));
  }
  if (collector !== undefined && staleAfter !== undefined) {
    const message = 'with a collector, staleAfter belongs inside "collector"';
    found.push(finding("/staleAfter", "not_in_reconcilers", message, "Move the duration to collector.staleAfter."));
  }
  actions.forEach((action, n) => {
    if (typeof action.onExhausted === "object") {
      const hint = "Read action.failed in a rule.";
      const message = "a reconciler handles no events";
      found.push(finding(pointer("/actions", n, "onExhausted"), "not_in_reconcilers", message, hint));
    }
  });
  return [...found, ...limitsOfCollector(definition)];
}

/** Errors about a window, cap or limit by key of the collector's action, which runs at its interval and is not counted. */
function limitsOfCollector({ collector, actions = [] }: ReconcilerDefinition): readonly Finding[] {
  return actions.flatMap((action, n) =>
    action.actionId !== collector?.action
      ? []
      : (["window", "cap", "limit"] as const).flatMap((field) => {
          if (action[field] === undefined) return [];
          const message = `the collector's action has no ${field}, because it observes at its interval`;
          return [finding(pointer("/actions", n, field), "not_in_reconcilers", message, "Remove this field.")];
        }),
  );
}
