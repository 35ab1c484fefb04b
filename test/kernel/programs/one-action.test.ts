// The engine's own machine for one action: every status, every end, the retry delays of the preset `reaction`, and
// which request gets the response of an earlier action.
import { retryPresets } from "#schema/definition/retry-presets.ts";
import { describe, expect, test } from "vitest";
import { actionOfDedupKey, oneActionProgram } from "#kernel/programs/one-action.ts";
import { oneActionFindings } from "#kernel/verify/actions.ts";
import { retryDelayMs } from "#kernel/execution/retries/retry.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import { actionStatus } from "#schema/engine/action-status.ts";
import type { Command } from "#schema/engine/input.ts";
import type { JsonObject } from "#schema/json.ts";
import { DEAD_LETTER_KEPT_MS } from "#schema/limits/run-attempts.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Dedup } from "#schema/definition/standalone.ts";
import { action, ask, day, driveProgram, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type More = Partial<ActionDefinition> & { readonly dedup?: Dedup };

function lone({ dedup, ...more }: More = {}, variables: JsonObject = {}) {
  const standalone = { action: action("call", { retryPolicy: "reaction", ...more }), dedup: dedup ?? null };
  const programs = [oneActionProgram(standalone), oneActionProgram(standalone)] as const;
  return driveProgram(programs, 0, { pooled: true, standalone }).start(variables);
}

type Lone = ReturnType<typeof lone>;
const seen = ({ state }: Lone) => [actionStatus(state), state.status];

const again = (part: { config?: JsonObject; variables?: JsonObject } = {}, inputId = "again"): Command => ({
  kind: "retry",
  run: "1.0",
  config: part.config ?? null,
  variables: part.variables ?? null,
  reason: null,
  inputId,
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
});

const archive: Command = {
  kind: "archive",
  run: "1.0",
  reason: null,
  inputId: "archive",
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
};

/** An action that fails permanently after all its attempts. */
function failed(more: More = {}): Lone {
  const t = lone({ retryPolicy: { maxAttempts: 1 }, ...more });
  return t.miss("call");
}

test("templates of an action that a recurring action has started read recurring_id and execution_time", () => {
  const config = { both: "{{recurring_id}} {{ execution_time }}" };
  const variables = { _recurring_id: "rec_1", execution_time: "2026-11-18T09:00:00Z" };
  expect(lone({ config }, variables).claim("call").run("call").config).toEqual({ both: "rec_1 2026-11-18T09:00:00Z" });
  const own = lone({ config, retryPolicy: { maxAttempts: 1 } }, { execution_time: "x" }).claim("call");
  expect(own.run("call")).toMatchObject({ status: "failed", error: { type: "invalid_configuration" } });
});

describe("statuses", () => {
  test.each<readonly [string, (t: Lone) => unknown, readonly [string, string], More]>([
    ["QUEUED: sent, and not claimed yet", () => {}, ["queued", "active"], {}],
    ["its own delay is ahead", () => {}, ["scheduled", "waiting"], { delay: "PT1H" }],
    ["the delay hangs on a variable that may yet come", () => {}, ["scheduled", "waiting"], hanging()],
    ["RUNNING: claimed by a consumer", (t) => t.claim("call"), ["running", "active"], {}],
    ["OK", (t) => t.ok("call"), ["ok", "completed"], {}],
    ["RETRY: it failed and will be tried again", (t) => t.miss("call"), ["retry", "waiting"], {}],
    ["FAILED: it waits for a person", (t) => t.miss("call", { retryable: false }), ["failed", "waiting"], {}],
    ["CANCELED", (t) => t.cancel(), ["canceled", "canceled"], {}],
    ["canceled with its delay ahead", (t) => t.cancel(), ["canceled", "canceled"], { delay: "PT1H" }],
    ["canceled between tries", (t) => t.miss("call").cancel(), ["canceled", "canceled"], {}],
    ["canceled under way: the try finishes", (t) => t.claim("call").cancel(), ["running", "canceled"], {}],
    ["its condition does not hold", () => {}, ["skipped", "completed"], { condition: { "==": [1, 2] } }],
    ["it is too late", () => {}, ["skipped", "completed"], { validUntil: "2026-01-01" }],
    ["it is disabled", () => {}, ["skipped", "completed"], { enabled: false }],
  ])("%s", (_what, happen, statuses, more) => {
    const t = lone(more);
    happen(t);
    expect(seen(t)).toEqual(statuses);
  });

  function hanging(): More {
    return { delay: { anchor: { var: "execution.variables.wedding" }, offset: "-P1D" } };
  }

  test("a variable that comes brings the delay that hangs on it", () => {
    const t = lone(hanging()).patch({ wedding: "2026-01-07" });
    expect([t.run("call").dueAt, seen(t)[0]]).toEqual([Date.UTC(2026, 0, 6), "scheduled"]);
  });

  test("a delay that is over sends it", () => {
    const t = lone({ delay: "PT1H" }).tickAt(hour);
    expect(seen(t)).toEqual(["queued", "active"]);
  });

  test("one held by its connection is queued", () => {
    const held = { reason: "rate_limited", until: T0 + minute, connection: "crm" } as const;
    const error = { type: "rate_limit", message: "held", retryable: true };
    const t = lone().claim("call");
    t.settle("call", { ok: false, error, held, startedAt: T0, endedAt: T0 });
    expect([t.run("call").status, seen(t)[0]]).toEqual(["scheduled", "queued"]);
  });

  test("one paused before its claim is queued", () => {
    const t = lone().pause();
    expect([t.run("call").status, seen(t)[0]]).toEqual(["scheduled", "queued"]);
  });

  test("before there is a run it is as good as queued", () => {
    expect(actionStatus({ runs: [], updatedAt: T0 })).toBe("queued");
  });
});

describe("the preset reaction", () => {
  const table = [
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 32],
    [8, 256],
    [9, 300],
    [20, 300],
  ] as const;

  test.each(table)("after try %s: %s s, 10 %% more or less, and never above 300 s", (attempt, seconds) => {
    const waits = [0, 0.5, 1].map((chance) => retryDelayMs(retryPresets.reaction, attempt, chance));
    expect(waits).toEqual([0.9, 1, 1.1].map((share) => Math.min(Math.floor(seconds * second * share), 300 * second)));
  });

  test("five tries, each wait from its own moment, and then a person", () => {
    const t = lone();
    const trace: (string | number)[] = [];
    for (let tries = 1; tries <= 5; tries++) {
      t.miss("call");
      const { status, dueAt, attempt } = t.run("call");
      trace.push(`${attempt} ${status}`);
      if (dueAt === null) break;
      const at = dueAt - T0;
      // Jitter is a tenth, either way.
      trace.push(1_000 * 2 ** Math.round(Math.log2((at - (t.state.updatedAt - T0)) / 1_000)));
      t.tickAt(at);
    }
    expect(trace).toEqual(["1 retry", 2_000, "2 retry", 4_000, "3 retry", 8_000, "4 retry", 16_000, "5 failed"]);
    expect(t.run("call")).toMatchObject({ deadLetter: true, attempts: { length: 5 } });
    expect([t.at, t.state.status]).toEqual(["failed", "waiting"]);
  });

  test.each<readonly [string, Partial<ActionError>]>([
    ["authentication", { type: "authentication_failed" }],
    ["authorization", { type: "authorization_failed" }],
    ["a bad request", { type: "malformed_request" }],
    ["a wrong configuration", { type: "invalid_configuration" }],
    ["nothing found", { type: "not_found", retryable: false }],
  ])("%s is not tried again", (_what, error) => {
    const t = lone().miss("call", error);
    expect([seen(t)[0], t.run("call").attempt]).toEqual(["failed", 1]);
  });
});

describe("a failed one", () => {
  test("that is sent again and done completes", () => {
    const t = failed();
    t.take(again()).ok("call");
    expect([seen(t), t.at]).toEqual([["ok", "completed"], "done"]);
    expect(t.run("call")).toMatchObject({ id: "1.0", attempt: 2, redriven: { times: 1, attemptsBefore: 1 } });
  });

  test("that fails again waits again", () => {
    const t = failed();
    t.take(again()).miss("call");
    expect([seen(t), t.at]).toEqual([["failed", "waiting"], "failed"]);
    t.take(again({}, "once more")).ok("call");
    expect(t.run("call")).toMatchObject({ status: "ok", redriven: { times: 2, attemptsBefore: 2 } });
  });

  test("that is sent again sends the same bytes, or what a person changed", () => {
    const config = { url: "https://example.com/{{ execution.variables.to }}" };
    const t = lone({ config, retryPolicy: { maxAttempts: 1 } }, { to: "a" }).miss("call");
    t.take(again()).miss("call");
    expect(t.run("call").config).toEqual({ url: "https://example.com/a" });
    t.take(again({ variables: { to: "b" }, config: { method: "PUT" } }, "edited")).claim("call");
    expect(t.run("call").config).toEqual({ url: "https://example.com/b", method: "PUT" });
    t.settle("call", success());
    expect(t.state.status).toBe("completed");
  });

  test("that has become late is skipped when it is sent again", () => {
    const t = failed({ maxLateness: "PT1H" })
      .clock(2 * hour)
      .take(again());
    expect([seen(t), t.at]).toEqual([["skipped", "completed"], "skipped"]);
  });

  test("that ends at once with `fail` can still be retried", () => {
    const t = failed({ onExhausted: "fail" });
    expect([seen(t), t.run("call").deadLetter]).toEqual([["failed", "failed"], true]);
    t.take(again()).ok("call");
    expect([seen(t), t.run("call").deadLetter]).toEqual([["ok", "failed"], false]);
  });

  test("that is archived is given up", () => {
    const t = failed().take(archive);
    expect([seen(t), t.at]).toEqual([["failed", "failed"], "given_up"]);
  });

  test("that no operator retries is given up", () => {
    const t = failed().tickAt(DEAD_LETTER_KEPT_MS);
    expect([seen(t), t.at, t.run("call").deadLetter]).toEqual([["failed", "failed"], "given_up", false]);
  });
});

describe("history", () => {
  test.each<readonly [string, More, number]>([
    ["a day", {}, day],
    ["a day, where the window is shorter", { dedup: { key: "k", windowMs: hour } }, day],
    ["as long as its window", { dedup: { key: "k", windowMs: 3 * day } }, 3 * day],
  ])("stays %s", (_what, more, kept) => {
    expect(Number(lone(more).ok("call").state.retainUntil) - T0).toBe(kept);
  });
});

describe("a later call counts as an action", () => {
  const dedup = { key: "invoice-7", windowMs: hour };

  test.each<readonly [string, More, string, number, boolean]>([
    ["within its window", { dedup }, "other", T0 + hour - 1, true],
    ["not at the window's end", { dedup }, "other", T0 + hour, false],
    ["after it, if it is the same call again", { dedup }, "start-1", T0 + 2 * hour, true],
    ["not without a dedup key", {}, "other", T0, false],
  ])("%s", (_what, more, inputId, now, expected) => {
    const { state } = lone(more);
    expect(actionOfDedupKey([state], inputId, now)).toBe(expected ? state : null);
  });

  test("never one of a definition's", () => {
    const { standalone: _none, ...state } = lone().state;
    expect(actionOfDedupKey([state], "other", T0)).toBeNull();
  });

  test("the one it asked for itself, before the one that has followed under the same key", () => {
    const { state: own } = lone({ dedup });
    const followed = { ...own, createdAt: T0 + 2 * hour, receipts: [] };
    expect(actionOfDedupKey([followed, own], "start-1", T0 + 2 * hour)).toBe(own);
  });

  test("the one whose window is open, in whatever order they are", () => {
    const { state: old } = lone({ dedup });
    const open = { ...old, createdAt: T0 + 2 * hour };
    for (const actions of [
      [open, old],
      [old, open],
    ])
      expect(actionOfDedupKey(actions, "other", T0 + 2 * hour)).toBe(open);
  });
});

test("errors are reported with their pointer", () => {
  const wrong = action("call", { delay: "tomorrow", condition: { no: 1 }, validUntil: { no: 1 }, config: { a: "{{" } });
  const found = oneActionFindings(wrong, null, "/here");
  expect(found.map(({ pointer }) => pointer)).toEqual([
    "/here/delay",
    "/here/condition",
    "/here/validUntil",
    "/here/config/a",
  ]);
  expect(found[0]?.hint).toEqual(naming("P3D"));
  expect(oneActionFindings(action("call"), null, "")).toEqual([]);
});

test("machines are kept by the action's name, and not without end", () => {
  const named = (actionId: string) => oneActionProgram({ action: action(actionId), dedup: null });
  const listens = named("first").react;
  expect(named("first").react).toBe(listens);
  for (let n = 0; n < 200; n++) named(`made-up-${n}`);
  expect(named("first").react).not.toBe(listens);
  expect(named("made-up-199").actions.get("made-up-199")?.actionId).toBe("made-up-199");
});

test("a start under the same key gets the action, and another body is refused", () => {
  const t = lone();
  const start = ask.start({}, { pooled: true });
  expect(t.take(start).repeated).toBe(true);
  expect(t.refused({ ...start, fingerprint: "g" } as Command).code).toBe("idempotency_conflict");
});
