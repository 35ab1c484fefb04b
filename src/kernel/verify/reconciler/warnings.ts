// Probable mistakes in a reconciler: rules that are never true, and rules that follow a rule that is always true.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Warning } from "#schema/refusal.ts";
import { openWork } from "../../computing/work.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { hint, warning } from "../finding.ts";
import { constantResult } from "../constant-result.ts";

export function reconcilerWarnings(definition: ReconcilerDefinition): readonly Warning[] {
  const work = openWork();
  const { states, actions = [], collector } = definition;
  const used = new Set(Object.values(states).flatMap(({ rules = [] }) => rules.flatMap(({ emit }) => emit ?? [])));
  if (collector !== undefined) used.add(collector.action);
  const idle = actions.flatMap(({ actionId }, n) => {
    if (used.has(actionId)) return [];
    const fix = 'Start the action with "emit" in a rule, or remove the action.';
    return [hint(pointer("/actions", n), "action_never_started", `no rule starts the action ${actionId}`, { fix })];
  });
  const inRules = Object.entries(states).flatMap(([name, { rules = [] }]) => {
    const verdicts = rules.map(({ when }) => (when === undefined ? true : constantResult(when, work)));
    const never = verdicts.flatMap((verdict, n) => {
      if (verdict !== false) return [];
      const where = pointer("/states", name, "rules", n);
      const patch = [{ op: "remove", path: where } as const];
      const fix = 'Use "var" to compare observed or desired data, or remove the rule.';
      return [warning(pointer(where, "when"), "never_holds", "this rule is never true", { fix, patch })];
    });
    const first = verdicts.indexOf(true);
    if (first < 0 || first === rules.length - 1) return never;
    const [from, behind] = [first, first + 1].map((n) => pointer("/states", name, "rules", n));
    const message = `the earlier rule ${from} is always true, so this rule and the rules after it are never taken`;
    return [
      ...never,
      warning(String(behind), "never_taken", message, {
        fix: `Move the rule ${from} to the end, or add "when" to it.`,
      }),
    ];
  });
  return [...inRules, ...idle];
}
