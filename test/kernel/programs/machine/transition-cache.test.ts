// The cache of transitions: a cached transition equals a computed one.
import { expect, test } from "vitest";
import { openWork } from "#kernel/computing/work.ts";
import { compile } from "#kernel/programs/compile.ts";
import type { Move, Program } from "#kernel/execution/program.ts";
import type { JsonObject } from "#schema/json.ts";
import { TRANSITIONS_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { machine } from "#test/support/drive.ts";
import { chanceOf } from "#test/sim/kit/chance.ts";
import { definitionOf, EVENTS, planOf } from "./random-machines.ts";

const at = { now: 0, planned: 0 };

function stepper(program: Program, variables: JsonObject) {
  const work = openWork();
  const scope = { execution: { variables } };
  return {
    begin: () => ({ move: program.begin(variables, scope, work, at), used: work.used }),
    react: (position: Parameters<Program["react"]>[0], type: string) => ({
      move: program.react(position, variables, type, scope, work, at),
      used: work.used,
    }),
  };
}

function positionOf(move: Move | null) {
  if (!move?.ok) throw new Error("it has moved");
  return move.position;
}

test.each([0, 100, 200])(
  "a machine that has been here before does what a new one does, at the same price (%i)",
  (first) => {
    let moves = 0;
    for (let seed = first; seed < first + 40; seed++) {
      const { between } = chanceOf(`known-${seed}`);
      const definition = definitionOf(planOf((sides) => between(0, sides - 1)));
      const warm = compile(definition);
      for (let incarnation = 0; incarnation < 4; incarnation++) {
        const variables = { x: between(0, 3), y: between(0, 3) };
        const begun = stepper(warm, variables).begin();
        expect(begun).toEqual(stepper(compile(definition), variables).begin());
        let { move } = begun;
        for (let n = 0; n < 12 && move?.ok && !move.position.done; n++) {
          const type = EVENTS[between(0, EVENTS.length - 1)] ?? "e0";
          const known = stepper(warm, move.variables).react(move.position, type);
          expect(known).toEqual(stepper(compile(definition), move.variables).react(move.position, type));
          moves += 1;
          move = known.move ?? move;
        }
      }
    }
    expect(moves).toBeGreaterThan(300);
  },
);

test("what a rule decides is asked anew each time", () => {
  const guard = { ">": [{ var: "execution.variables.n" }, 1] };
  const program = compile(machine({ states: { a: { on: { go: { target: "b", guard } } }, b: {} } }));
  const { position } = { position: positionOf(stepper(program, { n: 0 }).begin().move) };
  const takes = (n: number) => stepper(program, { n }).react(position, "go").move !== null;
  expect([takes(0), takes(2), takes(0), takes(2)]).toEqual([false, true, false, true]);
});

test("variables are not cached, and executions share no position object", () => {
  const program = compile(machine({ states: { a: { on: { go: "a" } } } }));
  const [one, other] = [stepper(program, { who: "ada" }).begin().move, stepper(program, { who: "eve" }).begin().move];
  expect(one).toMatchObject({ variables: { who: "ada" } });
  expect(other).toMatchObject({ variables: { who: "eve" } });
  expect(positionOf(one)).toEqual(positionOf(other));
  expect(positionOf(one)).not.toBe(positionOf(other));
});

test("a step with too small a budget fails at the exact place, cached or not", () => {
  const program = compile(machine({ states: { a: { on: { go: "b" } }, b: {} } }));
  const position = positionOf(stepper(program, {}).begin().move);
  const poor = () => program.react(position, {}, "go", {}, { ...openWork(), left: 10, used: STEP_WORK_MAX - 10 }, at);
  const first = poor();
  expect(first).toMatchObject({ ok: false, code: "too_costly" });
  expect(program.react(position, {}, "go", {}, openWork(), at)).toMatchObject({ ok: true });
  expect(poor()).toEqual(first);
});

test("names that are made up one by one do not fill the memory, and a long one is not kept at all", () => {
  const program = compile(machine({ states: { a: { on: { "*": "b" } }, b: {} } }));
  const position = positionOf(stepper(program, {}).begin().move);
  const types = Array.from({ length: TRANSITIONS_CACHED_MAX + 5 }, (_, n) => `e${n}`);
  for (const type of [...types, "long".repeat(1_000), "long".repeat(1_000), "e0"]) {
    expect(positionOf(stepper(program, {}).react(position, type).move).states).toEqual(["b"]);
  }
});
