// Explained waits of a reconciler, and its predicted next entry.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import { presentExplanation } from "#wire/explanation/present.ts";
import { action, ask, failure, second, success, T0 } from "#test/support/drive.ts";
import { go, type Written } from "../programs/reconciler/drive-reconciler.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

const states = { A: { rules: [{ when: { var: "observed.go" }, emit: "call" }] } };
const plain: Written = { states, actions: [action("call")] };
const watched: Written = {
  states,
  actions: [action("call"), action("look", { timeout: 10_000 })],
  collector: { action: "look", every: "PT5S", staleAfter: "PT8S" },
};
type Go = ReturnType<typeof go>;
const known = (t: Go, clock = 0) =>
  explain({
    program: t.program,
    state: t.state,
    now: T0 + clock,
    suspended: false,
    recent: t.entries,
    quarantined: null,
  });
const says = (t: Go, clock = 0) => addSentences(known(t, clock)).waits.map(({ says: said }) => said);
const collected = (t: Go, outcome = success({ result: { go: 0 } })) => {
  const id = t.reconciling().collecting?.run?.id ?? "";
  t.take(ask.claim(id, 1)).take(ask.settle(id, 1, outcome));
  return t;
};

describe("a reconciler waits", () => {
  test("for its next look, an observation and another wish", () => {
    const t = go(plain);
    expect(known(t).waits.map(({ for: what, until }) => [what, until])).toEqual([
      ["tick", T0 + second],
      ["observation", null],
      ["desired", null],
    ]);
    expect(says(t)).toEqual([naming("2026-01-05T09:00:01.000Z"), naming(0, "observed.go"), naming(1)]);
    expect(
      addSentences(known(t)).waits.flatMap(({ can }) => can.map(({ method, path }) => `${method} ${path}`)),
    ).toEqual(["PUT /v1/executions/exe_1/observed", "PUT /v1/executions/exe_1/desired"]);
  });

  test("after its evaluation, for these two only: only a client can cause more", () => {
    const t = go(plain);
    t.tickAt(second);
    const { next, or, waits } = known(t, second);
    expect(waits.map(({ for: what }) => what)).toEqual(["observation", "desired"]);
    expect([next, ...or].map(({ by, kind }) => [by, kind])).toEqual([
      ["person", "observed"],
      ["person", "desired"],
    ]);
  });

  test("by its rules, each with the values that it reads", () => {
    const t = go(plain);
    t.observe({ go: 0 });
    const [, observation] = known(t).waits;
    expect(observation).toMatchObject({ revision: 1, observedAt: T0, isStale: false, fault: null });
    expect(observation).toMatchObject({
      guards: [{ at: "/states/A/rules/0/when", result: false, values: { "observed.go": 0 } }],
    });
  });

  test("until what it knows is too old", () => {
    const t = collected(go(watched));
    t.tickAt(second);
    expect(known(t, second).waits[0]).toMatchObject({ for: "observation", until: T0 + 8 * second, isStale: false });
    const [from, next, until] = ["00", "05", "08"].map((s) => `2026-01-05T09:00:${s}.000Z`) as [string, string, string];
    expect(says(t, second)[0]).toEqual(naming(from, 1, until, "look", next));
    expect(known(t, 8 * second).waits[0]).toMatchObject({ for: "observation", isStale: true, until: null });
    expect(says(t, 8 * second)[0]).toEqual(naming(from, "look"));
    expect(says(t, 8 * second)[0]).toEqual(notNaming(until));
  });

  test("for who observes, and knows how that is doing", () => {
    const t = go(watched);
    expect(known(t).waits[1]).toMatchObject({
      observedAt: null,
      isStale: true,
      collector: { action: "look", nextAt: null },
    });
    expect(says(t)[1]).toEqual(naming("look"));
    collected(t, failure());
    expect(known(t).waits[1]).toMatchObject({ collector: { failures: 1, error: { type: "service_unavailable" } } });
    expect(says(t)[1]).toEqual(naming("look", "2026-01-05T09:00:01.000Z", 1, "service_unavailable", 503));
    expect(JSON.stringify(presentExplanation(addSentences(known(t))).waits[1])).toContain(
      '"nextAt":"2026-01-05T09:00:01.000Z"',
    );
    expect(JSON.stringify(presentExplanation(addSentences(known(go(plain)))).waits[1])).toContain('"collector":null');
  });

  test("for an observation that its rules can use", () => {
    const t = go({ states: { A: { rules: [{ when: { "+": [{ var: "observed.n" }, 1] }, target: "B" }] }, B: {} } });
    t.observe({ n: "many" });
    t.tickAt(second);
    expect(known(t, second).waits[0]).toMatchObject({ fault: naming("/states/A/rules/0/when") });
    expect(says(t, second)[0]).toEqual(naming("/states/A/rules/0/when"));
  });

  test("for the action under way", () => {
    const t = go(plain);
    t.observe({ go: 1 });
    t.tickAt(second);
    expect(known(t, second).waits.map(({ for: what }) => what)).toEqual(["run", "observation", "desired"]);
  });

  test("for nothing of it once it has ended, and for no look while it is paused", () => {
    const t = go(plain);
    t.pause();
    expect(known(t).waits.map(({ for: what }) => what)).toEqual(["resume", "observation", "desired"]);
    t.cancel();
    expect(known(t).waits).toEqual([]);
  });
});

describe("what comes next", () => {
  test("is what the next look leads to", () => {
    const t = go(plain);
    t.observe({ go: 1 });
    expect(known(t).next).toMatchObject({ by: "time", at: T0 + second, kind: "decided" });
  });

  test("does not include the collector's run", () => {
    const t = collected(go(watched));
    const { next } = known(t);
    expect(next).toMatchObject({ by: "person", kind: "desired" });
    const id = (t.tickAt(5 * second), t.reconciling().collecting?.run?.id ?? "");
    t.take(ask.claim(id, 1));
    expect(known(t, 5 * second).next).toMatchObject({ by: "person", kind: "desired" });
  });
});
