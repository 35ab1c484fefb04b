// A hold is not a failure: the effect of a hold on its run, on other runs, and on the execution.
import { describe, expect, test } from "vitest";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { compile } from "#kernel/programs/compile.ts";
import { brokenInvariants } from "#kernel/invariants/invariants.ts";
import type { Program } from "#kernel/execution/program.ts";
import { step } from "#kernel/execution/step.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { Command } from "#schema/engine/input.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

const T = 1_000_000;
const actor = { kind: "engine", id: "test" } as const;

function action(actionId: string, more: Partial<ActionDefinition> = {}): ActionDefinition {
  return { actionId, type: "email", triggerState: "s", config: { to: "a@example.com" }, lane: "queue", ...more };
}

/** One execution in memory: takes inputs and shows its state. */
function execution(actions: ActionDefinition[], more: Partial<Definition> = {}) {
  const states = { s: { on: { leave: "t" } }, t: { on: { end: "done" } }, done: { type: "final" } } as const;
  const definition = { kind: "machine", name: "m", initial: "s", states, actions, ...more } as Definition;
  const program: Program = compile(definition);
  let state: ExecutionState | null = null;
  let inputs = 0;
  const journal: JournalEntry[] = [];
  const tell = (command: Command, at: number): void => {
    const input = { ...command, now: T + at, room: 0 };
    const before = state;
    const stepped = step(program, before, input);
    if (!stepped.ok) throw new Error(stepped.refusal.code);
    state = stepped.state;
    journal.push(...stepped.entries);
    expect(brokenInvariants({ program, before, input, ...stepped })).toEqual([]);
  };
  const now = (): ExecutionState => {
    if (state === null) throw new Error("not started");
    return state;
  };
  const control = (kind: "pause" | "resume" | "cancel", at: number) =>
    tell({ kind, inputId: `i${++inputs}`, fingerprint: "f", actor, reason: null }, at);
  const send = (type: string, at: number) => {
    const event = { id: `e${++inputs}`, type, payload: null, source: "test", correlationId: null };
    tell({ kind: "event", inputId: event.id, fingerprint: "f", actor, event }, at);
  };
  const definitionRef = { id: "def_1", name: "m", version: 1 };
  const start = {
    execution: "exe_1",
    tenant: "t",
    namespace: "default",
    definition: definitionRef,
    placement: "own",
    variables: {},
  } as const;
  tell({ kind: "start", inputId: "start", fingerprint: "f", actor, correlationId: null, ...start }, 0);
  return {
    run: (n: number) => now().runs[n],
    state: now,
    journal,
    program,
    control,
    send,
    tick: (at: number) => tell({ kind: "tick" }, at),
    claim: (n: number, at: number, attempt = 1) =>
      tell({ kind: "claim", run: now().runs[n]?.id ?? "", attempt, lane: "queue" }, at),
    settle: (n: number, outcome: Outcome, at: number, attempt = 1) =>
      tell({ kind: "settle", run: now().runs[n]?.id ?? "", attempt, outcome }, at),
    orphan: (n: number, at: number) => tell({ kind: "orphaned", runs: [now().runs[n]?.id ?? ""] }, at),
  };
}

function held(until: number): Outcome {
  const error = { type: "rate_limit", message: "not tried", retryable: true, code: "connection_held" };
  return {
    ok: false,
    error,
    held: { reason: "rate_limited", until: T + until, connection: "mail" },
    startedAt: T,
    endedAt: T,
  };
}
const ok: Outcome = { ok: true, result: null, events: [], startedAt: T, endedAt: T };
const down: Outcome = {
  ok: false,
  error: { type: "service_unavailable", message: "down", retryable: true },
  startedAt: T,
  endedAt: T,
};

describe("a held run", () => {
  test("says why and until when, wakes the execution then, and goes out as the same attempt", () => {
    const one = execution([action("mail")]);
    one.claim(0, 10);
    one.settle(0, held(5_000), 20);
    const hold = { reason: "rate_limited", until: T + 5_000, connection: "mail" };
    expect(one.run(0)).toMatchObject({
      status: "scheduled",
      attempt: 0,
      attempts: [],
      dueAt: T + 5_000,
      held: hold,
      deadlineAt: null,
    });
    expect(one.journal.at(-1)).toMatchObject({ kind: "run_held", attempt: 1, ...hold });
    expect(one.state()).toMatchObject({ status: "waiting", lastAction: { inProgress: false, failed: false } });
    expect(nextWake(one.state(), T + 20)).toBe(T + 5_000);
    one.tick(5_000);
    expect(one.run(0)).toMatchObject({ status: "queued", attempt: 1 });
    one.claim(0, 5_010);
    one.settle(0, ok, 5_020);
    expect(one.run(0)).toMatchObject({ status: "ok", attempts: [{ attempt: 1, possiblyRepeated: false }] });
  });

  test("may be held as often as it takes: no attempt is spent", () => {
    const one = execution([action("mail", { retryPolicy: { maxAttempts: 1 } })]);
    for (let n = 0; n < 50; n++) {
      one.claim(0, n * 100);
      one.settle(0, held(n * 100 + 50), n * 100);
      one.tick(n * 100 + 50);
    }
    expect(one.run(0)).toMatchObject({ status: "queued", attempt: 1 });
  });

  test("keeps its number of attempts behind it", () => {
    const one = execution([action("mail", { retryPolicy: { maxAttempts: 3, baseDelay: 100 } })]);
    one.claim(0, 0);
    one.settle(0, down, 0);
    one.tick(100);
    one.claim(0, 100, 2);
    one.settle(0, held(1_000), 110, 2);
    expect(one.run(0)).toMatchObject({ status: "scheduled", attempt: 1, attempts: [{ attempt: 1 }] });
    one.tick(1_000);
    expect(one.run(0)).toMatchObject({ status: "queued", attempt: 2 });
  });

  test("keeps no slot: others go on", () => {
    const two = execution([action("mail"), action("chat")]);
    two.claim(0, 0);
    two.settle(0, held(60_000), 10);
    expect(two.run(1)).toMatchObject({ status: "queued" });
    two.claim(1, 20);
    two.settle(1, ok, 30);
    two.tick(60_000);
    expect(two.run(0)).toMatchObject({ status: "queued" });
  });

  test("is bounded by lateness alone", () => {
    const one = execution([action("mail", { maxLateness: 1_000 })]);
    one.claim(0, 0);
    one.settle(0, held(2_000), 0);
    one.tick(2_000);
    expect(one.run(0)).toMatchObject({ status: "skipped", reason: "late" });
  });

  test("evaluates its condition again when it is released", () => {
    const condition = { "==": [{ var: "execution.variables.go" }, 1] };
    const one = execution([action("mail", { condition })], {
      variables: { go: 1 },
      states: { s: { on: { leave: "t" } }, t: { type: "final" } },
    });
    one.claim(0, 0);
    one.settle(0, held(1_000), 0);
    const wanting = (go: number) =>
      step(one.program, { ...one.state(), variables: { go } }, { kind: "tick", now: T + 1_000, room: 0 });
    const [stopped, gone] = [wanting(0), wanting(1)];
    expect(stopped.ok && stopped.state.runs[0]).toMatchObject({ status: "skipped", reason: "condition_false" });
    expect(gone.ok && gone.state.runs[0]).toMatchObject({ status: "queued" });
  });

  test.each([
    ["one that is over already comes back in a moment", -5_000, 20],
    ["a hold without end is checked every day", 9e12, 24 * 60 * 60_000],
  ])("%s", (_what, until, dueAt) => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.settle(0, held(until), 0);
    expect(one.run(0)).toMatchObject({ dueAt: T + dueAt });
  });
});

describe("a hold that comes when things have moved on", () => {
  test("its state was left: the run goes like any that has not started", () => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.send("leave", 1);
    one.settle(0, held(1_000), 2);
    expect(one.run(0)).toMatchObject({ status: "canceled", reason: "state_left" });
  });

  test("its state was left, and it wants to go all the same", () => {
    const one = execution([action("mail", { cancelOnExit: false })]);
    one.claim(0, 0);
    one.send("leave", 1);
    one.settle(0, held(1_000), 2);
    expect(one.run(0)).toMatchObject({ status: "scheduled" });
  });

  test("it belongs to no state", () => {
    const { triggerState: _, ...loose } = action("mail");
    const one = execution([loose as ActionDefinition], {
      states: { s: { entry: ["mail"], on: { leave: "t" } }, t: { on: { end: "s" } } },
    });
    one.claim(0, 0);
    one.send("leave", 1);
    one.settle(0, held(1_000), 2);
    expect(one.run(0)).toMatchObject({ status: "scheduled" });
  });

  test("is described by a nested state", () => {
    const states = {
      s: { initial: "a", states: { a: { on: { go: "b" } }, b: {} }, on: { leave: "t" } },
      t: { type: "final" as const },
    };
    const one = execution([action("mail")], { states });
    one.claim(0, 0);
    one.send("go", 1);
    one.settle(0, held(1_000), 2);
    expect(one.run(0)).toMatchObject({ status: "scheduled" });
  });

  test("the execution has ended", () => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.control("cancel", 1);
    one.settle(0, held(1_000), 2);
    expect(one.run(0)).toMatchObject({ status: "canceled", reason: "execution_canceled" });
  });

  test("the execution is paused: it goes on resuming, not before", () => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.control("pause", 1);
    one.settle(0, held(1_000), 2);
    one.tick(2_000);
    expect(one.run(0)).toMatchObject({ status: "scheduled" });
    one.control("resume", 3_000);
    expect(one.run(0)).toMatchObject({ status: "queued", attempt: 1 });
  });
});

describe("a delivery that was lost, and another of the same attempt that is held", () => {
  const lost = () => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.orphan(0, 10);
    one.claim(0, 20);
    one.settle(0, held(1_000), 30);
    return one;
  };

  test("what the first one did is still unknown, and the next one says so", () => {
    const one = lost();
    expect(one.run(0)).toMatchObject({ attempts: [{ attempt: 1, possiblyRepeated: true, endedAt: T + 30 }] });
    one.tick(1_000);
    one.claim(0, 1_010);
    expect(one.run(0)).toMatchObject({ attempts: [{ attempt: 1, possiblyRepeated: true, endedAt: null }] });
  });

  test("the first one's success is welcome", () => {
    const one = lost();
    one.settle(0, ok, 40);
    expect(one.run(0)).toMatchObject({ status: "ok" });
  });

  test("where nothing was lost, a settlement out of nowhere is not", () => {
    const one = execution([action("mail")]);
    one.claim(0, 0);
    one.settle(0, held(1_000), 10);
    expect(() => one.settle(0, ok, 20)).toThrow("run_stale");
    expect(() => one.settle(0, held(1_000), 20)).toThrow("run_stale");
  });
});
