// Tests the groups in which the results of several runs are returned.
import { expect, it } from "vitest";
import { runBatch } from "#entrypoints/batched-runs.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { success } from "#test/support/drive.ts";

const tickets = (...runs: readonly string[]) => runs.map((run) => ({ run }) as Ticket); // the function reads only this field

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

it("if all runs have ended, one final group contains all results", async () => {
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

it("results wait briefly for further results, up to a limit", async () => {
  const { ends, waited, told } = invocation("a", "b", "c");
  await ends("a");
  await ends("b");
  expect(told).toEqual([]);
  await waited();
  expect(told.map(places)).toEqual([[0, 1]]);
});

it("results that arrive between two requests are returned by the next request", async () => {
  const { ends, waited, answer } = invocation("a", "b", "c");
  await ends("a");
  await waited();
  const { more } = await answer;
  await ends("c");
  await ends("b");
  const last = await more?.();
  expect(last && [places(last), last.more]).toEqual([[2, 1], undefined]);
});

it("a request before any result is answered when the first result arrives", async () => {
  const { ends, waited, answer } = invocation("a", "b");
  await ends("a");
  await waited();
  const { more } = await answer;
  const last = more?.();
  await ends("b");
  expect(places((await last) ?? { landed: [] })).toEqual([1]);
});

it("a run that throws is reported as lost, and the other runs are not affected", async () => {
  const { ends, breaks, answer } = invocation("a", "b");
  await breaks("a");
  await ends("b");
  expect((await answer).landed).toEqual([
    { at: 0, lost: "Error: out of memory" },
    { at: 1, outcome: success() },
  ]);
});
