// Cases for rehearsals, with the codes of the recommendations. The texts are recorded in
// test/golden/sentences/advice.txt.
import { resolveRetry } from "#kernel/execution/retries/retry.ts";
import type { RehearsedAction } from "#policy/advice/recommend.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { JsonObject } from "#schema/json.ts";

const config: JsonObject = { url: "https://example.com" };

/** Returns a rehearsal without recommendations, with the given changes. */
export function rehearsed(over: Partial<RehearsedAction> = {}, action: Partial<ProgramAction> = {}): RehearsedAction {
  return {
    action: { actionId: "notify", type: "webhook", config, timeout: 10_000, ...action },
    policy: resolveRetry({ maxAttempts: 3, baseDelay: 1_000 }, "default"),
    repeats: { mode: "provider", windowMs: null },
    status: "ok",
    reason: null,
    error: null,
    attempts: [{ error: null, isRetried: false }],
    mockDelaysMs: [],
    bodyBytesMax: 100,
    assumed: [],
    unnamed: [],
    unsetSecrets: [],
    isQueueOnly: false,
    ...over,
  };
}

export const once = resolveRetry({ maxAttempts: 1 }, "default");
export const failedOnce = { status: "failed", attempts: [{ error: "timeout", isRetried: false }] } as const;
const misled = { type: "invalid_configuration", message: "there is no connection", retryable: false };
const critical = { priority: 95 };
export const written = (value: JsonObject) => ({ config: { ...config, ...value } });

export const rehearsedCases: readonly (readonly [
  what: string,
  over: Partial<RehearsedAction>,
  action: Partial<ProgramAction>,
  codes: string[],
])[] = [
  ["no problem", {}, {}, []],
  ["failed with attempts left", failedOnce, {}, ["becomes_dead_letter", "not_retried"]],
  ["failed with its last attempt", { ...failedOnce, policy: once }, {}, ["becomes_dead_letter", "never_retried"]],
  ["failed before its first attempt", { status: "failed", attempts: [] }, {}, ["becomes_dead_letter"]],
  [
    "failed although a retry was planned",
    { status: "failed", attempts: [{ error: "timeout", isRetried: true }] },
    {},
    ["becomes_dead_letter"],
  ],
  ["failed without an error", { status: "failed" }, {}, ["becomes_dead_letter"]],
  ["misconfigured", { status: "failed", error: misled }, {}, ["invalid_configuration", "becomes_dead_letter"]],
  [
    "misconfigured, with a code",
    {
      status: "failed",
      error: { ...misled, code: "connection_missing" },
      attempts: [{ error: misled.type, isRetried: false }],
    },
    {},
    ["connection_missing", "becomes_dead_letter"],
  ],
  ["failed otherwise", { status: "failed", error: { ...misled, type: "timeout" } }, {}, ["becomes_dead_letter"]],
  ["late", { status: "skipped", reason: "late" }, {}, ["out_of_time"]],
  ["no longer valid", { status: "skipped", reason: "no_longer_valid" }, {}, ["out_of_time"]],
  ["past", { status: "skipped", reason: "already_past" }, {}, ["out_of_time"]],
  ["unwanted", { status: "skipped", reason: "condition_false" }, {}, ["condition_false"]],
  ["off", { status: "skipped", reason: "disabled" }, {}, ["disabled"]],
  ["without a date", { status: "waiting", reason: "delay_unknown" }, {}, ["delay_unknown"]],
  ["cut short", { status: "waiting", reason: "rehearsal_ended" }, {}, ["rehearsal_ended"]],
  ["unset secrets", { unsetSecrets: ["a", "b"] }, {}, ["secret_missing"]],
  ["a plain-text key", {}, written({ headers: { a: [1, "fine", "Bearer SG.abcdefgh1234"] } }), ["secret_in_config"]],
  ["a private key", {}, written({ key: "-----BEGIN PRIVATE KEY-----" }), ["secret_in_config"]],
  ["plain words", {}, written({ note: null, text: "re: SG. sk_live_" }), []],
  ["http", {}, written({ url: "http://example.com" }), ["plain_http"]],
  ["no address", {}, { config: {} }, []],
  ["a receiver without idempotency keys", { repeats: { mode: "none" } }, {}, ["may_repeat"]],
  ["an action whose repeat is harmless", { repeats: { mode: "harmless" } }, {}, []],
  ["a provider without idempotency keys", { repeats: { mode: "none" } }, { type: "sms" }, ["may_repeat"]],
  [
    "a provider without idempotency keys, one attempt",
    { repeats: { mode: "none" }, policy: once },
    {},
    ["never_retried"],
  ],
  ["a moment", { policy: once }, { type: "delay" }, []],
  ["retries in time", {}, { maxLateness: "PT1M" }, []],
  ["retries too late", {}, { maxLateness: 2_500 }, ["retries_too_late"]],
  ["a slow mock", { mockDelaysMs: [5, 10_000] }, {}, ["timeout_too_short"]],
  ["a critical action", {}, critical, ["critical_without_plan"]],
  ["a mint", {}, { type: "blockchain_mint" }, ["critical_without_plan"]],
  ["a critical action with onExhausted", {}, { ...critical, onExhausted: "pause" }, []],
  ["a large body", { bodyBytesMax: 300_000 }, {}, ["large_body"]],
  ["an unnamed connection", { unnamed: ["sendgrid"] }, {}, ["connection_unnamed"]],
  ["a queue", { isQueueOnly: true }, {}, ["queue_only"]],
  ["assumed answers", { assumed: ["POST example.com"] }, {}, ["answers_assumed"]],
];
