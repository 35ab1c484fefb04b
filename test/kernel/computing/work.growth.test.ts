// The cost of a step grows no faster than its input. Counted in reads of the input, never in time.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { step } from "#kernel/execution/step.ts";
import type { Command } from "#schema/engine/input.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { action, ask, machine, minute, T0 } from "#test/support/drive.ts";

const stamp = { now: T0, entropy: 0.5, room: 0 };

function begun(definition: MachineDefinition): ExecutionState {
  const started = step(compile(definition), null, { ...ask.start(), ...stamp });
  if (!started.ok) throw new Error(started.refusal.message);
  return started.state;
}

/** Counts how often a step reads a field of an item in these lists. */
function looks(definition: MachineDefinition, lists: readonly ("runs" | "timers")[], command: Command): number {
  let count = 0;
  const watched = <T extends object>(each: T): T =>
    new Proxy(each, { get: (of, key) => ((count += 1), Reflect.get(of, key) as unknown) });
  const state = begun(definition);
  const seen = Object.fromEntries(lists.map((list) => [list, state[list].map(watched)]));
  const stepped = step(compile(definition), { ...state, ...seen }, { ...command, ...stamp, now: T0 + minute });
  if (!stepped.ok) throw new Error(stepped.refusal.message);
  return count;
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `act${n}`);
const waiting = (count: number) =>
  machine({
    states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } },
    actions: names(count).map((name) => action(name, { triggerState: "a", delay: "P1D" })),
  });
const due = (count: number, concurrency: number) =>
  machine({
    concurrency,
    states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } },
    actions: names(count).map((name) => action(name, { triggerState: "a", delay: 1_000 })),
  });
const timed = (count: number) =>
  machine({
    states: {
      a: { after: Object.fromEntries(names(count).map((_, n) => [String(1_000 + n), {}])), on: { go: "b" } },
      b: { on: { back: "a" } },
    },
  });

test.each<[string, (size: number) => number]>([
  ["runs canceled as their state is left", (size) => looks(waiting(size), ["runs"], ask.event("go"))],
  ["runs begun at once", (size) => looks(due(size, 100), ["runs"], ask.tick())],
  ["runs waiting for one slot", (size) => looks(due(size, 1), ["runs"], ask.tick())],
  ["timers due in one tick", (size) => looks(timed(size), ["timers"], ask.tick())],
  ["timers disarmed as their state is left", (size) => looks(timed(size), ["timers"], ask.event("go"))],
])("%s", (_what, count) => {
  const few = count(25);
  expect(few).toBeGreaterThan(25);
  // With four times as many items, linear work is 4, with a sort a little more, quadratic 16.
  expect(count(100) / few).toBeLessThan(6);
});

describe("the timing of an event", () => {
  const size = 60;
  const chain = machine({
    states: Object.fromEntries(names(size).map((name, n) => [name, { on: { [`e${n}`]: `act${(n + 1) % size}` } }])),
  });

  test("is found out once for a position, however many events come in it", () => {
    let walked = 0;
    const states = Object.fromEntries(
      Object.entries(chain.states).map(([name, node]) => {
        const on = new Proxy(node.on ?? {}, { ownKeys: (of) => ((walked += 1), Reflect.ownKeys(of)) });
        return [name, { ...node, on }];
      }),
    );
    const program = compile({ ...chain, states });
    const { position } = begun(chain);
    walked = 0;
    expect(program.eventTiming(position, "e40")).toBe("later");
    expect(walked).toBeGreaterThan(size);
    walked = 0;
    for (let n = 1; n < size; n++) expect(program.eventTiming(position, `e${n}`)).toBe("later");
    expect([program.eventTiming(position, "e0"), program.eventTiming(position, "e99"), walked]).toEqual([
      "now",
      "unknown",
      0,
    ]);
  });

  test("is the same for every position, however many have been asked for", () => {
    const program = compile(chain);
    const { position } = begun(chain);
    for (let round = 0; round < 2; round++) {
      for (const [n, name] of names(size).entries()) {
        const at = { ...position, value: name, states: [name] };
        expect(program.eventTiming(at, `e${n}`)).toBe("now");
        expect(program.eventTiming(at, `e${(n + 1) % size}`)).toBe("later");
      }
    }
  });
});
