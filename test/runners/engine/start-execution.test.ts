// Tests of the start-execution and send-event runners: the contract without HTTP, and the calls of the engine port.
import { describe, expect, it } from "vitest";
import { actionTypes, repeatsOf, runners } from "#runners/registry.ts";
import type { EnginePort } from "#runners/core/runner.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed } from "#test/runners/perform.ts";
import { deaf } from "#test/runners/world.ts";

type Acted = Awaited<ReturnType<EnginePort["start"]>>;

function port(answer: Acted = { ok: true, execution: "exe_2", repeated: false }) {
  const asked: unknown[] = [];
  const act = async (what: unknown): Promise<Acted> => {
    asked.push(what);
    return answer;
  };
  return { asked, engine: { start: act, send: act } };
}

runnerContract(runners.start_execution, { goodConfig: { definition: "order" }, answer: null, ports: port() });
runnerContract(runners.send_event, { goodConfig: { execution: "exe_1", type: "paid" }, answer: null, ports: port() });

describe("start_execution", () => {
  it("starts with defaults for missing fields", async () => {
    const { asked, engine } = port();
    const { outcome } = await performed("start_execution", { definition: "order@2" }, deaf, { engine });
    expect(asked).toEqual([
      { definition: "order@2", wait: false, variables: {}, namespace: "default", correlationId: null },
    ]);
    const result = { execution: "exe_2", definition: "order@2", wait: false };
    expect(outcome).toMatchObject({
      ok: true,
      result,
      events: [{ type: "execution_started", payload: { ...result, actionId: "notify" } }],
    });
  });

  it("passes on all fields", async () => {
    const { asked, engine } = port();
    const config = { definition: "order", wait: true, variables: { a: 1 }, namespace: "shop", correlationId: "o-17" };
    await performed("start_execution", config, deaf, { engine });
    expect(asked).toEqual([config]);
  });
});

describe("send_event", () => {
  it("sends an event id of the run if none is set", async () => {
    const { asked, engine } = port();
    await performed("send_event", { execution: "exe_9", type: "paid" }, deaf, { engine });
    await performed("send_event", { execution: "exe_9", type: "paid", payload: 1, eventId: "e" }, deaf, { engine });
    expect(asked).toEqual([
      { execution: "exe_9", type: "paid", payload: null, eventId: null },
      { execution: "exe_9", type: "paid", payload: 1, eventId: "e" },
    ]);
  });

  it.each([
    { execution: "order-1", type: "paid" },
    { execution: "exe_1", type: "xstate.done" },
    { execution: "exe_1", type: "child_completed" },
    { execution: "exe_1", type: "task_completed" },
    { execution: "exe_1", type: "paid", eventId: "child/exe_2" },
    { execution: "exe_1", type: "paid", eventId: "run:exe_2/3.0" },
  ])("refuses %j", async (config) => {
    const { outcome } = await performed("send_event", config, deaf, port());
    expect(outcome).toMatchObject({ ok: false, error: { code: "invalid_config" } });
  });
});

describe.each([
  ["start_execution", { definition: "order" }],
  ["send_event", { execution: "exe_1", type: "paid" }],
])("%s", (type, config) => {
  it("returns the reason if nothing was done", async () => {
    const error = { type: "not_found", message: "gone", retryable: false, code: "not_found" };
    const { outcome } = await performed(type, config, deaf, port({ ok: false, failure: { error } }));
    expect(outcome).toMatchObject({ ok: false, error });
  });

  it("reports a missing engine port", async () => {
    const { outcome } = await performed(type, config, deaf);
    expect(outcome).toMatchObject({ ok: false, error: { code: "engine_missing", retryable: false } });
  });

  it("uses only the queue lane, because one object must not wait for another", () => {
    expect(actionTypes[type]?.lane).toBe("queue");
  });
});

describe("detection of repeats", () => {
  const mail = { to: "ada@example.com", subject: "x", text: "x" };
  it.each([
    ["webhook", { url: "https://example.com" }, "none"],
    ["task", { title: "x" }, "provider"],
    ["email", { ...mail, provider: "resend" }, "provider"],
    ["email", { ...mail, provider: "sendgrid" }, "none"],
    ["email", { ...mail, provider: "resend", text: { $secret: ["Hi ", { name: "who" }] } }, "provider"],
    ["email", {}, "none"],
    ["nothing_known", {}, "none"],
  ])("%s %j: %s", (type, config, mode) => {
    expect(repeatsOf(type, config).mode).toBe(mode);
  });
});
