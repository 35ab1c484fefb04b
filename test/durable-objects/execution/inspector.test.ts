// Tests the log lines of steps that violate an invariant.
import { expect, test } from "vitest";
import type { ObservedStep } from "#kernel/invariants/invariants.ts";
import { openInspector, openTickLog } from "#objects/execution/inspector.ts";
import { INVARIANTS_CHECKED_EVERY_STEPS } from "#schema/limits/executions.ts";
import { action, ask, drive, second, T0 } from "#test/support/drive.ts";
import { go } from "#test/kernel/programs/reconciler/drive-reconciler.ts";
import { naming } from "#test/support/matchers/naming.ts";

function stepOf(part: object): ObservedStep {
  const t = drive({ states: { a: { on: { go: "a" } } } }).start();
  const input = { ...ask.patch({ n: 1 }), now: T0, room: 0 };
  const state = { ...t.state, ...part };
  return { program: t.program, before: null, input, state, effects: [{ kind: "project" }], entries: [] };
}

function inspected(judged: ObservedStep, times: number) {
  const lines: Record<string, unknown>[] = [];
  const inspect = openInspector((line) => void lines.push(line));
  for (let n = 0; n < times; n += 1) inspect(judged);
  return lines;
}

test("a step that keeps the invariants is not logged", () => {
  expect(inspected(stepOf({}), 3)).toEqual([]);
});

test("a sample of the steps is checked, and a violation is logged", () => {
  const lines = inspected(stepOf({ pausedAt: T0 }), 2 * INVARIANTS_CHECKED_EVERY_STEPS);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual({
    level: "error",
    event: "invariant_broken",
    execution: "exe_1",
    seq: 1,
    input: "patch",
    message: naming("pause"),
  });
});

test("a state for which the check fails is logged, and breaks nothing", () => {
  expect(inspected(stepOf({ runs: null }), 1)).toMatchObject([{ event: "invariant_broken" }]);
});

/** Returns the lines of two equal changes during an action, the second of which changes nothing. */
function linesOfTicks(isOn: boolean): readonly unknown[] {
  const rules = [{ when: { "===": [{ var: "action.actionName" }, ""] }, emit: "start" }];
  const t = go({ states: { A: { rules } }, actions: [action("start")] });
  const found: unknown[] = [];
  const note = openTickLog(isOn, (line) => void found.push(line));
  const desire = (lit: boolean): void => {
    const before = t.state;
    t.desire({ lit });
    note({ before, state: t.state });
  };
  desire(true);
  t.tickAt(second);
  desire(false);
  desire(false);
  return found;
}

test("a change during an action of a reconciler is logged once, with the action", () => {
  expect(linesOfTicks(true)).toMatchObject([{ level: "debug", event: "tick_blocked", action: "start" }]);
});

test("blocked ticks are not logged if their log is off", () => {
  expect(linesOfTicks(false)).toEqual([]);
});
