// What other kinds of definitions say and a reconciler has no use for: refused, since nothing would come of it.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Finding } from "#schema/refusal.ts";
import { pointer } from "../../programs/machine/places.ts";
import { finding } from "../finding.ts";

export function needlessFindings(definition: ReconcilerDefinition): readonly Finding[] {
  const { concurrency = 1, events, collector, staleAfter, actions = [] } = definition;
  const found: Finding[] = [];
  if (concurrency !== 1) {
    const message = "a reconciler has one action under way at most";
    found.push(finding("/concurrency", "not_in_reconcilers", message, "Take it out."));
  }
  if (events !== undefined) {
    const message = "a reconciler takes no events";
    found.push(finding("/events", "not_in_reconcilers", message, "Send what it should know as an observation."));
  }
  if (collector !== undefined && staleAfter !== undefined) {
    const message = "what observes says itself how long an observation holds";
    found.push(finding("/staleAfter", "not_in_reconcilers", message, "Write it as collector.staleAfter."));
  }
  actions.forEach((action, n) => {
    for (const [field, hint] of Object.entries(NEEDLESS)) {
      if (!(field in action)) continue;
      const message = `rules alone say when an action of a reconciler starts: it has no ${field}`;
      found.push(finding(pointer("/actions", n, field), "not_in_reconcilers", message, hint));
    }
    if (typeof action.onExhausted === "object") {
      const hint = "Look at action.failed in a rule.";
      const message = "nothing in a reconciler hears events";
      found.push(finding(pointer("/actions", n, "onExhausted"), "not_in_reconcilers", message, hint));
    }
  });
  return found;
}

const NEEDLESS: { readonly [field: string]: string } = {
  triggerState: "Name it with emit in a rule of that state.",
  schedule: "Look at now in a rule.",
  condition: "Write it as the when of the rule that emits it.",
  cancelOnExit: "Take it out.",
};
