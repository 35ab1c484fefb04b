// Tests lost answers: the same claimant gets the same answer again, and other claimants do not.
import { describe, expect, it } from "vitest";
import type { ActionMessage } from "#schema/engine/message.ts";
import type { Result } from "#schema/refusal.ts";
import { action, machine, success } from "#test/support/drive.ts";
import { begin, openTestCell } from "./cell.ts";

const execution = "exe_1_p1";
const by = { message: "m1", delivery: 1, arrival: "a1" };
const steps = (timeout?: number) =>
  machine({
    lane: "queue",
    states: { a: { on: { "action.one.ok": "b" } }, b: { on: { "action.two.ok": "c" } }, c: { type: "final" } },
    actions: [action("one", { triggerState: "a" }), action("two", { triggerState: "b", timeout })],
  });

async function cellWith(timeout?: number) {
  const sent: { readonly queue: string; readonly message: ActionMessage }[] = [];
  const into = (queue: string) => async (messages: readonly ActionMessage[]) =>
    void sent.push(...messages.map((message) => ({ queue, message })));
  const cell = openTestCell({ sendActions: into("short"), sendSlowActions: into("slow") });
  await cell.take(begin(execution, steps(timeout)));
  return { cell, sent, calls: cell.calls() };
}

const claim = { execution, run: "1.0", attempt: 1, by };
const settlement = { ...claim, outcome: success(), takesNext: true };

const valueOf = <T>([answer]: readonly Result<T>[]): T | string =>
  answer?.ok ? answer.value : (answer?.refusal.code ?? "no answer");

describe("a repeated claim", () => {
  it("by the same claimant gets the same ticket", async () => {
    const { calls } = await cellWith();
    const ticket = valueOf(await calls.claimMany([claim]));
    expect(ticket).toMatchObject({ run: "1.0", attempt: 1 });
    expect(valueOf(await calls.claimMany([claim]))).toEqual(ticket);
  });

  it("by another claimant is refused, even within one call", async () => {
    const { calls } = await cellWith();
    const other = { ...claim, by: { ...by, arrival: "a2" } };
    const answers = await calls.claimMany([claim, other, claim]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe("a repeated settlement", () => {
  const settled = async () => {
    const { calls } = await cellWith();
    await calls.claimMany([claim]);
    return { calls, next: valueOf(await calls.settleMany([settlement])) };
  };

  it("by the same claimant gets the same next ticket", async () => {
    const { calls, next } = await settled();
    expect(next).toMatchObject({ next: { action: "two" } });
    expect(valueOf(await calls.settleMany([settlement]))).toEqual(next);
  });

  it.each([
    ["the message's next delivery", { ...by, delivery: 2, arrival: "a2" }],
    ["another message", { message: "m2", delivery: 1, arrival: "a2" }],
    ["an older version, which does not say who it is", undefined],
  ])("by %s brings none: it is stale", async (_who, other) => {
    const { calls } = await settled();
    const { by: _by, ...plain } = settlement;
    const again = { ...plain, ...(other ? { by: other } : {}) };
    expect(valueOf(await calls.settleMany([again]))).toBe("run_stale");
  });

  it("gets no ticket after the next run is settled", async () => {
    const { calls, next } = await settled();
    const { run = "", attempt = 0 } = (typeof next === "string" ? null : next.next) ?? {};
    await calls.settleMany([{ execution, run, attempt, by, outcome: success(), takesNext: true }]);
    expect(valueOf(await calls.settleMany([settlement]))).toBe("run_stale");
  });
});

describe("a message that is delivered again for a settled run", () => {
  const again = { ...claim, by: { message: "m1", delivery: 2, arrival: "a2" } };
  const brought = async () => {
    const { calls } = await cellWith();
    await calls.claimMany([claim]);
    const settled = valueOf(await calls.settleMany([settlement]));
    const { run = "", attempt = 0 } = (typeof settled === "string" ? null : settled.next) ?? {};
    return { calls, next: { execution, run, attempt } };
  };

  it("gets the later run that its first delivery claimed, and settles it", async () => {
    const { calls, next } = await brought();
    const ticket = valueOf(await calls.claimMany([again]));
    expect(ticket).toMatchObject({ action: "two", run: next.run, attempt: 1, possiblyRepeated: true });
    expect(valueOf(await calls.claimMany([again]))).toEqual(ticket);
    const done = { ...next, by: again.by, outcome: success(), takesNext: true };
    expect(valueOf(await calls.settleMany([done]))).toEqual({ next: null });
    expect(valueOf(await calls.claimMany([again]))).toBe("run_stale");
  });

  it("gets nothing if the first delivery still works on it", async () => {
    const { calls } = await brought();
    const doubled = { ...claim, by: { ...by, arrival: "a2" } };
    expect(valueOf(await calls.claimMany([doubled]))).toBe("run_stale");
  });
});

describe("a slow action", () => {
  it.each([
    [undefined, "short"],
    [50_000, "short"],
    [50_001, "slow"],
  ])("with a timeout of %s goes into the queue for %s ones", async (timeout, queue) => {
    const { calls, sent } = await cellWith(timeout);
    await calls.claimMany([claim]);
    await calls.settleMany([{ ...settlement, takesNext: false }]);
    expect(sent.map((each) => [each.queue, each.message.run, each.message.timeoutMs])).toEqual([
      ["short", "1.0", undefined],
      [queue, expect.any(String), timeout === 50_001 ? timeout : undefined],
    ]);
  });

  it.each([
    [false, null],
    [true, "two"],
  ])("is handed on to whoever settled the one before if that one takes slow ones: %s", async (takesSlow, action) => {
    const { calls, sent } = await cellWith(60_000);
    await calls.claimMany([claim]);
    const answer = valueOf(await calls.settleMany([{ ...settlement, takesSlow }]));
    expect(answer).toMatchObject({ next: action === null ? null : { action } });
    expect(sent).toHaveLength(action === null ? 2 : 1);
  });
});

it("a dead message does not fail a run that another delivery has claimed", async () => {
  const { cell, calls } = await cellWith();
  await calls.claimMany([claim]);
  await calls.undeliverable([{ execution, run: "1.0", attempt: 1, message: "m2" }]);
  expect(cell.read(execution)?.runs).toMatchObject([{ status: "running" }]);
  await calls.undeliverable([{ execution, run: "1.0", attempt: 1, message: "m1" }]);
  expect(cell.read(execution)?.runs).toMatchObject([{ status: "retry" }]);
});
