// Cases for failed runs: whether a retry is safe, and the values that the reason names. The reasons are recorded in
// test/golden/sentences/advice.txt.
import { repeatSafety } from "#policy/advice/repeat-safety.ts";
import type { Attempt } from "#schema/engine/run.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { action, drive, hour, T0 } from "#test/support/drive.ts";

const { run: runOf } = drive({
  states: { a: { on: { x: "a" } } },
  actions: [action("mail", { triggerState: "a" })],
}).start();
const run = runOf("mail");

const tried = (part: Partial<Attempt>): Attempt => ({
  attempt: 1,
  lane: "queue",
  startedAt: T0,
  endedAt: T0 + 1,
  error: null,
  nextAttemptAt: null,
  possiblyRepeated: false,
  ...part,
});
const failed = (type: string, code?: string) =>
  tried({ error: { type, message: type, retryable: true, ...(code === undefined ? {} : { code }) } });

const none: IdempotencySupport = { mode: "none" };
const forEver: IdempotencySupport = { mode: "provider", windowMs: null };
const forADay: IdempotencySupport = { mode: "provider", windowMs: 24 * hour };

type RepeatCase = readonly [
  what: string,
  attempts: readonly Attempt[],
  repeats: IdempotencySupport,
  afterMs: number,
  safe: boolean,
  named: readonly (string | number)[],
];
export const repeatCases: readonly RepeatCase[] = [
  ["harmless, and lost", [failed("effect_unknown")], { mode: "harmless" }, 0, true, []],
  ["harmless, in doubt", [failed("timeout")], { mode: "harmless" }, 0, true, []],
  ["never sent", [], none, 0, true, []],
  ["refused each time", [failed("rate_limit", "http_429"), failed("malformed_request", "http_302")], none, 0, true, []],
  ["a timeout, no keys", [failed("timeout")], none, 0, false, [1, "timeout"]],
  ["a lost connection, no keys", [failed("network_error", "connection")], none, 0, false, [1, "connection"]],
  ["a gateway timeout, no keys", [failed("service_unavailable", "http_504")], none, 0, false, ["http_504"]],
  ["a crashed receiver, no keys", [failed("service_unavailable", "http_500")], none, 0, false, ["http_500"]],
  ["an unexpected success status, no keys", [failed("unknown_error", "http_202")], none, 0, false, ["http_202"]],
  ["an unavailable service, no keys", [failed("service_unavailable", "http_503")], none, 0, false, ["http_503"]],
  [
    "a refusal after a gateway error, no keys",
    [failed("x", "http_520"), failed("x", "http_404")],
    none,
    0,
    false,
    ["http_520"],
  ],
  [
    "an unavailable service, keys kept forever",
    [failed("service_unavailable", "http_503")],
    forEver,
    0,
    true,
    ["http_503"],
  ],
  ["sent twice, no keys", [tried({ possiblyRepeated: true })], none, 0, false, [1]],
  ["never ended, no keys", [tried({ endedAt: null })], none, 0, false, [1]],
  ["a timeout, keys kept forever", [failed("timeout")], forEver, 400 * 24 * hour, true, ["timeout"]],
  [
    "a timeout, keys kept for a day, within it",
    [failed("timeout")],
    forADay,
    24 * hour - 1,
    true,
    ["timeout", "2026-01-06T09:00:00.000Z"],
  ],
  [
    "a timeout, keys kept for a day, after it",
    [failed("timeout")],
    forADay,
    24 * hour,
    false,
    ["timeout", "2026-01-06T09:00:00.000Z"],
  ],
  [
    "sent twice within a day, the first attempt longer ago",
    [tried({ possiblyRepeated: true, startedAt: T0 + hour, firstStartedAt: T0 })],
    forADay,
    24 * hour,
    false,
    ["2026-01-06T09:00:00.000Z"],
  ],
  ["an unknown effect", [failed("effect_unknown", "nonce_lost")], forEver, 0, false, ["nonce_lost"]],
];

export function safetyIn([, attempts, repeats, afterMs]: RepeatCase) {
  return repeatSafety({ ...run, attempts }, repeats, T0 + afterMs);
}
