// Several runs in one invocation: those that end together are told together, and nobody waits for the slowest.
import { expect, it } from "vitest";
import { runBatch } from "#entrypoints/batched-runs.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { success } from "#test/support/drive.ts";

const tickets = (...runs: readonly string[]) => runs.map((run) => ({ run }) as Ticket); // all that is looked at

function invocation(...runs: readonly string[]) {
  const ends = new Map<
    string,
    { readonly ok: (outcome: Outcome) => void; readonly breaks: (fault: unknown) => void }
  >();
  const timers: (() => void)[] = [];
  const answer = runBatch(
    tickets(...runs),
    ({ run }) => new Promise((ok, breaks) => ends.set(run, { ok, breaks })),
    (_ms, act) => {
      timers.push(act);
      return () => void timers.splice(timers.indexOf(act), 1);
    },
  );
  const told: BatchedResults[] = [];
  void answer.then((landings) => told.push(landings));
  return {
    answer,
    told,
    timers,
    ends: async (run: string) => {
      ends.get(run)?.ok(success());
      await new Promise(setImmediate);
    },
    breaks: async (run: string) => {
      ends.get(run)?.breaks(new Error("out of memory"));
      await new Promise(setImmediate);
    },
    waited: async () => {
      timers.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

const places = ({ landed }: BatchedResults) => landed.map(({ at }) => at);

it("all that ended are told in one answer, which is the last", async () => {
  const { ends, answer, timers } = invocation("a", "b");
  await ends("b");
  await ends("a");
  expect(await answer).toEqual({
    landed: [
      { at: 1, outcome: success() },
      { at: 0, outcome: success() },
    ],
  });
  expect(timers).toEqual([]);
});

it("who has landed waits for the others a moment, and no longer", async () => {
  const { ends, waited, told } = invocation("a", "b", "c");
  await ends("a");
  await ends("b");
  expect(told).toEqual([]);
  await waited();
  expect(told.map(places)).toEqual([[0, 1]]);
});

it("what lands while nobody asks is told to whoever asks next", async () => {
  const { ends, waited, answer } = invocation("a", "b", "c");
  await ends("a");
  await waited();
  const { more } = await answer;
  await ends("c");
  await ends("b");
  const last = await more?.();
  expect(last && [places(last), last.more]).toEqual([[2, 1], undefined]);
});

it("whoever asks for more before there is any hears of it when there is", async () => {
  const { ends, waited, answer } = invocation("a", "b");
  await ends("a");
  await waited();
  const { more } = await answer;
  const last = more?.();
  await ends("b");
  expect(places((await last) ?? { landed: [] })).toEqual([1]);
});

it("one that breaks is lost, and its neighbours are not", async () => {
  const { ends, breaks, answer } = invocation("a", "b");
  await breaks("a");
  await ends("b");
  expect((await answer).landed).toEqual([
    { at: 0, lost: "Error: out of memory" },
    { at: 1, outcome: success() },
  ]);
});
