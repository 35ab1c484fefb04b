// Sound machines of many shapes get no warning.
import { describe, expect, test } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { machineDefinition, type MachineDefinition } from "#schema/definition/definition.ts";
import { resultEvents } from "#schema/engine/result-events.ts";
import { action, machine } from "#test/support/drive.ts";
import { withMachines } from "./sound/with-machines.ts";
import { withPeople } from "./sound/with-people.ts";

const processes = { ...withPeople, ...withMachines };

const done = { type: "final" } as const;
const path = (name: string) => ({ var: `execution.variables.${name}` });

/** A process of so many steps: each waits for an action, a person or a time, and may be canceled. */
function wayOf(length: number, flags: { readonly regions: boolean; readonly nested: boolean }): MachineDefinition {
  const names = Array.from({ length }, (_, n) => `step${n}`);
  const after = (n: number): string => (n + 1 < length ? `step${n + 1}` : "ended");
  const states = Object.fromEntries(
    names.map((name, n) => {
      const waiting = [
        {
          on: {
            [`action.do${n}.ok`]: after(n),
            [`action.do${n}.failed`]: "gave_up",
            [`action.do${n}.skipped`]: after(n),
          },
        },
        {
          on: {
            [`approved.${n}`]: [
              { guard: { "==": [path("owner"), { var: "message.payload.by" }] }, target: after(n) },
              {},
            ],
          },
        },
        { after: { P3D: after(n), PT1H: [{ guard: path("impatient"), target: after(n) }] } },
      ][n % 3];
      return [name, { ...waiting, exit: [{ assign: { steps: { "+": [path("steps"), 1] } } }] }];
    }),
  );
  const way = { initial: "step0", states: { ...states, ended: done } };
  const inner = flags.nested ? { ...way, onDone: "done" } : way;
  const beside = { initial: "idle", states: { idle: { on: { noted: "idle" } } } };
  const prefix = flags.regions ? "all.way." : flags.nested ? "way." : "";
  const outside = { gave_up: { type: "final", outcome: "failed" }, done } as const;
  const targeted = (value: object) => JSON.parse(JSON.stringify(value).replaceAll('"gave_up"', '"#gave_up"'));
  return machine({
    variables: { steps: 0, owner: "ada", impatient: false },
    states: flags.regions
      ? { all: { type: "parallel", on: { stop: "done" }, states: { way: targeted(way), beside } }, ...outside }
      : flags.nested
        ? { way: targeted(inner), ...outside }
        : { ...way.states, ...outside, ended: { ...done, outcome: "completed" }, done: done },
    ...(flags.regions || flags.nested ? {} : { on: { stop: "done" } }),
    actions: names.flatMap((name, n) =>
      n % 3 === 0
        ? [
            action(`do${n}`, {
              triggerState: `${prefix}${name}`,
              condition: { "!": [path("off")] },
              maxLateness: "PT8H",
            }),
          ]
        : [],
    ),
  });
}

test.each(Object.entries(processes))("%s", (_what, body) => {
  const definition = machineDefinition.parse({ kind: "machine", name: "sound", ...body });
  expect(verify(definition)).toEqual([]);
  expect(warningsOf(definition)).toEqual([]);
});

test("every type of action is among them", () => {
  const types = Object.values(processes).flatMap((body) =>
    (machineDefinition.parse({ kind: "machine", name: "sound", ...body }).actions ?? []).map(({ type }) => type),
  );
  expect([...new Set(types)].toSorted()).toEqual(Object.keys(resultEvents).toSorted());
});

describe("a way of several steps", () => {
  const lengths = Array.from({ length: 10 }, (_, n) => n + 1);
  test.each(
    lengths.flatMap((length) => [
      [length, "flat", { regions: false, nested: false }] as const,
      [length, "inside another state", { regions: false, nested: true }] as const,
      [length, "beside another region", { regions: true, nested: false }] as const,
    ]),
  )("of %i, %s", (length, _how, flags) => {
    const definition = wayOf(length, flags);
    expect(verify(definition)).toEqual([]);
    expect(warningsOf(definition)).toEqual([]);
  });
});
