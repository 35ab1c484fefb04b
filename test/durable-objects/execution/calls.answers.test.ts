// Tests that a list call answers each item: a failed item is refused in its place, and the others get their own
// answers.
import { expect, it } from "vitest";
import type { Calls } from "#objects/execution/calls.ts";
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import { action, ask, machine, second, success, T0 } from "#test/support/drive.ts";
import { actor, begin, openTestCell } from "./cell.ts";

const ids = ["exe_1_p1", "exe_2_p1", "exe_3_p1"] as const;
const [, poisoned] = ids;
const two = machine({
  states: {
    a: { on: { "action.first.ok": "b", go: "b" } },
    b: { on: { "action.second.ok": "c" } },
    c: { type: "final" },
  },
  actions: [
    action("first", { triggerState: "a", lane: "queue" }),
    action("second", { triggerState: "b", lane: "queue" }),
  ],
});
const starts = ids.map((id) => begin(id, two));
const first = ids.map((execution) => ({ execution, run: "1.0", attempt: 1 }));
const settlements = first.map((each) => ({ ...each, outcome: success() }));

type Line = { readonly [key: string]: unknown };

/** A cell in which a chosen step fails. Each step is inspected once, and the steps count from 0. */
function openBreakingCell() {
  const lines: Line[] = [];
  const messages: { readonly execution: string; readonly run: string }[] = [];
  let steps = Infinity;
  const cell = openTestCell({
    inspect: () => {
      steps -= 1;
      if (steps === -1) throw new Error("a mistake of ours");
    },
    log: (line) => void lines.push(line),
    sendActions: async (sent) => void messages.push(...sent),
  });
  return {
    ...cell,
    messages,
    breakStep: (n: number) => void (steps = n),
    failed: () => lines.filter(({ event }) => event === "item_failed"),
  };
}

async function begun() {
  const cell = openBreakingCell();
  await cell.take(...starts);
  cell.messages.length = 0;
  return cell;
}

async function claimed() {
  const cell = await begun();
  await cell.calls().claimMany(first);
  return cell;
}

type Begun = Awaited<ReturnType<typeof begun>>;
type Case = readonly [name: string, from: () => Promise<Begun>, call: (calls: Calls) => Promise<unknown>];

const cases: readonly Case[] = [
  [
    "start",
    async () => openBreakingCell(),
    (calls) => calls.start(starts.map(({ command, definition }) => ({ command, definition }) as never)),
  ],
  [
    "control",
    begun,
    (calls) =>
      calls.control(
        ids.map((execution) => ({
          execution,
          command: { kind: "pause", reason: null, inputId: execution, fingerprint: "f", actor },
          dryRun: false,
        })),
      ),
  ],
  ["claimMany", begun, (calls) => calls.claimMany(first)],
  ["settleMany", claimed, (calls) => calls.settleMany(settlements)],
  ["undeliverable", begun, (calls) => calls.undeliverable(first)],
  ["confirm", begun, (calls) => calls.confirm(ids.map((execution) => ({ execution, incarnation: T0, items: [] })))],
  ["poke", begun, (calls) => calls.poke(ids)],
];

it.each(cases)("%s: a failed item is refused in its place, logged, and changes nothing", async (_, from, call) => {
  const cell = await from();
  const before = cell.read(poisoned);
  cell.breakStep(1);
  expect(await call(cell.calls())).toMatchObject([
    { ok: true },
    { ok: false, refusal: { code: "internal_error", message: expect.stringContaining(poisoned) } },
    { ok: true },
  ]);
  expect(cell.failed()).toMatchObject([
    { level: "error", count: 1, executions: [poisoned], message: "Error: a mistake of ours" },
  ]);
  expect(cell.read(poisoned)).toEqual(before);
});

/** The other calls change nothing in this test, so they write nothing. */
const writing = cases.filter(([name]) => name !== "confirm" && name !== "poke");

it.each(writing)("%s: a commit that fails refuses each item, and is logged once", async (_, from, call) => {
  const cell = await from();
  cell.breaks(true);
  expect(await call(cell.calls())).toMatchObject(ids.map(() => ({ ok: false, refusal: { code: "internal_error" } })));
  expect(cell.failed()).toMatchObject([{ count: ids.length, executions: ids }]);
});

it("a failed dry run is refused, and other items are not", async () => {
  const cell = await begun();
  const command = { kind: "pause", reason: null, inputId: "p", fingerprint: "f", actor } as const;
  cell.restart();
  cell.cannotRead(poisoned);
  const answers = await cell.calls().control(ids.map((execution) => ({ execution, command, dryRun: true })));
  expect(answers).toMatchObject([{ ok: true }, { ok: false, refusal: { code: "internal_error" } }, { ok: true }]);
});

it("settlements beside a failed one get their next runs", async () => {
  const cell = await claimed();
  cell.breakStep(2);
  const answers = await cell.calls().settleMany(settlements.map((each) => ({ ...each, takesNext: true })));
  const next = (execution: string) => ({ ok: true, value: { next: { execution, action: "second" } } });
  expect(answers).toMatchObject([next(ids[0]), { ok: false, refusal: { code: "internal_error" } }, next(ids[2])]);
});

it("a settlement whose next claim fails is stored, and the next run is queued", async () => {
  const cell = await claimed();
  cell.breakStep(1);
  const [answer] = await cell.calls().settleMany(settlements.slice(0, 1).map((each) => ({ ...each, takesNext: true })));
  expect(answer).toEqual({ ok: true, value: { next: null } });
  expect(cell.read(ids[0])?.position.states).toEqual(["b"]);
  expect(cell.messages).toMatchObject([{ execution: ids[0] }]);
});

it("an item that fails half-way leaves nothing in the turn", async () => {
  const direct = machine({
    states: { a: { on: { go: "b" } }, b: {} },
    actions: [action("first", { triggerState: "b", lane: "direct" })],
  });
  const cell = openBreakingCell();
  await cell.take(begin(ids[0], direct));
  const before = cell.read(ids[0]);
  // The step of the event succeeds, and the claim of its run fails.
  cell.breakStep(1);
  const [answer] = await cell.take({ execution: ids[0], command: ask.event("go"), direct: true });
  expect(answer).toMatchObject({ ok: false, refusal: { code: "internal_error" } });
  expect(cell.read(ids[0])).toEqual(before);
});

it("a poke answers although the alarm cannot be set, and the cell is woken again", async () => {
  let isBroken = false;
  const cell = openTestCell({
    setAlarm: () => {
      if (isBroken) throw new Error("no alarm to be had");
    },
  });
  await cell.take(begin(ids[0], two));
  isBroken = true;
  cell.at(second);
  expect(await cell.calls().poke([ids[0], "exe_9_p1"])).toMatchObject([
    { ok: true, value: { id: ids[0] } },
    { ok: false, refusal: { code: "not_found" } },
  ]);
  expect(cell.armedAt()).toBe(T0 + second + ALARM_RETRY_AFTER_MS);
});

it("a fault of a subscriber does not fail the commit", async () => {
  const cell = openTestCell({
    publish: () => {
      throw new Error("an entry that nobody can present");
    },
  });
  expect(await cell.take(...starts)).toMatchObject(ids.map(() => ({ ok: true })));
});
