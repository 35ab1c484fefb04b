// Verbs for one run, node, timer or wait of an execution, over HTTP.
import { describe, expect, test } from "vitest";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const machine = {
  kind: "machine",
  name: "notice",
  initial: "notice",
  states: {
    notice: {
      on: { "action.letter.ok": "told", "action.letter.skipped": "silent", withdrawn: "silent" },
      after: { P1D: "silent" },
    },
    told: { on: { done: "silent" } },
    silent: { on: { again: "notice" } },
  },
  actions: [
    {
      actionId: "letter",
      type: "webhook",
      triggerState: "notice",
      delay: "PT1H",
      config: { url: "https://example.com" },
    },
  ],
};
const journey = {
  kind: "journey",
  name: "signing",
  initial: "wait",
  nodes: {
    wait: { type: "wait", for: [{ event: "signed", assign: { by: { var: "message.payload.by" } } }], next: "pause" },
    pause: { type: "delay", for: "P1D", next: "rest" },
    rest: { type: "wait", for: [{ event: "never" }] },
  },
};

async function running(definition: object & { name: string }) {
  const made = api();
  const { key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: definition }));
  const started = await must(201, made.ask("POST", "/v1/executions", { key, body: { definition: definition.name } }));
  const at = `/v1/executions/${started.body.execution.id}`;
  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    made.ask("POST", at + path, { key, headers, body });
  const get = (path: string) => made.ask("GET", at + path, { key });
  const [run] = (await must(200, get("/runs"))).body.data;
  return { made, key, ask, get, run: run?.id as string };
}

describe("a run", () => {
  test("is given up with cancel-action: first in a dry run, then with If-State", async () => {
    const { ask, get, run } = await running(machine);
    const planned = await must(200, ask("/cancel-action?dryRun=true", { run }));
    expect(planned.body.would.entries[0]).toMatchObject({ kind: "action_canceled", run });
    expect((await must(409, ask("/cancel-action", {}, { "If-State": "told" }))).body.code).toBe("state_changed");
    const canceled = await must(200, ask("/cancel-action", { reason: "no answer" }, { "If-State": "notice" }));
    expect(canceled.body.execution.states).toEqual(["silent"]);
    const [found] = (await must(200, get("/runs"))).body.data;
    expect(found).toMatchObject({ status: "canceled", reason: "canceled_by_operator" });
    expect((await must(400, ask("/cancel-action", { run, action: "letter" }))).body.code).toBe("invalid_input");
    expect((await must(409, ask("/cancel-action", { run }))).body.code).toBe("verb_not_applicable");
  });

  test("is held and released, and shows the actor of the hold", async () => {
    const { ask, get, run } = await running(machine);
    const held = await must(200, ask("/hold", { run, reason: "wrong price" }));
    expect(held.body.execution.runs).toEqual({ scheduled: 1 });
    const { body } = await must(200, get("/runs"));
    expect(body.data[0]).toMatchObject({
      dueAt: null,
      heldByOperator: { since: "2026-11-18T12:00:00.000Z", reason: "wrong price", dueAt: "2026-11-18T13:00:00.000Z" },
    });
    const explained = await must(200, get("/explain"));
    expect(explained.body.waits[0].says).toMatch(namingPattern(run, "letter", "2026-11-18T12:00:00.000Z", "key:"));
    expect(explained.body.waits[0].can).toMatchObject([{ verb: "release", body: { run } }]);
    await must(200, ask("/release", { run }));
    expect((await must(200, get("/runs"))).body.data[0].heldByOperator).toBeNull();
  });

  test("is rescheduled, and not into the past", async () => {
    const { ask, run } = await running(machine);
    const moved = await must(200, ask("/reschedule", { run, at: "2026-11-19T08:00:00+01:00" }));
    expect(moved.body.timersMoved).toEqual([
      { timer: run, from: "2026-11-18T13:00:00.000Z", to: "2026-11-19T07:00:00.000Z" },
    ]);
    const late = await must(400, ask("/reschedule", { run, at: "2026-11-18T12:00:00Z" }));
    expect(late.body.errors).toMatchObject([{ pointer: "/at", code: "out_of_range", hint: naming("run-now") }]);
    expect((await must(400, ask("/reschedule", { run, at: "tomorrow" }))).body.errors[0].pointer).toBe("/at");
  });

  test("is skipped, or counts as done with a given result", async () => {
    const plain = await running(machine);
    expect((await must(200, plain.ask("/skip", { run: plain.run }))).body.execution.states).toEqual(["silent"]);
    const given = await running(machine);
    const { body } = await must(200, given.ask("/skip", { run: given.run, result: null, reason: "by telephone" }));
    expect(body.execution.states).toEqual(["told"]);
    const journal = await must(200, given.get("/journal"));
    expect(journal.body.data.find((entry: { kind: string }) => entry.kind === "skipped_by_operator")).toMatchObject({
      run: given.run,
      result: null,
      reason: "by telephone",
      actor: { kind: "key" },
    });
  });
});

describe("a node", () => {
  test("continues with the given payload after its wait is completed", async () => {
    const { ask } = await running(journey);
    const { body } = await must(200, ask("/complete", { node: "wait", payload: { by: "Ada" } }));
    expect(body.execution).toMatchObject({ states: ["pause"], variables: { by: "Ada" } });
  });

  test("is skipped, and the next node's timer is rescheduled", async () => {
    const { ask } = await running(journey);
    expect((await must(200, ask("/skip", { node: "wait" }))).body.execution.states).toEqual(["pause"]);
    const moved = await must(200, ask("/reschedule", { timer: "pause/delay", at: "2026-12-01T00:00:00Z" }));
    expect(moved.body.execution.timers).toMatchObject([{ id: "pause/delay", at: "2026-12-01T00:00:00.000Z" }]);
  });

  test("of a machine is refused with a hint", async () => {
    const { ask } = await running(machine);
    expect((await must(409, ask("/complete", { node: "notice" }))).body).toMatchObject({
      code: "verb_not_applicable",
      hint: naming("withdrawn"),
    });
  });
});

describe("every verb", () => {
  test.each([
    ["/skip", { run: "1.0", node: "a" }, ["run", "node"]],
    ["/skip", {}, ["run", "node"]],
    ["/reschedule", { at: "2027-01-01T00:00:00Z" }, ["run", "timer"]],
    ["/complete", { reason: "x" }, ["run", "node"]],
  ])("requires exactly one target: %s %j", async (path, body, values) => {
    const { ask } = await running(machine);
    const { errors } = (await must(400, ask(path, body))).body;
    expect(errors).toMatchObject([{ pointer: "", code: "custom", message: naming(...values) }]);
  });

  test.each([
    ["/skip", { result: "x".repeat(70_000) }, "result"],
    ["/complete", { payload: "x".repeat(70_000) }, "payload"],
  ])("has the size limit of an event: %s", async (path, more, field) => {
    const { ask, run } = await running(machine);
    expect((await must(422, ask(path, { run, ...more }))).body).toMatchObject({
      code: "limit_exceeded",
      details: { field },
    });
  });

  const each: readonly (readonly [string, (run: string) => object])[] = [
    ["/events", () => ({ type: "withdrawn" })],
    ["/patch", () => ({ variables: { n: 1 } })],
    ["/pause", () => ({})],
    ["/resume", () => ({})],
    ["/cancel", () => ({})],
    ["/run-now", (run) => ({ run })],
    ["/retry", (run) => ({ run })],
    ["/skip", (run) => ({ run })],
    ["/hold", (run) => ({ run })],
    ["/release", (run) => ({ run })],
    ["/reschedule", (run) => ({ run, at: "2027-01-01T00:00:00Z" })],
    ["/complete", (run) => ({ run })],
  ];
  test.each(each)("%s is refused with the current state if If-State does not match", async (path, body) => {
    const { ask, run } = await running(machine);
    const refused = await must(409, ask(path, body(run), { "If-State": "told" }));
    expect(refused.body).toMatchObject({ code: "state_changed", details: { states: ["notice"], status: "waiting" } });
    const elsewhere = await ask(path, body(run), { "If-State": "notice" });
    expect(elsewhere.body.code).not.toBe("state_changed");
  });

  test("an invalid If-State is refused, and so is one on an endpoint without support", async () => {
    const { ask } = await running(machine);
    expect((await must(400, ask("/pause", {}, { "If-State": " " }))).body.errors[0].pointer).toBe("If-State");
    expect((await must(400, ask("/poke", {}, { "If-State": "notice" }))).body.errors[0].pointer).toBe("if-state");
  });

  test("a dry run returns journal entries and effects, and changes nothing", async () => {
    const { ask, get, run } = await running(machine);
    const { body } = await must(200, ask("/run-now?dryRun=true", { run }));
    expect(body.would.entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      "run_brought_forward",
      "run_dispatched",
    ]);
    expect(body.would.effects[0]).toMatchObject({
      kind: "dispatch",
      run,
      action: "letter",
      type: "webhook",
      attempt: 1,
    });
    expect(body.would.leftOut).toEqual({ entries: 0, effects: 0 });
    expect(body.entries).toEqual(body.would.entries);
    expect((await must(200, get("/runs"))).body.data[0].status).toBe("scheduled");
    expect((await must(200, ask("/run-now", { run }))).body.would).toBeUndefined();
  });
});
