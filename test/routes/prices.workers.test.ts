// Prices over HTTP, and the costs of attempts.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { cachedPrices, withPrice } from "#services/actions/prices.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { brokenBinding, NOW, world } from "#test/support/catalog.ts";

const body = { currency: "EUR", prices: { email: 0.001, "sms/twilio": 0.0079, sms: 0.01 } };

async function here() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, sent?: unknown) =>
    made.ask(method, path, { key: owner.key, ...(sent === undefined ? {} : { body: sent }) });
  return { ...made, ...owner, ask };
}

test("are read, set completely, and replaced", async () => {
  const { ask } = await here();
  expect((await must(200, ask("GET", "/v1/prices"))).body).toEqual({ currency: null, prices: {}, updatedAt: null });
  const dry = await must(200, ask("PUT", "/v1/prices?dryRun=true", body));
  expect(dry.body).toMatchObject({ ...body, dryRun: true });
  expect((await must(200, ask("GET", "/v1/prices"))).body.currency).toBeNull();
  await must(200, ask("PUT", "/v1/prices", body));
  const second = await must(200, ask("PUT", "/v1/prices", { currency: "USD", prices: { push: 0 } }));
  const set = { currency: "USD", prices: { push: 0 }, updatedAt: "2026-11-18T12:00:00.001Z" };
  expect(second.body).toEqual({ ...set, dryRun: false, result: "changed" });
  expect((await must(200, ask("GET", "/v1/prices"))).body).toEqual(set);
  const audit = await must(200, ask("GET", "/v1/audit?verb=prices.set"));
  expect(audit.body.data).toHaveLength(2);
});

test.each([
  [{ currency: "euro", prices: {} }, "/currency"],
  [{ currency: "EUR", prices: { email: -1 } }, "/prices/email"],
  [{ currency: "EUR", prices: { "E-Mail": 1 } }, "/prices/E-Mail"],
  [{ currency: "EUR", price: {} }, "/price"],
])("are refused: %j", async (sent, pointer) => {
  const { ask } = await here();
  const refused = await must(400, ask("PUT", "/v1/prices", sent));
  expect(refused.body.errors.map((found: { pointer: string }) => found.pointer)).toContain(pointer);
});

describe("an attempt costs", () => {
  const ok: Outcome = { ok: true, result: null, events: [], startedAt: NOW, endedAt: NOW };
  const missed = (type: string, over = {}): Outcome => ({
    ok: false,
    error: { type, message: "", retryable: true },
    startedAt: NOW,
    endedAt: NOW,
    ...over,
  });
  const held = { reason: "rate_limited", until: NOW, connection: "c" } as const;
  test.each<[string, string, Ticket["config"], Outcome, number | undefined]>([
    ["the price of its type", "email", {}, ok, 0.001],
    ["the price of its provider", "sms", { provider: "twilio" }, ok, 0.0079],
    ["the price of the provider in the outcome", "sms", {}, { ...ok, metadata: { provider: "twilio" } }, 0.0079],
    ["its type's price with any other provider", "sms", { provider: "other" }, ok, 0.01],
    ["the runner's own estimate", "email", {}, { ...ok, costEstimate: 5 }, 5],
    ["the same when it fails", "email", {}, missed("timeout"), 0.001],
    ["nothing without a call", "email", {}, missed("invalid_configuration"), undefined],
    ["nothing when it was held", "email", {}, missed("rate_limit", { held }), undefined],
    ["nothing without a price", "push", {}, ok, undefined],
  ])("%s", async (_what, type, config, outcome, cost) => {
    const { ask, tenant, world: deps } = await here();
    await must(200, ask("PUT", "/v1/prices", body));
    const ticket = { tenant, type, config } as Ticket;
    expect(withPrice(await cachedPrices(deps, tenant), ticket, outcome).costEstimate).toBe(cost);
  });

  test("has no cost while the catalog is down, and only the first run queries it", async () => {
    const down = world({ db: openDb(brokenBinding) });
    const ticket = { tenant: "nobody-knows", type: "email", config: {} } as Ticket;
    for (const _run of [1, 2]) expect(withPrice(await cachedPrices(down, ticket.tenant), ticket, ok)).toBe(ok);
    expect(down.lines).toMatchObject([{ event: "prices_unknown" }]);
  });
});
