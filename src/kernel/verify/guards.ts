// Guards and conditions that are never true. Also transitions that are never taken, because an earlier transition of
// the list is always taken.
import type { MachineDefinition, Transition, Transitions } from "#schema/definition/definition.ts";
import type { Rule } from "#schema/json.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { openWork } from "../computing/work.ts";
import { graphOf, transitionList, transitionsOf } from "../programs/machine/graph.ts";
import { pointer, transitionPointer } from "../programs/machine/pointers.ts";
import { jsonOf, warning } from "./finding.ts";
import { constantResult } from "./constant-result.ts";

export function guardWarnings(definition: MachineDefinition): readonly Warning[] {
  const work = openWork();
  const graph = graphOf(definition);
  return [
    ...[...graph.values()].flatMap(({ path, node }) =>
      transitionsOf(node).flatMap(({ field, key, list }) =>
        listWarnings(
          list,
          (n) => transitionPointer(path, field, key, list, n),
          (guard) => constantResult(guard, work, field === "on" && key !== "*" ? key : null),
        ),
      ),
    ),
    ...(definition.actions ?? []).flatMap(({ condition }, n) => {
      if (condition === undefined || constantResult(condition, work) !== false) return [];
      const where = pointer("/actions", n, "condition");
      const fix = 'Use "var" to compare data of the execution, or remove the condition.';
      return [
        warning(where, "never_holds", "this condition is never true, so every run of the action is skipped", {
          fix,
          patch: [{ op: "remove", path: where }],
        }),
      ];
    }),
  ];
}

function listWarnings(
  transitions: Transitions,
  placeOf: (n: number) => string,
  comesTo: (guard: Rule) => boolean | null,
): readonly Warning[] {
  const list = transitionList(transitions);
  const verdicts = list.map(({ guard }) => (guard === undefined ? true : comesTo(guard)));
  const first = verdicts.indexOf(true);
  const always = list[first];
  const asked = new Map<string, number>();
  return list.flatMap(({ guard }, n) => {
    if (verdicts[n] === false) return [neverTrueGuard(pointer(placeOf(n), "guard"))];
    if (always !== undefined && n > first) {
      return n === first + 1 ? [shadowedTransition(always, placeOf(first), list, placeOf)] : [];
    }
    const text = JSON.stringify(guard ?? null);
    const before = asked.get(text);
    asked.set(text, before ?? n);
    return before === undefined ? [] : [repeatedGuard(placeOf(n), placeOf(before))];
  });
}

function neverTrueGuard(where: string): Warning {
  const fix = 'Use "var" to compare data of the execution or its message, or remove the guard.';
  return warning(where, "never_holds", "this guard is never true, so its transition is never taken", {
    fix,
    patch: [{ op: "remove", path: where }],
  });
}

function shadowedTransition(
  always: Transition,
  from: string,
  list: readonly Transition[],
  placeOf: (n: number) => string,
): Warning {
  const where = placeOf(list.indexOf(always) + 1);
  const isAlone = list.every((each) => each === always || each.guard !== undefined);
  const moved: Change[] = [
    { op: "remove", path: from },
    { op: "add", path: placeOf(list.length - 1), value: jsonOf(always) },
  ];
  const message = `the earlier transition ${from} can always be taken, so this transition and the transitions after it are never taken`;
  return warning(where, "never_taken", message, {
    fix: `Move the transition ${from} to the end, or add a guard to it.`,
    patch: isAlone ? moved : null,
  });
}

function repeatedGuard(where: string, before: string): Warning {
  const fix = "Change or remove this condition.";
  return warning(
    where,
    "never_taken",
    `the earlier transition ${before} has the same condition, so this transition is never taken`,
    { fix, patch: [{ op: "remove", path: where }] },
  );
}
