// The claimant of an attempt in the queue lane, where responses are lost and messages are delivered again.
import { describe, expect, test } from "vitest";
import { runInResponseTo, carriedRunOf } from "#kernel/execution/attempts.ts";
import type { Claimant } from "#schema/engine/run.ts";
import { action, ask, drive, failure, second, success, T0 } from "#test/support/drive.ts";
import { hears, one } from "#test/support/one-mail.ts";

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

  test("is claimed again once, then waits for its deadline, because it may have crashed both consumers", () => {
    const t = claimed().take(ask.claim("1.0", 1, { ...by, delivery: 2, arrival: "b2" }));
    expect(t.refused(ask.claim("1.0", 1, { ...by, delivery: 3, arrival: "b3" })).code).toBe("run_stale");
  });

  test("is claimed again once although an earlier attempt is in doubt, because that one crashed no consumer", () => {
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
    ["no claimant", undefined],
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

test("the claimant of an attempt is removed with its end", () => {
  expect(claimed().settle("mail", success()).run("mail")).not.toHaveProperty("claimedBy");
  expect(claimed().settle("mail", failure()).run("mail")).not.toHaveProperty("claimedBy");
  const held = { until: T0 + second, reason: "rate_limited", connection: "c" } as const;
  const hold = { ...failure(), held } as ReturnType<typeof failure>;
  expect(claimed().settle("mail", hold).run("mail")).not.toHaveProperty("claimedBy");
});

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
  return t.take(ask.claim(t.run("thanks").id, 1, { ...by, after: "1.0#1" }));
};

describe("the run that a settlement brought", () => {
  test("is found again by the claimant that settled", () => {
    const t = brought();
    expect(runInResponseTo(t.state, { run: "1.0", attempt: 1, by })?.id).toBe(t.run("thanks").id);
  });

  test.each([
    ["another delivery", { run: "1.0", attempt: 1, by: { ...by, delivery: 2, arrival: "b2" } }],
    ["another settlement", { run: "1.0", attempt: 2, by }],
    ["another run's settlement", { run: "1.1", attempt: 1, by }],
  ])("is not found by %s", (_who, settlement) => {
    expect(runInResponseTo(brought().state, settlement)).toBe(null);
  });

  test("is not found where there was none, or where it is over", () => {
    expect(runInResponseTo(settled().state, { run: "1.0", attempt: 1, by })).toBe(null);
    expect(runInResponseTo(brought().settle("thanks", success()).state, { run: "1.0", attempt: 1, by })).toBe(null);
  });
});

describe("the run that a message carried when its consumer crashed", () => {
  const next = { message: "m1", delivery: 2, arrival: "b2" };
  const third = { message: "m1", delivery: 3, arrival: "b3" };
  const carried = () => brought().clock(second);

  test("is given to its next delivery, which may repeat it", () => {
    const t = carried().take(ask.claim("1.0", 1, next));
    expect(t.run("mail").status).toBe("ok");
    expect(t.run("thanks")).toMatchObject({
      status: "running",
      attempt: 1,
      claimedBy: { ...next, after: "1.0#1" },
      deadlineAt: T0 + 31 * second,
      attempts: [{ attempt: 1, possiblyRepeated: true }],
    });
    expect(carriedRunOf(t.state, next)?.id).toBe(t.run("thanks").id);
    expect([carriedRunOf(t.state, by), carriedRunOf(t.state, undefined)]).toEqual([null, null]);
  });

  test("is answered again where that answer is lost: nothing changes", () => {
    const t = carried().take(ask.claim("1.0", 1, next));
    const { state } = t;
    expect(t.take(ask.claim("1.0", 1, next)).state).toEqual(state);
  });

  test("is given once: what ended two consumers waits for its deadline", () => {
    const t = carried().take(ask.claim("1.0", 1, next));
    expect(t.refused(ask.claim("1.0", 1, third)).code).toBe("run_stale");
  });

  test.each<readonly [string, Claimant | undefined]>([
    ["the same delivery, doubled by the queue", { ...by, arrival: "b2" }],
    ["another message", { ...next, message: "m2" }],
    ["no claimant", undefined],
  ])("stays with its claimant when %s claims it", (_who, other) => {
    const t = carried();
    expect(t.refused(ask.claim("1.0", 1, other)).code).toBe("run_stale");
    expect(t.run("thanks")).toMatchObject({ claimedBy: by, attempts: [{ possiblyRepeated: false }] });
  });

  test("waits while paused, and ends if it is abandoned", () => {
    expect(
      carried()
        .pause()
        .refused(ask.claim("1.0", 1, next)).code,
    ).toBe("run_stale");
    const t = carried()
      .cancel()
      .take(ask.claim("1.0", 1, next));
    expect(t.run("thanks").status).toBe("canceled");
    expect(carriedRunOf(t.state, next)).toBe(null);
  });

  test("cannot be continued after it is settled, or by a message sent for the running attempt", () => {
    const t = carried().settle("thanks", success());
    expect(t.refused(ask.claim("1.0", 1, next)).code).toBe("run_stale");
    expect(carriedRunOf(claimed().state, by)).toBe(null);
  });
});

describe("what the queue gave up on", () => {
  test("fails if its own message holds it", () => {
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

  test("waits for its deadline if the claimant is unknown", () => {
    const t = one().claim("mail");
    expect(t.refused(ask.undeliverable("1.0", 1)).code).toBe("run_stale");
    expect(t.tickAt(35 * second).run("mail").error).toMatchObject({ type: "timeout" });
  });
});
