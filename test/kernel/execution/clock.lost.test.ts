// What nobody answers for: deadlines that pass, messages and objects that are lost, flights that outlive a cancel, answers
// that do not arrive.
import { describe, expect, test } from "vitest";
import { broughtBy } from "#kernel/execution/claimant.ts";
import { SETTLE_GRACE_MS } from "#schema/limits.ts";
import type { Claimant } from "#schema/engine/run.ts";
import { action, ask, drive, failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { hears, one } from "#test/support/one-mail.ts";

describe("a deadline", () => {
  const overdue = 30 * second + SETTLE_GRACE_MS;

  test("that passes is a timeout, tried again under the same key", () => {
    const t = one().claim("mail");
    expect(t.wake).toBe(2 * second); // the lists are told of a busy execution first
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

  test("a late failure tells nothing new", () => {
    expect(
      one()
        .claim("mail")
        .tickAt(overdue)
        .refused(ask.settle("1.0", 1, failure())).code,
    ).toBe("run_stale");
  });

  test("of the last attempt ends the run for good", () => {
    const t = one({ retryPolicy: { maxAttempts: 1 } })
      .claim("mail")
      .tickAt(overdue);
    expect(t.at).toBe("lost");
  });

  test("holds while paused and after the end as well: nobody waits for ever", () => {
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

const by: Claimant = { message: "m1", delivery: 1, arrival: "b1" };
const claimed = (part: Parameters<typeof one>[0] = {}) => one(part).take(ask.claim("1.0", 1, by));

describe("a claim whose answer was lost", () => {
  test("is answered again for the same delivery: nothing has changed, and nothing is said to be repeated", () => {
    const t = claimed().clock(second);
    const { state } = t;
    t.take(ask.claim("1.0", 1, by));
    expect(t.state).toEqual(state);
    expect(t.run("mail")).toMatchObject({ claimedBy: by, claimedAt: T0, attempts: [{ possiblyRepeated: false }] });
  });

  test("is answered again for the message's next delivery, which may repeat what the one before it did", () => {
    const t = claimed().clock(second);
    const next = { ...by, delivery: 2, arrival: "b2" };
    t.take(ask.claim("1.0", 1, next));
    expect(t.run("mail")).toMatchObject({
      status: "running",
      attempt: 1,
      claimedBy: next,
      deadlineAt: T0 + 31 * second,
      attempts: [{ attempt: 1, possiblyRepeated: true }],
    });
    expect(t.run("mail").attempts).toHaveLength(1);
  });

  test("is answered once more, and then waits for its deadline: it may be what ended both consumers", () => {
    const t = claimed().take(ask.claim("1.0", 1, { ...by, delivery: 2, arrival: "b2" }));
    expect(t.refused(ask.claim("1.0", 1, { ...by, delivery: 3, arrival: "b3" })).code).toBe("run_stale");
  });

  test("is answered once more though an earlier attempt is in doubt: that one ended no consumer", () => {
    const t = one()
      .miss("mail", { type: "timeout" })
      .tickAt(second)
      .take(ask.claim("1.0", 2, by));
    expect(t.run("mail").attempts.at(-1)).toMatchObject({ attempt: 2, possiblyRepeated: true });
    const next = { ...by, delivery: 2, arrival: "b2" };
    expect(t.take(ask.claim("1.0", 2, next)).run("mail")).toMatchObject({ status: "running", claimedBy: next });
    expect(t.refused(ask.claim("1.0", 2, { ...by, delivery: 3, arrival: "b3" })).code).toBe("run_stale");
  });

  test.each<readonly [string, Claimant | undefined]>([
    ["another message", { ...by, message: "m2", arrival: "b2" }],
    ["a later delivery of another message", { message: "m2", delivery: 2, arrival: "b2" }],
    ["the same delivery that arrives again, as a queue doubles it", { ...by, arrival: "b2" }],
    ["an earlier delivery", { ...by, delivery: 0, arrival: "b2" }],
    ["nobody in particular", undefined],
  ])("is not answered for %s", (_who, other) => {
    expect(claimed().refused(ask.claim("1.0", 1, other)).code).toBe("run_stale");
  });

  test("is not answered for the next delivery while it is paused: nothing goes out", () => {
    const t = claimed().pause();
    expect(t.refused(ask.claim("1.0", 1, { ...by, delivery: 2, arrival: "b2" })).code).toBe("run_stale");
  });

  test("is not answered any more once the attempt is settled", () => {
    expect(
      claimed()
        .settle("mail", success())
        .refused(ask.claim("1.0", 1, by)).code,
    ).toBe("run_stale");
  });

  test("is not answered for another attempt", () => {
    const t = claimed().settle("mail", failure()).tickAt(second).take(ask.claim("1.0", 2));
    expect(t.refused(ask.claim("1.0", 1, by)).code).toBe("run_stale");
    expect(t.refused(ask.claim("1.0", 2, by)).code).toBe("run_stale");
  });
});

test("whoever had an attempt in hand is forgotten with its end", () => {
  expect(claimed().settle("mail", success()).run("mail")).not.toHaveProperty("claimedBy");
  expect(claimed().settle("mail", failure()).run("mail")).not.toHaveProperty("claimedBy");
  const held = { until: T0 + second, reason: "rate_limited", connection: "c" } as const;
  const hold = { ...failure(), held } as ReturnType<typeof failure>;
  expect(claimed().settle("mail", hold).run("mail")).not.toHaveProperty("claimedBy");
});

describe("the run that a settlement brought", () => {
  const next = { ...by, after: "1.0#1" };
  const settled = () =>
    drive({
      states: hears,
      concurrency: 2,
      actions: [action("mail", { triggerState: "a" }), action("thanks", { triggerState: "sent" })],
    })
      .start()
      .take(ask.claim("1.0", 1, by))
      .settle("mail", success());
  const brought = () => {
    const t = settled();
    return t.take(ask.claim(t.run("thanks").id, 1, next));
  };

  test("is found again by whoever settled", () => {
    const t = brought();
    expect(broughtBy(t.state, { run: "1.0", attempt: 1, by })?.id).toBe(t.run("thanks").id);
  });

  test.each([
    ["another delivery", { run: "1.0", attempt: 1, by: { ...by, delivery: 2, arrival: "b2" } }],
    ["another settlement", { run: "1.0", attempt: 2, by }],
    ["another run's settlement", { run: "1.1", attempt: 1, by }],
  ])("is not found by %s", (_who, settlement) => {
    expect(broughtBy(brought().state, settlement)).toBe(null);
  });

  test("is not found where there was none, or where it is over", () => {
    expect(broughtBy(settled().state, { run: "1.0", attempt: 1, by })).toBe(null);
    expect(broughtBy(brought().settle("thanks", success()).state, { run: "1.0", attempt: 1, by })).toBe(null);
  });
});

describe("what the queue gave up on", () => {
  test("is a failure where its own message has it in hand", () => {
    expect(
      claimed()
        .take(ask.undeliverable("1.0", 1, "m1"))
        .run("mail").status,
    ).toBe("retry");
  });

  test("is left to the delivery of another message that is carrying it out", () => {
    const t = claimed();
    expect(t.refused(ask.undeliverable("1.0", 1, "m2")).code).toBe("run_stale");
    expect(t.run("mail").status).toBe("running");
  });

  test("is left to its deadline where nobody says whose it is", () => {
    const t = one().claim("mail");
    expect(t.refused(ask.undeliverable("1.0", 1)).code).toBe("run_stale");
    expect(t.tickAt(35 * second).run("mail").error).toMatchObject({ type: "timeout" });
  });
});
