// Tests of aborted runs: the runner's signal aborts, and the outcome states the known effect.
import { expect, it } from "vitest";
import { z } from "zod";
import type { AnyRunner } from "#runners/registry.ts";
import { runTicket, runWith } from "#runners/run.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import { webhookConfig } from "./webhook-contract.ts";
import { jsonResponse, NOW, ticketFor, world } from "./world.ts";

const fine = { ok: true, result: null, events: [], startedAt: NOW, endedAt: NOW };

function performs(run: (context: RunnerContext) => unknown, calledOff: AbortSignal) {
  const runner = {
    type: "odd",
    config: z.strictObject({}),
    permissions: [],
    repeats: { mode: "none" },
    timeoutMs: 1_000,
    retryPolicy: "default",
    run: (_, context) => run(context) as ReturnType<AnyRunner["run"]>, // the test's runner returns any value
  } satisfies AnyRunner;
  return runWith(runner, ticketFor("odd", {}), { ...world(() => jsonResponse({})), abortSignal: calledOff });
}

it("a runner that ignores its signal is abandoned, with an unknown effect", async () => {
  const control = new AbortController();
  let signal: AbortSignal | undefined;
  const outcome = performs((context) => {
    signal = context.signal;
    control.abort();
    return new Promise(() => {});
  }, control.signal);
  expect(await outcome).toMatchObject({
    ok: false,
    error: { type: "aborted", code: "attempt_canceled", effect: "unknown" },
  });
  expect(signal?.aborted).toBe(true);
});

it("a request in flight is aborted and not reported as a timeout", async () => {
  const control = new AbortController();
  const hangs = ({ signal }: { readonly signal?: AbortSignal | null }) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const deps = {
    ...world(() => jsonResponse({})),
    fetch: (_: string, init: RequestInit) => (setTimeout(() => control.abort(), 1), hangs(init)),
  };
  const outcome = await runTicket(ticketFor("webhook", webhookConfig), { ...deps, abortSignal: control.signal });
  expect(outcome).toMatchObject({ ok: false, error: { type: "aborted", code: "attempt_canceled", effect: "unknown" } });
});

it("an attempt that was aborted before its start sends nothing and has no effect", async () => {
  let began = false;
  const outcome = await performs(() => ((began = true), Promise.resolve(fine)), AbortSignal.abort());
  expect(outcome).toMatchObject({ ok: false, error: { code: "attempt_canceled", effect: "none" } });
  expect(began).toBe(false);
});

it("a success that came before the abort stays a success", async () => {
  const control = new AbortController();
  const outcome = await performs(() => (control.abort(), Promise.resolve(fine)), control.signal);
  expect(outcome).toMatchObject({ ok: true });
});
