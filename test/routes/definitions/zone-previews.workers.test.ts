// Previews of machines and reconcilers whose windows, delays and schedules have a rule for their time zone: each subject
// has the rows of its own zone, and an unknown zone gives the fallback.
import { expect, test } from "vitest";
import { api, must, tenantWithKey } from "#test/support/api.ts";

const timezone = { rule: { var: "execution.variables.zone" }, fallback: "Europe/Zurich" };
const mail = { actionId: "mail", type: "webhook", config: { url: "https://example.com" } };
const atEleven = { offset: "P1D", at: "11:00", timezone };
const windows = { late: { from: "11:00", to: "12:00", timezone } };

const machine = (action: object, part: object = {}) => ({
  kind: "machine",
  name: "zoned",
  variables: { zone: "" },
  initial: "open",
  states: { open: { on: { close: "closed" } }, closed: { type: "final" } },
  actions: [{ ...mail, triggerState: "open", ...action }],
  ...part,
});
const reconciler = (action: object, part: object = {}) => ({
  kind: "reconciler",
  name: "zoned",
  variables: { zone: "" },
  initial: "A",
  states: { A: { rules: [{ when: { "!": { var: "action.actionName" } }, emit: "mail" }] } },
  actions: [{ ...mail, ...action }],
  ...part,
});

test.each<[string, object, string, string]>([
  ["a machine's window", machine({ window: "late" }, { windows }), "2026-11-17T02:00", "2026-11-16T10:00"],
  ["a machine's delay", machine({ delay: atEleven }), "2026-11-17T02:00", "2026-11-17T10:00"],
  ["a machine's schedule", machine({ schedule: "0 11 * * *", timezone }), "2026-11-17T02:00", "2026-11-16T10:00"],
  ["a reconciler's window", reconciler({ window: "late" }, { windows }), "2026-11-17T02:00", "2026-11-16T10:00"],
  ["a reconciler's delay", reconciler({ delay: atEleven }), "2026-11-17T02:00", "2026-11-17T10:00"],
])("%s", async (_what, definition, inTokyo, inZurich) => {
  const made = api();
  const { key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: definition }));
  const subjects = ["Asia/Tokyo", "Moon/Base"].map((zone) => ({ id: zone, variables: { zone } }));
  const body = { subjects, startAt: "2026-11-16T09:00:00Z", until: "2026-11-17T11:00:00Z" };
  const { rows } = (await must(200, made.ask("POST", "/v1/definitions/zoned/preview", { key, body }))).body;
  const first = (subject: string) => rows.find((row: { subject: string }) => row.subject === subject).at.slice(0, 16);
  expect([first("Asia/Tokyo"), first("Moon/Base")]).toEqual([inTokyo, inZurich]);
});
