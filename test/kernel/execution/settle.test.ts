// Runs during attempts: claimed, settled and retried.
import { describe, expect, test } from "vitest";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits/run-attempts.ts";
import { action, ask, drive, failure, second, success, T0 } from "#test/support/drive.ts";
import { hears, one } from "#test/support/one-mail.ts";

describe("a claim", () => {
  test("renders the configuration, freezes it, and sets the deadline", () => {
    const t = drive({
      states: hears,
      actions: [
        action("mail", {
          triggerState: "a",
          timeout: 10_000,
          config: { to: "{{ execution.variables.to }}", at: "{{ now }}" },
        }),
      ],
    })
      .start({ to: "ada@example.com" })
      .clock(second)
      .claim("mail");
    expect(t.run("mail")).toMatchObject({
      status: "running",
      config: { to: "ada@example.com", at: new Date(T0 + second).toISOString() },
      claimedAt: T0 + second,
      deadlineAt: T0 + 11 * second,
      attempts: [{ attempt: 1, lane: "queue", startedAt: T0 + second, endedAt: null, possiblyRepeated: false }],
    });
  });

  test("of a later attempt sends the same bytes, whatever has changed since", () => {
    const t = drive({
      states: hears,
      actions: [action("mail", { triggerState: "a", config: { to: "{{ execution.variables.to }}" } })],
    });
    t.start({ to: "ada@example.com" }).miss("mail").patch({ to: "eve@example.com" }).tickAt(second).claim("mail");
    expect(t.run("mail").config).toEqual({ to: "ada@example.com" });
    expect(
      t.entries.filter(({ kind }) => kind === "run_claimed").map((entry) => "config" in entry && entry.config),
    ).toEqual([{ to: "ada@example.com" }, null]);
  });

  test("that cannot be rendered ends the run: a template never gives an empty text", () => {
    const t = one({ config: { to: "{{ execution.variables.nobody }}" } }).claim("mail");
    expect(t.run("mail")).toMatchObject({
      status: "failed",
      deadLetter: true,
      error: { type: "invalid_configuration" },
    });
    expect(t.at).toBe("lost");
  });

  test("a second one of the same attempt is stale", () => {
    expect(one().claim("mail").refused(ask.claim("1.0", 1)).code).toBe("run_stale");
  });

  test("guards see the run in progress", () => {
    const t = one().claim("mail");
    expect(t.state.lastAction).toMatchObject({ inProgress: true, actionName: "mail", startedAt: T0, retries: 0 });
  });
});

describe("a settlement", () => {
  test("of success delivers the runner's events, then its result event", () => {
    const t = one(
      {},
      {
        a: { on: { email_sent: "b" } },
        b: { on: { "action.mail.ok": { target: "c", assign: { id: { var: "message.payload.result.id" } } } } },
        c: { type: "final" },
      },
    );
    t.ok("mail", { result: { id: 7 }, events: [{ type: "email_sent", payload: { to: "ada" } }], costEstimate: 0.5 });
    expect(t.state).toMatchObject({ status: "completed", variables: { id: 7 } });
    expect(t.run("mail")).toMatchObject({
      status: "ok",
      result: { id: 7 },
      costEstimate: 0.5,
      deadlineAt: null,
      error: null,
    });
    expect(t.state.lastAction).toMatchObject({ succeeded: true, inProgress: false });
  });

  test("that has no listener is recorded, and changes nothing", () => {
    const t = one({}, { a: { on: { go: "b" } }, b: {} });
    expect(t.ok("mail").at).toBe("a");
    expect(t.newLines().at(-1)).toBe("event_ignored action.mail.ok");
  });

  test("a second one changes nothing", () => {
    const t = one({}, { a: { on: { x: "a" } } }).ok("mail");
    expect(t.refused(ask.settle("1.0", 1, success())).code).toBe("run_stale");
    expect(t.refused(ask.settle("1.0", 1, failure())).code).toBe("run_stale");
    expect(t.refused(ask.settle("9.9", 1, success())).code).toBe("run_stale");
  });

  test("costs of all attempts add up; a missing price is not a price of zero", () => {
    const t = one().miss("mail");
    expect(t.run("mail").costEstimate).toBe(null);
    t.tickAt(second)
      .claim("mail")
      .settle("mail", failure({}, { costEstimate: 0.25 }))
      .tickAt(5 * second);
    expect(t.ok("mail", { costEstimate: 0.5 }).run("mail").costEstimate).toBe(0.75);
  });
});

describe("a failed attempt", () => {
  test("delivers the runner's events after its result event, if it is permanent", () => {
    const events = [{ type: "push_endpoint_gone", payload: { n: 7 } }];
    const assign = { id: { var: "message.payload.n" } };
    const t = one({}, { a: { on: { push_endpoint_gone: { target: "b", assign } } }, b: { type: "final" } })
      .claim("mail")
      .settle("mail", failure({ retryable: false }, { events }));
    expect(t.state).toMatchObject({ status: "completed", variables: { id: 7 } });
    expect(t.run("mail")).toMatchObject({ status: "failed", heard: { event: "push_endpoint_gone" } });
  });

  test("delivers no event before a retry", () => {
    const states = { a: { on: { push_endpoint_gone: "b" } }, b: {} };
    const events = [{ type: "push_endpoint_gone", payload: null }];
    const t = one({}, states).claim("mail").settle("mail", failure({}, { events }));
    expect([t.at, t.run("mail").status]).toEqual(["a", "retry"]);
  });

  test("waits out its backoff and is sent again as the next", () => {
    const t = one().miss("mail");
    expect(t.run("mail")).toMatchObject({
      status: "retry",
      attempt: 1,
      dueAt: T0 + second,
      error: { type: "service_unavailable" },
    });
    expect([t.status, t.wake]).toEqual(["waiting", second]);
    expect(t.state.lastAction).toMatchObject({ failed: false, errorMessage: "503" });
    t.tickAt(second);
    expect(t.effects).toContainEqual({ kind: "dispatch", run: "1.0", attempt: 2, priority: 0, lane: "queue" });
    expect(
      t
        .claim("mail")
        .run("mail")
        .attempts.map(({ attempt, nextAttemptAt }) => [attempt, nextAttemptAt]),
    ).toEqual([
      [1, T0 + second],
      [2, null],
    ]);
  });

  test("a provider's own wait wins when it is longer", () => {
    const t = one()
      .claim("mail")
      .settle("mail", failure({ type: "rate_limit" }, { retryAfterMs: 90_000 }));
    expect(t.wake).toBe(90 * second);
  });

  test("chance differs between runs of one step and is the same in a replay", () => {
    const retryPolicy = { jitter: "full", baseDelay: 10_000 } as const;
    const actions = [
      action("one", { triggerState: "a", timeout: 1, retryPolicy }),
      action("two", { triggerState: "a", timeout: 1, retryPolicy }),
    ];
    const waits = () => {
      const t = drive({ states: hears, concurrency: 2, actions }).start().claimAll().tickAt(10_000);
      return [t.run("one").dueAt, t.run("two").dueAt].map((at) => Number(at) - T0 - 10_000);
    };
    const [one, two] = waits();
    expect(one).not.toBe(two);
    expect(waits()).toEqual(waits());
  });

  test("the last of them is a dead letter, and the machine hears of it", () => {
    const t = one({ retryPolicy: { maxAttempts: 2, baseDelay: 1_000 } })
      .miss("mail")
      .tickAt(second)
      .miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "failed", deadLetter: true, attempt: 2, finishedAt: T0 + second });
    expect(t.effects).toEqual([{ kind: "project" }]);
    expect(t.at).toBe("lost");
    expect(t.state.lastAction).toMatchObject({ failed: true, retries: 1, errorMessage: "503" });
  });

  test("that cannot get better is not tried again", () => {
    expect(one().miss("mail", { type: "authentication_failed" }).run("mail").status).toBe("failed");
  });

  test("a dead letter is a wait too: for a person", () => {
    const t = one({ retryPolicy: { maxAttempts: 1 } }, { a: {} }).miss("mail");
    expect([t.status, t.wake]).toEqual(["waiting", DEAD_LETTER_KEPT_MS]);
  });
});

describe("a run whose state is left while it is in flight", () => {
  test("finishes, and a success is a success", () => {
    const t = one().claim("mail").event("leave").settle("mail", success());
    expect(t.run("mail").status).toBe("ok");
  });

  test("is not tried again", () => {
    const t = one()
      .claim("mail")
      .event("leave")
      .settle("mail", failure({}, { costEstimate: 2 }));
    expect(t.run("mail")).toMatchObject({
      status: "canceled",
      reason: "state_left",
      deadLetter: false,
      costEstimate: 2,
    });
  });

  test("is tried again where it said that it outlives its state", () => {
    const t = one({ cancelOnExit: false }).claim("mail").event("leave").settle("mail", failure());
    expect(t.run("mail").status).toBe("retry");
  });
});
