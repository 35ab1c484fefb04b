// What the wire shows of the inside: instants in ISO 8601, credentials blotted out, nothing of the user's rewritten.
import { expect, test } from "vitest";
import { presentExecution } from "#wire/executions/present.ts";
import { presentEntry } from "#wire/history/present-entry.ts";
import { redact } from "#wire/redact.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { success, T0 } from "#test/support/drive.ts";
import { one } from "#test/support/one-mail.ts";

const at = { seq: 3, n: 1, at: Date.UTC(2026, 10, 18) };

test("instants of an entry are ISO 8601, wherever the engine put them", () => {
  const moves = [{ timer: "t", from: null, to: Date.UTC(2027, 0, 1) }];
  const actor = { kind: "root", id: "root" } as const;
  const patched = presentEntry({ ...at, kind: "patched", variables: { at: 5 }, moves, actor, reason: null });
  expect(patched).toMatchObject({
    at: "2026-11-18T00:00:00.000Z",
    moves: [{ timer: "t", from: null, to: "2027-01-01T00:00:00.000Z" }],
    variables: { at: 5 },
  });
});

test("an outcome's instants are told, and its result is left as the provider gave it", () => {
  const outcome: Outcome = { ok: true, result: { startedAt: 7 }, events: [], startedAt: 0, endedAt: 1 };
  const settled = presentEntry({ ...at, kind: "run_settled", run: "1.1", attempt: 1, outcome });
  expect(settled["outcome"]).toEqual({
    ok: true,
    result: { startedAt: 7 },
    events: [],
    startedAt: "1970-01-01T00:00:00.000Z",
    endedAt: "1970-01-01T00:00:00.001Z",
  });
});

test("states that a move names stay names", () => {
  expect(presentEntry({ ...at, kind: "moved", from: "a", to: "b", by: "go" })).toMatchObject({ from: "a", to: "b" });
});

test("credentials in a config are blotted out at any depth, other fields are not", () => {
  const config = {
    url: "https://example.com",
    headers: { Authorization: "Bearer abc", "X-Api-Key": "abc", Accept: "text/plain" },
    list: [{ password: "abc", author: "ada" }],
  };
  const shown = presentEntry({ ...at, kind: "run_claimed", run: "1.1", attempt: 1, config })["config"];
  expect(shown).toEqual(redact(config));
  expect(shown).toEqual({
    url: "https://example.com",
    headers: { Authorization: "[redacted]", "X-Api-Key": "[redacted]", Accept: "text/plain" },
    list: [{ password: "[redacted]", author: "ada" }],
  });
});

test.each([
  ["live", { a: { on: { x: "b" } }, b: { on: { x: "a" } } }, { for: "event" }],
  ["over", { a: { on: { x: "b" } }, b: { type: "final" as const } }, null],
])("an execution that is %s waits for a person as long as it has a dead letter", (_, states, besides) => {
  const dead = one({ retryPolicy: { maxAttempts: 1 } }, states)
    .miss("mail")
    .event("x");
  const { waitingFor } = presentExecution(dead.state);
  expect(waitingFor).toContainEqual({ for: "person", deadLetter: "dl_1.1.0", run: "1.0", action: "mail" });
  expect(waitingFor.at(-1)).toMatchObject(besides ?? { for: "person" });
});

test("an execution waits for nobody where its machine has taken care of the failure", () => {
  const states = { a: { on: { "action.mail.failed": "b" } }, b: { on: { x: "a" } } };
  const handled = one({ retryPolicy: { maxAttempts: 1 } }, states).miss("mail");
  expect(presentExecution(handled.state).waitingFor).toEqual([{ for: "event" }]);
});

test("an execution that has asked a person says which task it waits for, and when that is reminded of and escalated", () => {
  const states = { a: { on: { task_completed: "b" } }, b: { type: "final" as const } };
  const asking = one({ type: "task", config: { title: "Approve" } }, states).claim("mail");
  const forTask = (state: typeof asking.state) =>
    presentExecution(state).waitingFor.filter((each) => each.for === "task");
  expect(forTask(asking.state)).toEqual([]);
  const remind = { at: T0 + 60_000, everyMs: null, given: 0, left: 1 };
  const made = { run: "1.0", id: "tsk_1.1.0", isOpen: true };
  const watched = success({ tasks: [{ ...made, watch: { remind, escalateAt: null } }] });
  const { state } = asking.settle("mail", watched);
  const remindAt = "2026-01-05T09:01:00.000Z";
  expect(forTask(state)).toEqual([
    { for: "task", task: "tsk_1.1.0", run: "1.0", action: "mail", remindAt, escalateAt: null },
  ]);
  expect(presentExecution(state).wakeAt).toBe(remindAt);
  expect(forTask(asking.cancel().state)).toEqual([]);
});
