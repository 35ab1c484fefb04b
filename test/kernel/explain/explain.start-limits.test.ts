// Explanations of an execution that waits for its place at a limit on starts.
import { expect, test } from "vitest";
import type { Confirmation } from "#schema/engine/outbox.ts";
import { drive, minute, T0, type Drive } from "#test/support/drive.ts";
import { answerOf, at } from "./world.ts";

const limit = [{ name: "per-customer", key: { var: "execution.variables.customer" }, concurrency: 1 }];
const states = { a: { on: { go: "b" } }, b: { type: "final" as const } };
const place = (t: Drive, answer: Extract<Confirmation, { kind: "start_place" }>["answer"]) =>
  t.take({ kind: "confirmed", incarnation: T0, items: [{ kind: "start_place", key: "1", answer, places: [] }] });
const started = () => drive({ states, limit }).start({ customer: "ada" });
const held = { limit: "per-customer", key: "ada", reason: "limit_concurrency", until: T0 + minute, ahead: 2 } as const;

test("the wait has the limit, the key, the executions before it, and the instant of the next request", () => {
  const t = place(started(), { kind: "held", ...held });
  const { waits, next, or } = answerOf(t, 0);
  expect(waits).toMatchObject([
    { for: "start_limit", by: "limit_concurrency", limit: "per-customer", key: "ada", ahead: 2, until: at(minute) },
  ]);
  expect(next).toMatchObject({ kind: "start_admitted", by: "limit", at: null, earliest: at(minute) });
  expect(or).toEqual([]);
});

test("before the first answer, the wait names the first limit", () => {
  const { waits, next } = answerOf(started(), 0);
  expect(waits).toMatchObject([{ for: "start_limit", by: null, limit: "per-customer", key: "ada", until: null }]);
  expect(next).toMatchObject({ kind: "start_admitted", earliest: null });
});

test("an admitted execution that is paused waits for its resume, and an ended one for nothing", () => {
  const t = place(started().pause(), { kind: "admitted" });
  expect(answerOf(t, 0).next).toMatchObject({ kind: "resumed", by: "person" });
  expect(answerOf(started().cancel(), 0).waits).toEqual([]);
  const skipped = { limit: "per-customer", key: "ada", reason: "rate_limited_by_key", nextAt: null } as const;
  const ended = place(started(), { kind: "skipped", ...skipped });
  expect(answerOf(ended, 0).ended).toMatchObject({ status: "canceled", reason: "rate_limited_by_key" });
});
