// The drill of the lost payment: a thousand signed webhooks, guards that refuse some, executions that have ended, unknown
// keys, lost answers, and objects that are evicted meanwhile. Each delivery is applied once, published and kept, or failed
// with its reason and alerted.
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { DirectoryWork } from "#entrypoints/directory-work.ts";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import { directoriesOf } from "#services/events/published-events.ts";
import type { Parsed } from "#test/support/api.ts";
import { bindings, provider, until, type Call } from "../engine.ts";
import { hooks, post, pushes, stubOf, type Hooks } from "./hooks.ts";

afterEach(() => vi.restoreAllMocks());

const ALERTS = "https://on-call.example.com/alerts";
const PRICE = 100;
const WEBHOOKS = 1_000;
const SENT_AT_ONCE = 50;

const purchase = (name: string, placement: string) => ({
  kind: "machine",
  name,
  placement,
  initial: "open",
  variables: { order: "", paid: 0 },
  correlation: { key: { var: "execution.variables.order" } },
  states: {
    open: {
      on: {
        paid: {
          guard: { "===": [{ var: "message.payload.amount" }, PRICE] },
          assign: { paid: { "+": [{ var: "execution.variables.paid" }, 1] } },
        },
      },
    },
  },
});

const payments = (keep: string | false) => ({
  ...pushes,
  name: keep === false ? "payments" : "early-payments",
  rateLimit: { perMinute: 6_000, burst: 6_000 },
  target: { kind: "correlate", key: "{{ request.body.order }}", type: "paid", keep },
});

type Payment = { readonly id: string; readonly order: string; readonly amount: number };

async function begin(shop: Hooks, definition: string, order: string): Promise<string> {
  const execution = await shop.start(definition, { variables: { order } });
  await until(`the directory knows ${order}`, async () =>
    (await shop.journal(execution)).some(({ kind }) => kind === "correlation_key_registered") ? true : null,
  );
  return execution;
}

/** Lists all deliveries of a trigger, page by page. */
async function allDeliveries(shop: Hooks, trigger: string): Promise<Parsed[]> {
  const all: Parsed[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = await shop.must(200, "GET", `/v1/triggers/${trigger}/deliveries?limit=100${from}`);
    all.push(...page.data);
    cursor = page.nextCursor;
  }
  return all;
}

/** One answer in forty is lost, after the call has had its effect. */
function loseAnswers(): void {
  let calls = 0;
  const isLost = (): boolean => ++calls % 40 === 0;
  const { deliver, report } = DirectoryWork.prototype;
  const send = TriggerWork.prototype.deliver;
  vi.spyOn(DirectoryWork.prototype, "deliver").mockImplementation(async function (this: DirectoryWork, ...asked) {
    const outcomes = await deliver.apply(this, asked);
    return isLost() ? Promise.reject(new Error("the answer was lost")) : outcomes;
  });
  vi.spyOn(DirectoryWork.prototype, "report").mockImplementation(async function (this: DirectoryWork, ...asked) {
    await report.apply(this, asked);
    if (isLost()) throw new Error("the answer was lost");
  });
  vi.spyOn(TriggerWork.prototype, "deliver").mockImplementation(async function (this: TriggerWork, ...asked) {
    const outcomes = await send.apply(this, asked);
    return isLost() ? Promise.reject(new Error("the answer was lost")) : outcomes;
  });
}

test("of a thousand signed payments none is lost without a sound", { timeout: 120_000 }, async () => {
  const { calls } = provider(() => Response.json({}));
  const shop = await hooks(payments(false), purchase("owned", "own"), purchase("pooled", "pooled"));
  const early = await shop.must(201, "POST", "/v1/triggers", { body: payments("PT1H") });
  await shop.must(201, "POST", "/v1/alert-channels", {
    body: { name: "on-call", channel: { kind: "webhook", config: { url: ALERTS } }, throttle: 0 },
  });
  const open = new Map<string, string>();
  for (let n = 0; n < 10; n++) open.set(`open-${n}`, await begin(shop, n % 2 === 0 ? "owned" : "pooled", `open-${n}`));
  for (let n = 0; n < 5; n++) {
    const execution = await begin(shop, n % 2 === 0 ? "owned" : "pooled", `ended-${n}`);
    await shop.must(200, "POST", `/v1/executions/${execution}/cancel`);
  }
  loseAnswers();
  // Each failure is a line.
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "log").mockImplementation(() => {});

  const kinds = [
    (n: number): Payment => ({ id: `p${n}`, order: `open-${n % 10}`, amount: PRICE }),
    (n: number): Payment => ({ id: `p${n}`, order: `open-${n % 10}`, amount: PRICE - 1 }),
    (n: number): Payment => ({ id: `p${n}`, order: `ended-${n % 5}`, amount: PRICE }),
    (n: number): Payment => ({ id: `p${n}`, order: `unknown-${n}`, amount: PRICE }),
  ];
  const sent = Array.from({ length: WEBHOOKS }, (_, n): Payment => (kinds[n % kinds.length] as (typeof kinds)[0])(n)); // n is in range
  // The unknown keys of every second turn go to the trigger whose events wait for an execution.
  const urlOf = ({ id, order }: Payment) =>
    order.startsWith("unknown") && Number(id.slice(1)) % 8 === 3 ? String(early.url) : shop.url;
  for (let from = 0; from < WEBHOOKS; from += SENT_AT_ONCE) {
    const batch = sent.slice(from, from + SENT_AT_ONCE);
    const answers = await Promise.all(batch.map((payment) => post(urlOf(payment), payment, { id: payment.id })));
    expect(answers.map(({ status }) => status)).toEqual(batch.map(() => 202));
    if (from % 200 === 0) {
      await evict(stubOf(shop));
      for (const name of directoriesOf(shop.tenant)) await evict(bindings.DIRECTORIES.getByName(name)).catch(() => {}); // some were never called
    }
  }

  const kept = sent.filter((payment) => urlOf(payment) !== shop.url).length;
  const stateOf = async (trigger: string) => (await shop.must(200, "GET", `/v1/triggers/${trigger}`)).state;
  await until("each delivery has a result, or its event is kept", async () => {
    const [late, waiting] = await Promise.all([stateOf("payments"), stateOf("early-payments")]);
    const open = late.pending + late.published + waiting.pending + waiting.published;
    return open === kept ? true : null;
  });
  const deliveries = [...(await allDeliveries(shop, "payments")), ...(await allDeliveries(shop, "early-payments"))];
  expect(deliveries).toHaveLength(WEBHOOKS);
  const byId = new Map(deliveries.map((each) => [each.deliveryId, each]));
  for (const payment of sent) {
    const { status, reason } = byId.get(payment.id);
    const result = reason === null ? status : `${status} ${reason.code}`;
    const isOpen = payment.order.startsWith("open");
    if (isOpen && payment.amount === PRICE) expect(result, payment.id).toBe("applied");
    else if (isOpen) expect(result, payment.id).toBe("failed event_not_accepted");
    else if (urlOf(payment) !== shop.url) expect(result, payment.id).toBe("published");
    else expect(result, payment.id).toMatch(/^failed (no_matching_execution|execution_final)$/);
  }
  const paid = await Promise.all([...open.values()].map(async (id) => (await shop.read(id)).variables.paid));
  expect(
    paid.reduce((sum, each) => sum + each, 0),
    "each accepted payment counts once",
  ).toBe(WEBHOOKS / 4);

  expect((await stateOf("payments")).stuck).toBe(deliveries.filter(isFailed).length);
  const { data } = await shop.must(200, "GET", "/v1/events?status=kept&limit=100");
  expect(data, "kept events are listed").toHaveLength(Math.min(kept, 100));
  await runDurableObjectAlarm(stubOf(shop));
  const isAlert = ({ url, body }: Call) => url.href === ALERTS && JSON.parse(body).code === "deliveries_stuck";
  await until("the failed deliveries raise an alert", () => calls.find(isAlert) ?? null);
});

const isFailed = ({ status }: Parsed): boolean => status === "failed";

test("a refused payment is replayed under its own key when the guard lets it pass", async () => {
  const shop = await hooks(payments(false), purchase("owned", "own"));
  const execution = await begin(shop, "owned", "o-1");
  const { id } = await shop.pushed({ order: "o-1", amount: 1 }, { id: "p1" });
  await until("it has failed", async () => ((await shop.deliveries())[0].status === "failed" ? true : null));
  const [refused] = await shop.deliveries("?status=failed");
  expect(refused).toMatchObject({ id, reason: { code: "event_not_accepted" } });
  const target = { ...payments(false).target, payload: { amount: PRICE } };
  await shop.must(200, "PATCH", "/v1/triggers/payments", { body: { target } });
  expect(await shop.must(200, "POST", `/v1/triggers/payments/deliveries/${id}/replay`, { body: {} })).toMatchObject({
    status: "pending",
    event: refused.event,
  });
  await until("it is applied", async () => ((await shop.deliveries())[0].status === "applied" ? true : null));
  expect((await shop.read(execution)).variables.paid).toBe(1);
  expect(await shop.must(409, "POST", `/v1/triggers/payments/deliveries/${id}/replay`, { body: {} })).toMatchObject({
    code: "delivery_not_replayable",
  });
  expect((await shop.must(200, "GET", "/v1/triggers/payments")).state).toMatchObject({ stuck: 0 });
});
