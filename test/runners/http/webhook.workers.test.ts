// Runs the webhook contract in workerd, whose fetch, streams, signals and crypto the deployed Worker uses.
import { expect, it } from "vitest";
import { runTicket } from "#runners/run.ts";
import { webhookConfig, webhookContract } from "#test/runners/webhook-contract.ts";
import { jsonResponse, signedWith, ticketFor, world } from "#test/runners/world.ts";

webhookContract();

it("signs with workerd's crypto", async () => {
  const surroundings = world(() => jsonResponse({}), signedWith("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  await runTicket(ticketFor("webhook", webhookConfig), surroundings);
  expect(surroundings.calls[0]?.request.headers.get("webhook-signature")).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
});

it("reads exact numbers of an answer with workerd's JSON", async () => {
  const answer = new Response('{"id":9007199254740993}', { headers: { "Content-Type": "application/json" } });
  const outcome = await runTicket(
    ticketFor("webhook", webhookConfig),
    world(() => answer),
  );
  expect(outcome).toMatchObject({ ok: true, result: { data: { id: "9007199254740993" } } });
});
