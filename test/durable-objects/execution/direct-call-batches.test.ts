// Tests that runs which start in one turn are sent together, and that each gets its own outcome.
import { expect, it } from "vitest";
import { openDirectCallBatches } from "#objects/execution/direct-call-batches.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { DIRECT_CALLS_PER_INVOCATION_MAX } from "#schema/limits/run-attempts.ts";
import { success } from "#test/support/drive.ts";

const ticket = (run: string, more: Partial<Ticket> = {}) => ({ run, ...more }) as Ticket; // these are all fields that the batches read
const said = (text: string) => success({ result: { text } });
const soon = () => new Promise(setImmediate);

/** A mock of the runner. `answer`: to a batch of several tickets. */
function sky(answer: (tickets: readonly Ticket[]) => Promise<BatchedResults>) {
  const alone: string[] = [];
  const together: (readonly string[])[] = [];
  const flyOff = openDirectCallBatches({
    run: async ({ run }, untilCalledOff) => {
      alone.push(run);
      await untilCalledOff?.();
      return said(run);
    },
    runBatch: (tickets) => {
      together.push(tickets.map(({ run }) => run));
      return answer(tickets);
    },
  });
  const fly = (leaving: Ticket, calledOff = new AbortController().signal) => flyOff(leaving, calledOff);
  return { fly, alone, together };
}

const allLand = async (tickets: readonly Ticket[]): Promise<BatchedResults> => ({
  landed: tickets.map(({ run }, at) => ({ at, outcome: said(run) })).toReversed(),
});

it("a single run is sent in an RPC of its own", async () => {
  const { fly, alone, together } = sky(allLand);
  expect(await fly(ticket("a"))).toEqual(said("a"));
  expect([alone, together]).toEqual([["a"], []]);
});

it("runs of one turn are sent together, and each gets its own outcome", async () => {
  const { fly, together } = sky(allLand);
  const outcomes = await Promise.all(["a", "b", "c"].map((run) => fly(ticket(run))));
  expect(outcomes).toEqual([said("a"), said("b"), said("c")]);
  expect(together).toEqual([["a", "b", "c"]]);
});

it("runs of the next turn are sent separately", async () => {
  const { fly, together } = sky(allLand);
  await Promise.all([fly(ticket("a")), fly(ticket("b"))]);
  await Promise.all([fly(ticket("c")), fly(ticket("d"))]);
  expect(together).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

it("too many runs for one invocation are spread evenly over several", async () => {
  const { fly, together, alone } = sky(allLand);
  const runs = Array.from({ length: 2 * DIRECT_CALLS_PER_INVOCATION_MAX + 1 }, (_, n) => `r${n}`);
  await Promise.all(runs.map((run) => fly(ticket(run))));
  expect(together.map((some) => some.length)).toEqual([5, 4, 4]);
  expect(together.flat()).toEqual(runs);
  expect(alone).toEqual([]);
});

it("a completed run is reported before the others, and the previous answer is disposed", async () => {
  let land: (landings: BatchedResults) => void = () => {};
  let isLetGo = false;
  const first = {
    landed: [{ at: 1, outcome: said("b") }],
    more: () => new Promise<BatchedResults>((resolve) => (land = resolve)),
    [Symbol.dispose]: () => void (isLetGo = true),
  };
  const { fly } = sky(async () => first);
  const known: string[] = [];
  void fly(ticket("a")).then(() => known.push("a"));
  void fly(ticket("b")).then(() => known.push("b"));
  await soon();
  expect(known).toEqual(["b"]);
  land({ landed: [{ at: 0, outcome: said("a") }] });
  await soon();
  expect([known, isLetGo]).toEqual([["b", "a"], true]);
});

it("a lost run rejects, and the others do not", async () => {
  const { fly } = sky(async () => ({
    landed: [
      { at: 0, lost: "Error: out of memory" },
      { at: 1, outcome: said("b") },
    ],
  }));
  const both = await Promise.allSettled([fly(ticket("a")), fly(ticket("b"))]);
  expect(both).toMatchObject([{ reason: new Error("Error: out of memory") }, { value: said("b") }]);
});

it("a failed invocation loses only its unanswered runs", async () => {
  const fault = new Error("the invocation exceeded its limits");
  const { fly } = sky(async () => ({ landed: [{ at: 0, outcome: said("a") }], more: () => Promise.reject(fault) }));
  const all = await Promise.allSettled(["a", "b", "c"].map((run) => fly(ticket(run))));
  expect(all).toMatchObject([{ value: said("a") }, { reason: fault }, { reason: fault }]);
});

it("a run that can be aborted is sent alone, and its runner is notified", async () => {
  const { fly, alone, together } = sky(allLand);
  const control = new AbortController();
  const flown = ["a", "b"].map((run) => fly(ticket(run, { mayBeCalledOff: true }), control.signal));
  control.abort();
  const late = fly(ticket("c", { mayBeCalledOff: true }), control.signal);
  expect(await Promise.all([...flown, late])).toEqual(["a", "b", "c"].map(said));
  expect([alone, together]).toEqual([["a", "b", "c"], []]);
});

it("a possibly repeated run is sent alone", async () => {
  const { fly, alone, together } = sky(allLand);
  const flown: readonly Promise<Outcome>[] = [
    fly(ticket("a")),
    fly(ticket("b", { possiblyRepeated: true })),
    fly(ticket("c")),
  ];
  await Promise.all(flown);
  expect([alone, together]).toEqual([["b"], [["a", "c"]]]);
});
