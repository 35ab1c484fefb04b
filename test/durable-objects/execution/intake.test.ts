// Tests which inputs share a turn.
import { expect, it } from "vitest";
import { openIntake } from "#objects/execution/intake.ts";
import { GROUP_COMMIT_ACTIVE_MS, GROUP_COMMIT_MS } from "#schema/limits/executions.ts";
import { lone, openTestCell, start } from "./cell.ts";

function openTestIntake() {
  let now = 1_000;
  const turns: string[][] = [];
  const lately: number[] = [];
  let timers: (() => void)[] = [];
  const { submit } = openIntake<string, string>({
    now: () => now,
    executionsOf: (items) => items,
    runAfter: (_ms, work) => void timers.push(work),
    waitsForOthers: (calls) => lately.push(calls) > 0 && calls > 2,
    turn: (items) => {
      turns.push([...items]);
      return items.map((value) => ({ value }));
    },
  });
  return {
    turns,
    lately,
    submit: (...items: string[]) => Promise.all(submit(items)),
    pass: (ms: number): void => {
      now += ms;
      for (const work of timers.splice(0)) work();
      timers = [];
    },
  };
}

it("calls at nearly the same time share a turn, and get their answers after it", async () => {
  const intake = openTestIntake();
  await intake.submit("a");
  await intake.submit("b");
  const together = [intake.submit("c"), intake.submit("d", "e"), intake.submit("f")];
  expect(intake.turns).toEqual([["a"], ["b"]]);
  intake.pass(1);
  expect(await Promise.all(together)).toEqual([["c"], ["d", "e"], ["f"]]);
  expect(intake.turns.slice(2)).toEqual([["c", "d", "e", "f"]]);
});

it("several inputs for one execution do not make the turn wait", async () => {
  const intake = openTestIntake();
  for (const item of ["a", "a", "b", "a", "b"]) await intake.submit(item);
  expect(intake.lately).toEqual([1, 1, 2, 2, 2]);
});

it("an earlier interval does not count", async () => {
  const intake = openTestIntake();
  await intake.submit("d");
  await intake.submit("e");
  intake.pass(GROUP_COMMIT_ACTIVE_MS);
  void intake.submit("f");
  intake.pass(2 * GROUP_COMMIT_ACTIVE_MS);
  await intake.submit("g");
  expect(intake.lately).toEqual([1, 2, 3, 1]);
  expect(intake.turns).toEqual([["d"], ["e"], ["f"], ["g"]]);
});

it("a call with several executions waits for the rest of its batch", async () => {
  const intake = openTestIntake();
  const shares = [intake.submit("a", "b", "c"), intake.submit("d", "e"), intake.submit("f", "g")];
  expect(intake.turns).toEqual([]);
  intake.pass(1);
  await Promise.all(shares);
  expect(intake.turns).toEqual([["a", "b", "c", "d", "e", "f", "g"]]);
});

it.each([
  ["claims that a consumer brings wait for those of its other shares", { kind: "claim", run: "1.0", attempt: 1 }, 1],
  ["what is due together is together as it is, and waits for nobody", { kind: "tick" }, 0],
] as const)("%s", async (_, command, waits) => {
  let waited = 0;
  const cell = openTestCell({
    runAfter: (ms, work) => ((waited += ms === GROUP_COMMIT_MS ? 1 : 0), queueMicrotask(work)),
  });
  const lane = command.kind === "claim" ? { ...command, lane: "queue" as const } : command;
  await cell.take(
    ...["exe_1_p1", "exe_2_p1", "exe_3_p1"].map((execution) => ({ execution, command: lane, direct: true })),
  );
  expect(waited).toBe(waits);
});

it.each([
  [["exe_1_p1"], 0],
  [["exe_1_p1", "exe_2_p1"], 0],
  [["exe_1_p1", "exe_2_p1", "exe_3_p1"], 1],
])("of %j calls in quick succession wait for each other only where there is company", async (executions, waits) => {
  let waited = 0;
  const cell = openTestCell({
    runAfter: (ms, work) => {
      if (ms !== GROUP_COMMIT_MS) return;
      waited += 1;
      queueMicrotask(work);
    },
  });
  for (const execution of executions) await cell.take(start(execution, "s", lone(null)));
  for (let n = 0; n < 4; n++) {
    for (const execution of executions) await cell.take({ execution, command: { kind: "tick" }, direct: false });
  }
  expect(Math.min(waited, 1)).toBe(waits);
});
