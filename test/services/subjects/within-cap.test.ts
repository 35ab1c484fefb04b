// Attempts under a cap: one request for a slot, another to release it if nothing was sent, and nothing is sent without a slot.
import { describe, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { ENGINE_FAULT_HOLD_MS } from "#schema/limits/outgoing/connection-limits.ts";
import type { Subject } from "#schema/subject/calls.ts";
import type { TicketCap } from "#schema/subject/cap.ts";
import { withinCap } from "#services/subjects/within-cap.ts";
import { failure, hour, success, T0 } from "#test/support/drive.ts";
import { absentSubject, MemorySubjects } from "#test/support/memory/subjects.ts";

const cap: TicketCap = {
  name: "gentle",
  subject: "couple/1",
  max: 1,
  over: "wait",
  window: { kind: "rolling", ms: hour },
};
const ticket = (n: number, more: Partial<Ticket> = {}): Ticket => ({
  tenant: "acme",
  execution: `exe_${n}`,
  run: "1.0",
  attempt: 1,
  action: "mail",
  type: "email",
  config: {},
  idempotencyKey: `exe_${n}/1.0`,
  timeoutMs: 1_000,
  deadlineAt: T0,
  incarnation: T0,
  cap,
  ...more,
});

function world() {
  const subjects = new MemorySubjects(() => T0);
  const calls: string[] = [];
  const lines: object[] = [];
  const failing = new Set<keyof Subject>();
  const port = (name: string): Subject => {
    const object = subjects.subject(name);
    const noted = (method: "takeSlot" | "releaseSlot"): void => {
      calls.push(method);
      if (failing.has(method)) throw new Error("Network connection lost.");
    };
    const counted: Pick<Subject, "takeSlot" | "releaseSlot"> = {
      takeSlot: async (asked) => (noted("takeSlot"), object.takeSlot(asked)),
      releaseSlot: async (...asked) => (noted("releaseSlot"), object.releaseSlot(...asked)),
    };
    return { ...absentSubject, ...counted };
  };
  const deps = { subject: port, now: () => T0, log: (line: object) => void lines.push(line) };
  const sent: string[] = [];
  const carryOut = (one: Ticket, outcome: Outcome = success()) =>
    withinCap(deps, one, async () => (sent.push(one.execution), outcome));
  const used = async () => (await subjects.subject("acme/couple/1").read()).caps[0]?.used ?? 0;
  return { calls, lines, failing, sent, carryOut, used };
}

test("a run without a cap calls no object", async () => {
  const w = world();
  const { cap: _cap, ...free } = ticket(1);
  expect((await w.carryOut(free)).ok).toBe(true);
  expect(w.calls).toEqual([]);
});

test("a sent attempt costs one request, and uses its slot", async () => {
  const w = world();
  expect((await w.carryOut(ticket(1))).ok).toBe(true);
  expect([w.calls, await w.used()]).toEqual([["takeSlot"], 1]);
});

test.each<[string, TicketCap["over"], object]>([
  ["waits for the next slot", "wait", { held: { reason: "cap", until: T0 + hour, connection: null } }],
  ["is skipped", "skip", { skipped: "capped", nextAt: T0 + hour }],
])("an attempt above the cap %s, and is not sent", async (_name, over, expected) => {
  const w = world();
  await w.carryOut(ticket(1));
  expect(await w.carryOut(ticket(2, { cap: { ...cap, over } }))).toMatchObject({ ok: false, ...expected });
  expect(w.sent).toEqual(["exe_1"]);
});

test("a repeated run after an unknown effect does not count twice", async () => {
  const w = world();
  await w.carryOut(ticket(1), failure({ effect: "unknown" }));
  expect((await w.carryOut(ticket(1, { attempt: 2 }))).ok).toBe(true);
  expect([w.sent.length, await w.used()]).toEqual([2, 1]);
});

describe("a slot is released", () => {
  const held = (reason: string) => ({ ...failure(), held: { reason, until: T0, connection: "mail" } }) as Outcome;
  test.each<[string, Outcome, Partial<Ticket>, number]>([
    ["where its connection held it", held("rate_limited"), {}, 0],
    ["not where what it sent is under way", held("awaiting_receipt"), {}, 1],
    ["where nothing was sent", failure({ effect: "none" }), {}, 0],
    ["where its receiver said no", failure(), {}, 0],
    ["not where nobody knows", failure({ effect: "unknown" }), {}, 1],
    ["not where an attempt before it may have been sent", failure(), { possiblyRepeated: true }, 1],
    ["not where it was sent", success(), {}, 1],
  ])("%s", async (_name, outcome, more, used) => {
    const w = world();
    expect(await w.carryOut(ticket(1, more), outcome)).toEqual(outcome);
    expect(await w.used()).toBe(used);
  });

  test("not if an earlier attempt took it", async () => {
    const w = world();
    await w.carryOut(ticket(1), failure({ effect: "unknown" }));
    await w.carryOut(ticket(1), failure());
    expect(await w.used()).toBe(1);
  });
});

test("without an answer of the subject's object nothing is sent, and the run is held for some seconds", async () => {
  const w = world();
  w.failing.add("takeSlot");
  const until = T0 + ENGINE_FAULT_HOLD_MS;
  expect(await w.carryOut(ticket(1))).toMatchObject({ held: { reason: "unavailable", until, connection: null } });
  expect([w.sent, w.lines]).toMatchObject([[], [{ event: "cap_not_checked" }]]);
});

test("a slot that cannot be released does not change the outcome", async () => {
  const w = world();
  w.failing.add("releaseSlot");
  expect(await w.carryOut(ticket(1), failure())).toEqual(failure());
  expect([await w.used(), w.lines]).toMatchObject([1, [{ event: "slot_not_released" }]]);
});
