// Results that are credentials for a while: blotted out wherever many may read, and left alone everywhere else.
import { expect, test } from "vitest";
import { presentEntry } from "#wire/history/present-entry.ts";
import { presentRun } from "#wire/history/present.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Json } from "#schema/json.ts";
import { one } from "#test/support/one-mail.ts";
import { redactResult } from "#wire/short-lived.ts";

const url = "https://demo.docusign.net/Signing/7?slt=abc";
const view = { envelopeId: "e-1", url, expiresAt: "2026-01-15T12:05:00.000Z" };
const blotted = { ...view, url: "[redacted]" };
const at = { seq: 3, n: 1, at: Date.UTC(2026, 10, 18) };
const settled = (outcome: Outcome) =>
  presentEntry({ ...at, kind: "run_settled", run: "1.1", attempt: 1, outcome })["outcome"];

test("a signing page's address is not in the list of runs", () => {
  const { run } = one();
  const shown = presentRun("exe_1", { ...run("mail"), type: "docusign_recipient_view", result: view });
  expect(shown.result).toEqual(blotted);
});

test("nor in the journal, neither as result nor as event", () => {
  const events = [
    { type: "other", payload: { url } },
    { type: "recipient_view_created", payload: { ...view, actionId: "open" } },
  ];
  expect(settled({ ok: true, result: view, events, startedAt: 0, endedAt: 1 })).toMatchObject({
    result: blotted,
    events: [{ payload: { url } }, { payload: { ...blotted, actionId: "open" } }],
    startedAt: "1970-01-01T00:00:00.000Z",
  });
});

test("whatever else has an address shows it", () => {
  const events = [{ type: "webhook_called", payload: { url } }];
  expect(settled({ ok: true, result: { url }, events, startedAt: 0, endedAt: 1 })).toMatchObject({
    result: { url },
    events,
  });
  const error = { type: "timeout", message: "late", retryable: true };
  expect(settled({ ok: false, error, startedAt: 0, endedAt: 1 })).toMatchObject({ ok: false, error });
});

test.each<[string, Json]>([
  ["webhook", view],
  ["constructor", view],
  ["docusign_recipient_view", null],
  ["docusign_recipient_view", "gone"],
  ["docusign_recipient_view", { url: null }],
])("the result of %s %j is listed as it is", (type, result) => {
  expect(redactResult(type, result)).toEqual(result);
});
