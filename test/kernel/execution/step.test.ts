// The entry point of the kernel: new inputs, repeated inputs, and the result of a step.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { openStep, scopeFor } from "#kernel/execution/current-step.ts";
import { step } from "#kernel/execution/step.ts";
import type { Command } from "#schema/engine/input.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OLDER_RECEIPTS_MAX, RECEIPTS_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, hour, machine, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };

describe("a start", () => {
  test("makes a state that holds what it was started with, over the definition's defaults", () => {
    const t = drive({ states, variables: { x: 1, y: 1 } }).start({ y: 2 });
    expect(t.state).toMatchObject({
      id: "exe_1",
      tenant: "acme",
      variables: { x: 1, y: 2 },
      seq: 1,
      createdAt: T0,
      status: "waiting",
    });
    expect(t.entries[0]).toMatchObject({
      kind: "started",
      definition: "sample@1",
      variables: { x: 1, y: 2 },
      seq: 1,
      n: 0,
      at: T0,
    });
  });

  test("repeated gets the same answer, and nothing happens", () => {
    const t = drive({ states }).start();
    const { state } = t;
    t.start();
    expect([t.repeated, t.effects, t.state]).toEqual([true, [], state]);
  });

  test("repeated with another body is a conflict", () => {
    expect(
      drive({ states })
        .start()
        .refused(ask.start({}, { fingerprint: "g" })),
    ).toMatchObject({ code: "idempotency_conflict", message: naming("start-1") });
  });

  test("of another request under the same id is refused", () => {
    expect(
      drive({ states })
        .start()
        .refused({ ...ask.start(), inputId: "start-2" } as Command),
    ).toMatchObject({ code: "already_exists", message: naming("exe_1", new Date(T0).toISOString()) });
  });

  test("is what comes first: nothing else finds an execution that was never started", () => {
    expect(drive({ states }).refused(ask.tick()).code).toBe("not_found");
  });
});

describe("an input that comes twice", () => {
  test("with another body is a conflict", () => {
    const t = drive({ states })
      .start()
      .take(ask.event("go", null, "e-1"));
    const other = { ...ask.event("go", 7, "e-1"), fingerprint: "g" } as Command; // a spread of a union
    expect(t.refused(other).code).toBe("idempotency_conflict");
  });

  test("is done once", () => {
    const t = drive({ states })
      .start()
      .take(ask.event("go", null, "e-1"));
    const { seq } = t.state;
    t.take(ask.event("go", null, "e-1"));
    expect([t.at, t.state.seq, t.repeated]).toEqual(["b", seq, true]);
  });

  test("is refused where a key still promised would have to be forgotten for it; a cancellation and what has no key are not", () => {
    const t = drive({ states: { a: { on: { x: { assign: { n: 1 } } } } } }).start();
    for (let n = 0; n < RECEIPTS_MAX; n++) t.take(ask.event("x", null, `e-${n}`));
    const [older] = t.state.olderReceipts ?? [];
    const digests = (older?.digests ?? "").repeat(OLDER_RECEIPTS_MAX);
    const full: ExecutionState = { ...t.state, olderReceipts: [{ until: T0 + 24 * hour, digests }] };
    const codeOf = (command: Command) => {
      const stepped = step(t.program, full, { ...command, now: T0, room: 0 });
      return stepped.ok ? null : stepped.refusal.code;
    };
    expect(codeOf(ask.event("x", null, "new"))).toBe("receipts_full");
    expect(codeOf(ask.pause())).toBe("receipts_full");
    expect(codeOf(ask.event("nowhere", null, "new"))).toBe("event_unknown");
    expect(codeOf({ ...ask.event("x"), unkeyed: true } as Command)).toBeNull(); // a spread of a union
    expect([codeOf(ask.cancel()), codeOf(ask.tick()), codeOf(ask.event("x", null, "e-0"))]).toEqual([null, null, null]);
  });

  test("is stored longer than later ones, and the start's permanently", () => {
    const t = drive({ states: { a: { on: { x: { assign: { n: 1 } } } } } }).start();
    for (let n = 0; n < RECEIPTS_MAX + 5; n++) t.take(ask.event("x", null, `e-${n}`));
    expect(t.state.receipts.length).toBe(RECEIPTS_MAX);
    expect(t.state.receipts.map(({ inputId }) => inputId).slice(0, 2)).toEqual(["start-1", "e-6"]);
    expect(t.start().repeated).toBe(true);
    const { seq } = t.state;
    expect(t.take(ask.event("x", null, "e-6")).state.seq).toBe(seq);
    expect(t.take(ask.event("x", null, "e-5")).state.seq).toBe(seq);
  });

  test("that was refused is not stored: it may be tried again", () => {
    const t = drive({ states }).start();
    expect(t.refused(ask.event("nowhere", null, "e-1")).code).toBe("event_unknown");
    expect(t.take(ask.event("go", null, "e-1")).at).toBe("b");
  });
});

describe("the numbers", () => {
  test("seq counts inputs that changed something; run ids come from it", () => {
    const t = drive({
      states,
      actions: [action("mail", { triggerState: "b" }), action("copy", { triggerState: "b" })],
    }).start();
    t.take(ask.tick()).event("go");
    expect(t.state.runs.map(({ id }) => id)).toEqual(["2.0", "2.1"]);
    expect(t.state.seq).toBe(2);
  });

  test("each start of an action has a trigger that its runs refer to", () => {
    const t = drive({
      states,
      actions: [action("mail", { triggerState: "a", cancelOnExit: false }), action("copy", { triggerState: "b" })],
    })
      .start()
      .event("go", 7);
    expect(t.state.triggers).toMatchObject([
      { message: null, previousState: null, currentState: "a" },
      { message: { type: "go", payload: 7 }, previousState: "a", currentState: "b" },
    ]);
  });
});

describe("the shape of a step", () => {
  test("same arguments, same bytes; what was given is left alone", () => {
    const program = compile(machine({ states }));
    const input = { ...ask.start({ n: 1 }), now: T0, room: 6 };
    const before = JSON.stringify(input);
    expect(JSON.stringify(step(program, null, input))).toBe(JSON.stringify(step(program, null, input)));
    expect(JSON.stringify(input)).toBe(before);
  });

  test("a refusal has nothing but its reason", () => {
    const program = compile(machine({ states }));
    expect(step(program, null, { kind: "tick", now: T0, room: 0 })).toEqual({
      ok: false,
      refusal: { code: "not_found", message: expect.any(String) },
    });
  });
});

const listening = machine({ states: { a: { on: { go: "b" } }, b: {} }, initial: "a" });
function started() {
  const execution = drive(listening);
  execution.take(ask.start());
  return execution.state;
}
const seen = { message: null, previousState: null, currentState: "a" };

test("each scope has the instants of its own step and of its own execution, whatever was evaluated before", () => {
  const state = started();
  const earlier = { ...state, createdAt: T0 - 1_000 };
  const scopes = [state, earlier, state].map((each, n) =>
    scopeFor(openStep(compile(listening), each, { now: T0 + n, room: 0 }), seen),
  );
  const spelled = scopes.map(({ execution, now }) => [(execution as { createdAt?: string }).createdAt, now]);
  expect(spelled).toEqual(
    [
      [T0, T0],
      [T0 - 1_000, T0 + 1],
      [T0, T0 + 2],
    ].map((pair) => pair.map((ms) => new Date(ms).toISOString())),
  );
});

test("nothing in a scope holds the step that it was made for", () => {
  const scope = scopeFor(openStep(compile(listening), started(), { now: T0, room: 0 }), seen);
  const parts = [scope, scope.execution as object];
  const getters = parts.flatMap((part) =>
    Object.values(Object.getOwnPropertyDescriptors(part)).filter(({ get }) => get),
  );
  expect(getters).toEqual([]);
});
