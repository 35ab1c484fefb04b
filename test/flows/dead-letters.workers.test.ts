// A dead letter's way through the whole Worker: the provider is down, a person looks, and it is sent again under the key
// that it always had; or changed, or let lie.
import { expect, it } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { engine, hook, provider, until, type Engine } from "./engine.ts";
import { naming } from "#test/support/matchers/naming.ts";

const pay = {
  kind: "machine",
  name: "pay",
  initial: "paying",
  states: {
    paying: { on: { "action.charge.ok": "paid", "action.charge.failed": "unpaid" } },
    unpaid: { on: { "action.charge.ok": "paid", "action.charge.archived": "given_up" } },
    paid: { type: "final" },
    given_up: { type: "final", outcome: "failed" },
  },
  actions: [
    hook("charge", {
      triggerState: "paying",
      config: { url: "https://provider.example.com/{{ execution.variables.path }}" },
      retryPolicy: { maxAttempts: 1 },
    }),
  ],
};

async function dead(shop: Engine): Promise<Parsed> {
  const execution = await shop.start("pay", { variables: { path: "charge" } });
  return until("the list knows it", async () => {
    const { data } = await shop.must(200, "GET", `/v1/dead-letters?execution=${execution}`);
    return data[0] ?? null;
  });
}

it("goes out again under the same key once the provider is up, and its machine goes on", async () => {
  let isDown = true;
  const { calls } = provider(() => (isDown ? new Response("down for repairs", { status: 503 }) : Response.json({})));
  const shop = await engine(pay);
  const { id, execution, run } = await dead(shop);
  const key = `${execution}/${run}`;
  const screen = await shop.must(200, "GET", `/v1/dead-letters/${id}`);
  expect(screen).toMatchObject({
    standing: "waiting",
    error: { type: "service_unavailable", code: "http_503" },
    destination: { kind: "url", to: ["POST https://provider.example.com/charge"] },
    sends: {
      frozen: true,
      requests: [{ method: "POST", url: "https://provider.example.com/charge", headers: { "idempotency-key": key } }],
      hindrance: null,
    },
    attemptsMade: [{ attempt: 1, provider: { status: 503, body: "down for repairs" } }],
    machineReaction: [{ kind: "moved", says: naming("paying", "unpaid", "action.charge.failed") }],
    manualReviewRequired: false,
    // A 503 may come after the charge was made, and a webhook's receiver promises nothing of repeats.
    repeatSafe: { safe: false },
    lateness: { ifRetriedNow: "sent" },
  });
  // Looking at it has sent nothing.
  expect(calls).toHaveLength(1);
  isDown = false;
  const body = { reason: "it is up again" };
  expect((await shop.must(200, "POST", `/v1/dead-letters/${id}/retry`, { body })).standing).toBe("sent_again");
  await shop.reaches(execution, "completed");
  expect(calls.map(({ key }) => key)).toEqual([screen.idempotencyKey, screen.idempotencyKey]);
  await until("the list has heard", async () => {
    const { data } = await shop.must(200, "GET", `/v1/dead-letters?execution=${execution}`);
    return data.length === 0 ? true : null;
  });
  expect((await shop.must(200, "GET", `/v1/dead-letters/${id}`)).standing).toBe("ok");
  const audit = await shop.must(200, "GET", `/v1/audit?target=${execution}`);
  expect(audit.data).toMatchObject([{ verb: "execution.retry", reason: "it is up again" }]);
});

it("goes out changed: another address, under the same key", async () => {
  const { calls } = provider(({ url }) =>
    url.pathname === "/right" ? Response.json({}) : new Response("", { status: 404 }),
  );
  const shop = await engine(pay);
  const { id, execution } = await dead(shop);
  await shop.must(200, "POST", `/v1/dead-letters/${id}/retry`, { body: { variables: { path: "right" } } });
  await shop.reaches(execution, "completed");
  expect(calls.map(({ url, key }) => [url.pathname, key])).toEqual([
    ["/charge", calls[0]?.key],
    ["/right", calls[0]?.key],
  ]);
});

it("is let lie, and its machine hears of it", async () => {
  provider(() => new Response("", { status: 404 }));
  const shop = await engine(pay);
  const { id, execution } = await dead(shop);
  await shop.must(200, "POST", `/v1/dead-letters/${id}/archive`, { body: { reason: "settled by phone" } });
  expect(await shop.reaches(execution, "failed")).toMatchObject({ states: ["given_up"] });
});
