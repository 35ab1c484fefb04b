// A failing collector: repeated after growing gaps. Also which observation the rules use meanwhile and after an action.
import { describe, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { action, failure, minute, second, success, T0 } from "#test/support/drive.ts";
import { lineOf } from "#test/support/journal-line.ts";
import { go, type Written } from "../../programs/reconciler/drive-reconciler.ts";
import { claim, dueAt, inHand, looks, seen, settle, type Looks } from "./collector.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("one that fails", () => {
  const failing = (t: Looks, outcome: Outcome = failure()) => {
    claim(t);
    settle(t, outcome);
  };

  test("is asked again after growing gaps, up to a limit, and told of once", () => {
    const t = looks({}, { backoff: { baseDelay: 1_000, multiplier: 3, maxDelay: "PT20S" } });
    const gaps: number[] = [];
    for (let now = 0, n = 0; n < 5; n += 1, now = dueAt(t)) {
      t.tickAt(now);
      failing(t);
      gaps.push(dueAt(t) - now);
    }
    expect(gaps).toEqual([1_000, 3_000, 9_000, 20_000, 20_000]);
    expect(t.entries.map(lineOf).filter((line) => line.startsWith("collector"))).toEqual([
      "collector_failed 1: service_unavailable",
    ]);
    expect(t.status).toBe("waiting");
  });

  test("by default waits 1, 2, 4 seconds, and a minute at most", () => {
    const t = looks();
    for (let n = 0; n < 8; n += 1) {
      failing(t);
      t.tickAt(dueAt(t));
    }
    expect(t.reconciling().collecting?.failures).toBe(8);
    failing(t);
    expect(dueAt(t)).toBe(183 * second + minute);
  });

  test("is recorded again when it fails with another error, and when it succeeds again", () => {
    const t = looks();
    failing(t, failure({ type: "network_error" }));
    t.tickAt(dueAt(t));
    failing(t, failure({ type: "rate_limit" }, { retryAfterMs: 30_000 }));
    expect(dueAt(t)).toBe(31 * second);
    t.tickAt(31 * second);
    seen(t, { go: 0 });
    expect(t.entries.map(lineOf).slice(2)).toEqual([
      "collector_failed 1: network_error",
      "collector_failed 2: rate_limit",
      "collector_recovered after 2",
      "observed r1",
    ]);
    expect(t.reconciling().collecting).toMatchObject({ failures: 0, error: null });
  });

  test("held by its connection has not failed", () => {
    const t = looks();
    const hold = (until: number): Outcome => ({
      ...(failure() as Extract<Outcome, { ok: false }>),
      held: { reason: "circuit_open", until, connection: "c" },
    });
    failing(t, hold(T0 + 9_000));
    expect([dueAt(t), t.reconciling().collecting?.failures]).toEqual([9_000, 0]);
    t.tickAt(9_000);
    failing(t, hold(T0));
    expect(dueAt(t)).toBeGreaterThan(9_000);
  });

  test.each([
    ["a text", "all is well", []],
    ["too much", { text: "x".repeat(OBSERVED_BYTES_MAX) }, [OBSERVED_BYTES_MAX]],
  ])("by %s is no observation", (_what, result, named) => {
    const t = looks();
    seen(t, result);
    expect(t.reconciling().observed).toBeNull();
    expect(t.reconciling().collecting?.error).toMatchObject({ code: "not_an_observation", message: naming(...named) });
  });

  test("for its rule, or its template, fails like any other", () => {
    const rule = looks({}, { observed: { "+": [{ var: "result.text" }, 1] } });
    seen(rule, { text: "no number" });
    expect(rule.reconciling().collecting?.error?.message).toMatch(/^\/collector\/observed: /);
    const template = looks({ actions: [action("look", { config: { url: "{{ nobody }}" } }), action("call")] });
    claim(template);
    expect(template.reconciling().collecting).toMatchObject({
      run: null,
      failures: 1,
      error: { type: "invalid_configuration" },
    });
  });

  test("prevents ticks once the observation is stale", () => {
    const t = looks({ states: { A: { rules: [{ when: { var: "desired.go" }, target: "B" }] }, B: {} } });
    seen(t, {});
    t.tickAt(5 * second);
    for (let n = 0; n < 5; n += 1) {
      failing(t);
      t.tickAt(dueAt(t));
    }
    expect(dueAt(t)).toBe(36 * second);
    t.desire({ go: 1 });
    t.tickAt(37 * second);
    expect(t.at).toBe("A");
    seen(t, {});
    t.tickAt(38 * second);
    expect(t.at).toBe("B");
  });
});

describe("after an action", () => {
  const done = (t: Looks) => {
    seen(t, { go: 1 });
    t.tickAt(second).clock(1_200).ok("call");
    return t;
  };

  test("it is observed at once, and rules wait for that: what was done is not done again for want of looking", () => {
    const t = done(looks());
    expect(inHand(t)).toMatchObject({ status: "queued", sentAt: T0 + 1_200 });
    t.tickAt(2 * second).tickAt(3 * second);
    expect(t.runs()).toEqual(["call ok"]);
    t.clock(3_500);
    seen(t, { go: 1 });
    t.tickAt(4 * second);
    expect(t.runs()).toEqual(["call ok", "call queued"]);
  });

  test("an observation that had begun before it is not enough", () => {
    const t = looks();
    seen(t, { go: 1 });
    t.tickAt(second).claim("call");
    t.tickAt(5 * second);
    claim(t);
    t.clock(5_500).settle("call", success());
    t.clock(5_800);
    settle(t, success({ result: { go: 1, n: 2 } }));
    expect(inHand(t)).toMatchObject({ status: "queued", sentAt: T0 + 5_800 });
    expect(t.tickAt(6 * second).runs()).toEqual(["call ok"]);
  });

  test("rules decide by what is known where the definition says so", () => {
    const t = done(looks({ afterAction: "decide" }));
    expect(t.tickAt(2 * second).runs()).toEqual(["call ok", "call queued"]);
  });

  test("rules may wait for an observation that is sent", () => {
    const sent: Written = {
      states: { A: { rules: [{ when: { var: "observed.go" }, emit: "call" }] } },
      actions: [action("call")],
      afterAction: "observe",
    };
    const t = go(sent);
    t.observe({ go: 1 });
    t.tickAt(second).clock(1_200).ok("call");
    expect(t.tickAt(2 * second).runs()).toEqual(["call ok"]);
    t.observe({ go: 1 });
    expect(t.tickAt(3 * second).runs()).toEqual(["call ok", "call queued"]);
  });
});
