// Tests of run execution: every run returns an outcome in time and without secrets, whatever its runner does.
import { expect, it } from "vitest";
import { z } from "zod";
import { runners, runnerFor, type AnyRunner } from "#runners/registry.ts";
import { runTicket, runWith } from "#runners/run.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import { webhookConfig } from "./webhook-contract.ts";
import { jsonResponse, NOW, ticketFor, world } from "./world.ts";
import { naming } from "#test/support/matchers/naming.ts";

function runnerThat(run: (config: unknown, context: RunnerContext) => unknown): AnyRunner {
  return {
    type: "odd",
    config: z.strictObject({ count: z.number().default(1) }),
    permissions: [],
    repeats: { mode: "none" },
    timeoutMs: 1_000,
    retryPolicy: "default",
    run: run as AnyRunner["run"], // a broken runner may return any value
  };
}

const silent = world(() => jsonResponse({}));
const performs = (run: Parameters<typeof runnerThat>[0], config = {}, over = {}) =>
  runWith(runnerThat(run), ticketFor("odd", config, over), { ...silent, secrets: ["hunter2-hunter2"] });
const fine = { ok: true, result: null, events: [], startedAt: NOW, endedAt: NOW };

it("the runner gets its parsed config and its context, and nothing more", async () => {
  let seen: unknown;
  await performs((config, context) => ((seen = [config, Object.keys(context).sort()]), Promise.resolve(fine)));
  const platform = "databases email files services signer tasks".split(" ");
  const ports = [...platform, ..."connection engine fileMemory findAccount ownToken template tokens".split(" ")];
  const ownUrls = ["publicUrl", "receiptUrl", "unsubscribe"];
  const names = ["allowLoopback", "fetch", "now", "signal", "signing", "suppressed", "ticket", ...ownUrls, ...ports];
  expect(seen).toEqual([{ count: 1 }, names.sort()]);
});

it.each(["smoke", "constructor", "__proto__", "toString"])("the unknown type %s fails with a reason", async (type) => {
  expect(await runTicket(ticketFor(type, {}), silent)).toMatchObject({
    ok: false,
    error: { type: "invalid_configuration", code: "unknown_type", retryable: false },
  });
});

it("each runner is found under its own type", () => {
  for (const [type, runner] of Object.entries(runners)) expect([runnerFor(type), runner.type]).toEqual([runner, type]);
});

it("every invalid field is named", async () => {
  const outcome = await performs(() => Promise.resolve(fine), { count: "x", cout: 1 });
  expect(outcome).toMatchObject({
    ok: false,
    error: {
      type: "invalid_configuration",
      code: "invalid_config",
      details: { errors: [{ pointer: "/count" }, { pointer: "/cout", code: "unknown_field", hint: naming("count") }] },
    },
  });
});

it.each([
  [
    "at once",
    () => {
      throw new Error("with hunter2-hunter2 and token=abc");
    },
  ],
  ["later", () => Promise.reject(new Error("with hunter2-hunter2 and token=abc"))],
])("an error thrown %s becomes a failure without secrets", async (_, run) => {
  expect(await performs(run)).toMatchObject({
    ok: false,
    startedAt: NOW,
    error: {
      type: "unknown_error",
      retryable: true,
      code: "runner_threw",
      message: naming("odd", "with [redacted] and token=[redacted]"),
    },
  });
});

it.each([
  undefined,
  null,
  "ok",
  {},
  { ok: true },
  { ...fine, result: undefined },
  { ...fine, endedAt: Number.NaN },
  { ...fine, result: new Date(0) },
])("the invalid outcome %j becomes a failure and is not repeated", async (answer) => {
  expect(await performs(() => Promise.resolve(answer))).toMatchObject({
    ok: false,
    error: { type: "unknown_error", retryable: false, code: "outcome_invalid" },
  });
});

it("a runner that never ends is ended and receives an aborted signal", async () => {
  let signal: AbortSignal | undefined;
  const outcome = await performs(
    (_, context) => ((signal = context.signal), new Promise(() => {})),
    {},
    { timeoutMs: 10 },
  );
  expect(outcome).toMatchObject({ ok: false, error: { type: "timeout", retryable: true, code: "deadline" } });
  expect(signal?.aborted).toBe(true);
});

it("the earlier of timeout and deadline applies", async () => {
  const outcome = await performs(() => new Promise(() => {}), {}, { timeoutMs: 60_000, deadlineAt: NOW + 10 });
  expect(outcome).toMatchObject({ error: { type: "timeout" } });
});

it("the config's secrets are redacted from every part of an outcome, which keeps its shape", async () => {
  const said = "x hunter2-hunter2";
  const ok = { ...fine, result: { said, hunter2: 1 }, events: [{ type: "e", payload: [said] }], metadata: { said } };
  const clean = "x [redacted]";
  expect(await performs(() => Promise.resolve(ok))).toEqual({
    ...ok,
    result: { said: clean, hunter2: 1 },
    events: [{ type: "e", payload: [clean] }],
    metadata: { said: clean },
  });
  const error = { type: "unknown_error", message: said, retryable: true, details: { said } };
  const bad = { ok: false, error, startedAt: NOW, endedAt: NOW, retryAfterMs: 5, metadata: { said } };
  expect(await performs(() => Promise.resolve(bad))).toEqual({
    ...bad,
    error: { ...error, message: clean, details: { said: clean } },
    metadata: { said: clean },
  });
});

it("the outcome keeps its shape if a secret equals one of its own words", async () => {
  const deps = { ...silent, secrets: ["result", "events", "unknown_error", "true"] };
  const run = runnerThat(() => Promise.resolve({ ...fine, events: [{ type: "events", payload: null }] }));
  expect(await runWith(run, ticketFor("odd", {}), deps)).toEqual({
    ...fine,
    events: [{ type: "events", payload: null }],
  });
});

it("a secret that the runner does not know is redacted", async () => {
  const secret = "hooks-path-secret";
  const deps = world(({ url }) => jsonResponse({ url }), { secrets: [secret] });
  const config = { ...webhookConfig, url: `https://hooks.example.com/${secret}`, expectedStatusCodes: [200] };
  const outcome = await runTicket(ticketFor("webhook", config), deps);
  expect(outcome).toMatchObject({ ok: true, metadata: { url: "https://hooks.example.com/[redacted]" } });
  expect(JSON.stringify(outcome)).not.toContain(secret);
});
