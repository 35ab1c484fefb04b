// Tests the outcome of a direct call in a busy cell: from its completion on, it is neither lost nor requested again.
import { expect, it } from "vitest";
import { DIRECT_RESULT_RETRY_GAPS_MS } from "#schema/limits/run-attempts.ts";
import { action, ask, failure, machine, minute, success } from "#test/support/drive.ts";
import { openBusyCell, type BusyCell } from "./busy-cell.ts";
import { begin } from "./cell.ts";

const id = "exe_1_p1";
/** Three calls are enough for the cell to be busy, so that inputs wait for each other. */
const names = ["one", "two", "three"];
const busy = machine({
  concurrency: names.length,
  states: { a: { on: { nudge: { assign: { nudged: true } } } } },
  actions: names.map((name) => action(name, { triggerState: "a", lane: "direct" })),
});
const final = failure({ retryable: false, type: "malformed_request", code: "400" });

async function aloft(): Promise<BusyCell> {
  const cell = openBusyCell();
  await cell.take({ ...begin(id, busy), direct: true });
  expect(cell.flights.map(({ ticket }) => ticket.action)).toEqual(names);
  return cell;
}

function runOf(cell: BusyCell, name: string) {
  const run = cell.read(id)?.runs.find(({ action: of }) => of === name);
  return run && { status: run.status, attempt: run.attempt, error: run.error?.code ?? run.error?.type ?? null };
}

it.each([
  ["an event", () => ask.event("nudge")],
  ["a patch", () => ask.patch({ x: 1 })],
  ["a tick", () => ask.tick()],
])(
  "a final failure that lands behind %s of its group is taken, and its action does not go out again",
  async (_, command) => {
    const cell = await aloft();
    const taken = cell.take({ execution: id, command: command(), direct: true });
    await cell.land("one", final);
    await cell.group();
    expect(await taken).toMatchObject([{ ok: true }]);
    expect(runOf(cell, "one")).toEqual({ status: "failed", attempt: 1, error: "400" });
    expect(cell.messages).toEqual([]);
  },
);

it("a completed call frees its slot for the run that its outcome starts", async () => {
  const cell = openBusyCell();
  const more = Array.from({ length: 24 }, (_, n) => action(`n${n}`, { triggerState: "a", lane: "direct" }));
  const on = { "action.n0.ok": "b" };
  await cell.take({
    ...begin(
      id,
      machine({
        concurrency: 32,
        initial: "a",
        states: { a: { on }, b: {} },
        actions: [...more, action("after", { triggerState: "b", lane: "direct" })],
      }),
    ),
    direct: true,
  });
  await cell.land("n0", success());
  await cell.group();
  expect(cell.flights.at(-1)?.ticket.action).toBe("after");
});

it("an outcome that could not be stored is retried, and its action is not sent again", async () => {
  const cell = await aloft();
  cell.breaks(true);
  await cell.land("one", success());
  await cell.group();
  cell.breaks(false);
  expect(runOf(cell, "one")).toMatchObject({ status: "running" });
  const taken = cell.take({ execution: id, command: ask.event("nudge"), direct: true });
  await cell.group();
  await taken;
  expect(cell.messages).toEqual([]);
  await cell.pass(DIRECT_RESULT_RETRY_GAPS_MS[0]);
  await cell.group();
  expect(runOf(cell, "one")).toEqual({ status: "ok", attempt: 1, error: null });
});

it("an outcome that can never be stored is dropped, and its attempt times out", async () => {
  const cell = await aloft();
  cell.breaks(true);
  await cell.land("one", success());
  await cell.group();
  for (const gap of DIRECT_RESULT_RETRY_GAPS_MS) {
    await cell.pass(gap);
    await cell.group();
  }
  expect(cell.logged("settle_failed")).toHaveLength(DIRECT_RESULT_RETRY_GAPS_MS.length + 1);
  await cell.pass(minute);
  expect(cell.logged("settle_failed")).toHaveLength(DIRECT_RESULT_RETRY_GAPS_MS.length + 1);
  cell.breaks(false);
  const woken = cell.wake();
  await cell.group();
  await woken;
  expect(runOf(cell, "one")).toMatchObject({ status: "retry", error: "timeout" });
});

it("the next input finds a lost call, and it is sent again as the same attempt", async () => {
  const cell = await aloft();
  await cell.lose("one");
  await cell.group();
  expect(runOf(cell, "one")).toMatchObject({ status: "queued", attempt: 1 });
  expect(cell.messages).toMatchObject([{ attempt: 1 }]);
});
