// Tests the attempts collected from a journal: settled ones, unsettled ones, and those that failed before their first
// attempt.
import { expect, test } from "vitest";
import { attemptsIn, openAttemptCollection } from "#policy/advice/attempts-made.ts";
import { failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";

const stays = { a: { on: { x: "a" } } };
const policy = { retryPolicy: { maxAttempts: 2, baseDelay: 1_000 } };

test("each attempt is returned once with its config, outcome and duration", () => {
  const t = one({ ...policy, config: { to: "ada" } }, stays).claim("mail");
  t.settle("mail", { ...failure(), endedAt: T0 + 7 }).tickAt(second);
  t.claim("mail").settle("mail", success({ result: { id: 1 }, endedAt: T0 + 9 }));
  const run = t.run("mail").id;
  expect(attemptsIn(t.entries, openAttemptCollection())).toMatchObject([
    { run, attempt: 1, error: { message: "503" }, result: null, tookMs: 7, at: T0, config: { to: "ada" } },
    { run, attempt: 2, error: null, result: { id: 1 }, tookMs: 9, at: T0 + second, config: { to: "ada" } },
  ]);
});

test("an attempt without an outcome is returned with the error that ended it", () => {
  const t = one(policy, stays)
    .claim("mail")
    .tickAt(hour)
    .tickAt(hour + second)
    .claim("mail")
    .tickAt(2 * hour);
  expect(t.run("mail")).toMatchObject({ deadLetter: true, attempt: 2 });
  expect(attemptsIn(t.entries, openAttemptCollection())).toMatchObject([
    { attempt: 1, error: { type: "timeout" }, tookMs: null },
    { attempt: 2, error: { type: "timeout" }, tookMs: null },
  ]);
});

test("an attempt that could not be rendered is returned as attempt 0 without a config", () => {
  const t = one({ config: { to: "{{ execution.variables.nobody }}" } }, stays).claim("mail");
  expect(attemptsIn(t.entries, openAttemptCollection())).toMatchObject([
    { attempt: 0, error: { type: "invalid_configuration" }, config: null },
  ]);
});

test("fields missing in one page are taken from the earlier pages", () => {
  const t = one({ ...policy, config: { to: "ada" } }, stays).claim("mail");
  const before = t.entries.length;
  t.settle("mail", success()).tickAt(minute);
  const told = openAttemptCollection();
  expect(attemptsIn(t.entries.slice(0, before), told)).toEqual([]);
  expect(attemptsIn(t.entries.slice(before), told)).toMatchObject([{ attempt: 1, config: { to: "ada" } }]);
  expect(told.runs.get(t.run("mail").id)).toMatchObject({ action: "mail" });
});

test("an end recorded in two entries of one step is returned once, even if only the second entry is in the page", () => {
  const t = one({ retryPolicy: { maxAttempts: 1 } }, stays)
    .claim("mail")
    .settle("mail", failure());
  const cut = t.entries.findIndex(({ kind }) => kind === "run_failed");
  const told = openAttemptCollection();
  expect(attemptsIn(t.entries.slice(0, cut), told)).toHaveLength(1);
  expect(attemptsIn(t.entries.slice(cut), told)).toEqual([]);
});
