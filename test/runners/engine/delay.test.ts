// Tests of the delay runner: the contract without HTTP, and the refusal of waiting fields.
import { expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed } from "#test/runners/perform.ts";
import { deaf, NOW } from "#test/runners/world.ts";

runnerContract(runners.delay, {
  goodConfig: { reason: "six weeks before the wedding" },
  answer: null,
  goesNowhere: true,
});

it("completes and emits its event", async () => {
  const { outcome } = await performed("delay", {}, deaf);
  expect(outcome).toEqual({
    ok: true,
    result: { reason: null },
    events: [{ type: "delay_elapsed", payload: { reason: null, actionId: "notify" } }],
    startedAt: NOW,
    endedAt: NOW,
  });
});

it.each([{ duration: "P1D" }, { delayUntil: "2026-02-01T09:00:00Z" }])(
  "refuses %j and names the action's delay",
  async (config) => {
    const { outcome } = await performed("delay", config, deaf);
    const error = { code: "invalid_config", details: { errors: [{ pointer: `/${Object.keys(config)[0]}` }] } };
    expect(outcome).toMatchObject({ ok: false, error });
    expect(outcome.ok ? "" : outcome.error.message).toContain("delay");
  },
);
