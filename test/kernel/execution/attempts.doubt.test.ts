// After an attempt with unknown effect, every later attempt is marked as a possible repeat: a table of how the first
// attempt ended and how the second and third are marked.
import { describe, expect, it, test } from "vitest";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { ask, minute, T0 } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";

const retryPolicy = { maxAttempts: 4, backoffStrategy: "fixed", baseDelay: minute } as const;
const unknown = { type: "timeout", code: "deadline", effect: "unknown" } as const;
const marks = (t: ReturnType<typeof one>) => t.run("mail").attempts.map((each) => each.possiblyRepeated);

describe("after a first try that ended with", () => {
  it.each<[string, Partial<ActionError>, boolean]>([
    ["an unknown effect", { type: "service_unavailable", code: "http_502", effect: "unknown" }, true],
    ["no answer in time", unknown, true],
    ["no answer in time, said by a runner of before", { type: "timeout" }, true],
    ["a connection that broke, said by a runner of before", { type: "network_error" }, true],
    ["a permanently unknown effect", { type: "effect_unknown" }, true],
    ["no connection at all", { type: "network_error", code: "connection", effect: "none" }, false],
    ["a deadline that passed before it began", { type: "timeout", effect: "none" }, false],
    ["a refusal", { type: "rate_limit", code: "http_429" }, false],
  ])("%s: each of the next ones says so, or none", (_, error, isMarked) => {
    const t = one({ retryPolicy }).miss("mail", error).tickAt(minute).miss("mail", { type: "rate_limit" });
    t.tickAt(2 * minute).claim("mail");
    expect(marks(t)).toEqual([false, isMarked, isMarked]);
  });
});

test("a crash of the second try marks itself and the third", () => {
  const t = one({ retryPolicy }).miss("mail").tickAt(minute).claim("mail").take(ask.orphaned("1.0"));
  t.claim("mail").settle("mail", { ...lost, error: { type: "rate_limit", message: "", retryable: true } });
  t.tickAt(2 * minute).claim("mail");
  expect(marks(t)).toEqual([false, true, true]);
});

const lost: Extract<Outcome, { ok: false }> = {
  ok: false,
  error: { ...unknown, message: "", retryable: true },
  startedAt: T0,
  endedAt: T0,
};

test("a try that was held leaves nothing behind, for the one before it says enough", () => {
  const held = { reason: "rate_limited", until: T0 + 2 * minute, connection: "main" } as const;
  const t = one({ retryPolicy }).miss("mail", unknown).tickAt(minute).claim("mail");
  t.settle("mail", { ...lost, held });
  expect(marks(t)).toEqual([false]);
  expect(marks(t.tickAt(2 * minute).claim("mail"))).toEqual([false, true]);
});

test("a dead letter that was sent again says it as well", () => {
  const t = one({ retryPolicy: { maxAttempts: 1 } })
    .miss("mail", unknown)
    .take(ask.retry("1.0", { force: true }))
    .claim("mail");
  expect(marks(t)).toEqual([false, true]);
});

test("an abandoned message is in doubt if its attempt was claimed", () => {
  const error = (t: ReturnType<typeof one>) => t.take(ask.undeliverable("1.0", 1)).run("mail").error;
  const by = { message: "m1", delivery: 1, arrival: "a" };
  expect(error(one().take(ask.claim("1.0", 1, by)))).toMatchObject({ code: "undeliverable", effect: "unknown" });
  expect(error(one())).not.toHaveProperty("effect");
});
