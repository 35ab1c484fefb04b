// Lost responses: passed deadlines, messages and objects that are lost and sent again, and direct calls that outlive a
// cancellation.
import { describe, expect, test } from "vitest";
import { SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import { action, ask, drive, failure, hour, minute, second, success } from "#test/support/drive.ts";
import { hears, one } from "#test/support/one-mail.ts";

describe("a deadline", () => {
  const overdue = 30 * second + SETTLE_GRACE_MS;

  test("that passes is a timeout, tried again under the same key", () => {
    const t = one().claim("mail");
    expect(t.wake).toBe(2 * second); // a busy execution is projected first
    expect(t.tickAt(overdue - 1).run("mail").status).toBe("running");
    expect(t.wake).toBe(overdue);
    expect(t.tickAt(overdue).run("mail")).toMatchObject({ status: "retry", error: { type: "timeout" } });
  });

  test("a late success wins as long as the next attempt has not begun: in backoff", () => {
    const t = one().claim("mail").tickAt(overdue);
    expect(t.take(ask.settle("1.0", 1, success())).at).toBe("sent");
  });

  test("a late success wins as long as the next attempt has not begun: sent", () => {
    const t = one()
      .claim("mail")
      .tickAt(overdue)
      .tickAt(overdue + second);
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 2 });
    t.take(ask.settle("1.0", 1, success()));
    expect(t.run("mail")).toMatchObject({ status: "ok", attempt: 2 });
    expect(t.refused(ask.claim("1.0", 2)).code).toBe("run_stale");
  });

  test("once the next attempt has begun, the earlier one is stale", () => {
    const t = one()
      .claim("mail")
      .tickAt(overdue)
      .tickAt(overdue + second)
      .claim("mail");
    expect(t.refused(ask.settle("1.0", 1, success())).code).toBe("run_stale");
  });

  test("a late failure changes nothing", () => {
    expect(
      one()
        .claim("mail")
        .tickAt(overdue)
        .refused(ask.settle("1.0", 1, failure())).code,
    ).toBe("run_stale");
  });

  test("of the last attempt ends the run permanently", () => {
    const t = one({ retryPolicy: { maxAttempts: 1 } })
      .claim("mail")
      .tickAt(overdue);
    expect(t.at).toBe("lost");
  });

  test("applies while paused and after the end as well", () => {
    expect(one().claim("mail").pause().tickAt(overdue).runs()).toEqual(["mail retry"]);
    expect(one().claim("mail").cancel().tickAt(overdue).runs()).toEqual(["mail canceled"]);
  });
});

describe("a message that was lost", () => {
  test("is sent again with growing gaps, the last one for ever", () => {
    const t = one().tickAt(2 * second);
    const sent: number[] = [];
    for (let looks = 0; looks < 20 && sent.length < 6; looks += 1) {
      const at = Number(t.wake);
      if (t.tickAt(at).effects.some(({ kind }) => kind === "dispatch")) sent.push(at / minute);
    }
    expect(sent).toEqual([1, 6, 21, 81, 141, 201]);
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 1, resends: 6 });
    expect(t.newLines()).toContain("run_resent 1.0 #1: not_claimed");
  });

  test("both copies may arrive: one is claimed", () => {
    const t = one().tickAt(minute).claim("mail");
    expect(t.refused(ask.claim("1.0", 1)).code).toBe("run_stale");
  });

  test("or that the queue gave up on counts as a failed attempt", () => {
    const t = one().take(ask.undeliverable("1.0", 1));
    expect(t.run("mail")).toMatchObject({
      status: "retry",
      error: { type: "service_unavailable", code: "undeliverable" },
    });
  });

  test("given up after it was claimed counts as well, after it moved on it does not", () => {
    const t = one()
      .take(ask.claim("1.0", 1, { message: "m1", delivery: 10, arrival: "b" }))
      .take(ask.undeliverable("1.0", 1, "m1"));
    expect(t.runs()).toEqual(["mail retry"]);
    expect(t.refused(ask.undeliverable("1.0", 1)).code).toBe("run_stale");
    expect(t.refused(ask.undeliverable("1.0", 2)).code).toBe("run_stale");
    expect(t.refused(ask.undeliverable("9.9", 1)).code).toBe("run_stale");
  });
});

describe("an object that went down with runs in its hands", () => {
  test("sends them again: same attempt, same key, known to be possibly repeated", () => {
    const t = one().claim("mail").take(ask.orphaned("1.0", "9.9"));
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 1, lane: "queue", deadlineAt: null });
    expect(t.newLines().at(-1)).toBe("run_resent 1.0 #1: object_restarted");
    expect(t.claim("mail").run("mail").attempts).toMatchObject([{ attempt: 1, possiblyRepeated: true }]);
  });

  test("a success of the lost flight is still welcome", () => {
    expect(
      one()
        .claim("mail")
        .take(ask.orphaned("1.0"))
        .take(ask.settle("1.0", 1, success())).at,
    ).toBe("sent");
    const t = one()
      .claim("mail")
      .take(ask.orphaned("1.0"))
      .pause()
      .take(ask.settle("1.0", 1, success()));
    expect(t.runs()).toEqual(["mail ok"]);
  });

  test("does nothing about runs that are not in flight, or while paused", () => {
    const t = one();
    const { seq } = t.state;
    expect(t.take(ask.orphaned("1.0")).state.seq).toBe(seq);
    expect(one().claim("mail").pause().take(ask.orphaned("1.0")).runs()).toEqual(["mail running"]);
  });
});

describe("after cancel", () => {
  test("what is in flight finishes, and its outcome is recorded without setting anything off", () => {
    const t = one().claim("mail").cancel();
    expect(t.runs()).toEqual(["mail running"]);
    t.newLines();
    expect(t.settle("mail", success()).newLines()).toEqual(["run_settled 1.0 #1", "run_ok 1.0 mail"]);
    expect([t.status, t.at]).toEqual(["canceled", "a"]);
  });

  test("a failure is not tried again", () => {
    expect(one().claim("mail").cancel().settle("mail", failure()).runs()).toEqual(["mail canceled"]);
  });

  test("history is kept while something is in flight", () => {
    const t = one({ timeout: 14 * minute })
      .claim("mail")
      .cancel()
      .tickAt(minute);
    expect(t.wake).toBe(14 * minute + SETTLE_GRACE_MS);
    expect(t.settle("mail", success()).wake).toBe(minute + 7 * 24 * hour);
  });
});

describe("what is sent again", () => {
  test("the gaps between messages begin anew with the next attempt", () => {
    const t = one()
      .tickAt(minute)
      .tickAt(6 * minute);
    t.miss("mail").tickAt(6 * minute + second);
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 2, resends: 0 });
    expect(t.tickAt(7 * minute + second).newLines()).toContain("run_resent 1.0 #2: not_claimed");
  });

  test("a message that is sent again goes through the queue, whichever way it went before", () => {
    const t = drive({ states: hears, actions: [action("mail", { triggerState: "a" })] }, 1).start();
    expect(t.run("mail").lane).toBe("direct");
    expect(t.tickAt(minute).run("mail").lane).toBe("queue");
  });

  test("attempts claimed by other consumers stay when one direct call is lost", () => {
    const actions = [action("mail", { triggerState: "a" }), action("text", { triggerState: "a" })];
    const t = drive({ concurrency: 2, states: hears, actions }).start().claim("mail").claim("text");
    expect(t.take(ask.orphaned(t.run("text").id)).runs()).toEqual(["mail running", "text queued"]);
  });
});
