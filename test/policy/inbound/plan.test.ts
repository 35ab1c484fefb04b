// Tests what a trigger's object does next: it delivers, then polls, then sleeps until its first instant.
import { expect, test } from "vitest";
import { planTrigger, type TriggerFacts } from "#policy/inbound/plan.ts";
import { DELIVERY_KEPT_MS } from "#schema/limits/inbound/deliveries.ts";

const NOW = 1_000;
const nothing: TriggerFacts = { dueAt: null, oldestAt: null, isTidy: true, alertAt: null, poll: null };
const ask = { seq: 1, generation: 1, cursor: null, validators: null };
const poll = { kind: "poll", ask } as const;
const asleep = { kind: "rest", at: null } as const;

test.each([
  ["no row is left", nothing, { kind: "forget" }],
  ["a delivery is due", { ...nothing, dueAt: NOW, oldestAt: 0, poll }, { kind: "hand_over" }],
  ["a page is due", { ...nothing, dueAt: NOW + 1, oldestAt: 0, poll }, poll],
  ["a delivery is due later", { ...nothing, dueAt: NOW + 5, oldestAt: 0 }, { kind: "rest", at: NOW + 5 }],
  ["deliveries are stored", { ...nothing, oldestAt: 7 }, { kind: "rest", at: 7 + DELIVERY_KEPT_MS }],
  ["old rows must be deleted", { ...nothing, oldestAt: 7, isTidy: false }, { kind: "rest", at: NOW }],
  ["an alert is due", { ...nothing, oldestAt: 7, alertAt: NOW + 3 }, { kind: "rest", at: NOW + 3 }],
  ["the poller polls later", { ...nothing, poll: { kind: "rest", at: NOW + 9 } }, { kind: "rest", at: NOW + 9 }],
  ["the poller is disabled", { ...nothing, poll: asleep }, asleep],
] as const)("%s", (_case, facts, plan) => {
  expect(planTrigger(facts, NOW)).toEqual(plan);
});
