// What people hear of a trigger through alert channels: deliveries that wait for them, and a poller that reads on no more.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import { STUCK_REPORT_DELAY_MS } from "#schema/limits/inbound/deliveries.ts";
import { bindings, provider, until, type Call, type Engine } from "../engine.ts";
import { hooks, pushes } from "./hooks.ts";
import { order, orders, polled } from "./polled.ts";
import { naming } from "#test/support/matchers/naming.ts";

const ALERTS = "https://on-call.example.com/alerts";
const isAlert = ({ url }: Call) => url.href === ALERTS;

const listen = (shop: Engine) =>
  shop.must(201, "POST", "/v1/alert-channels", {
    body: { name: "on-call", channel: { kind: "webhook", config: { url: ALERTS } }, throttle: 0 },
  });

test("a delivery that cannot be mapped is told once, and says where to look and what to do", async () => {
  const { calls } = provider(() => Response.json({}));
  const shop = await hooks(pushes);
  await listen(shop);
  const stub = bindings.TRIGGERS.getByName(`${shop.tenant}/${shop.trigger.id}`);
  for (let n = 0; n < 3; n++) expect((await shop.pushed({ wrong: n })).status).toBe("unmappable");
  const armed = await runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
  expect(armed, "the alert has an alarm of its own").toBeLessThanOrEqual(Date.now() + STUCK_REPORT_DELAY_MS);
  await runDurableObjectAlarm(stub);
  const alert = await until("somebody is told", async () => calls.find(isAlert) ?? null);
  expect(JSON.parse(alert.body)).toMatchObject({
    severity: "high",
    code: "deliveries_stuck",
    definition: null,
    title: naming("[high]", "pushes"),
    notice: { subject: "pushes", error: { message: naming(3) } },
    look: ["/v1/triggers/pushes/deliveries?status=unmappable", "/v1/triggers/pushes/deliveries?status=failed"],
  });
  await shop.pushed({ wrong: 4 });
  await evict(stub);
  await runDurableObjectAlarm(stub);
  expect(calls.filter(isAlert), "also after its sleep").toHaveLength(1);
});

test("what could not be told is told with a later alarm", async () => {
  const { calls } = provider(() => Response.json({}));
  const shop = await hooks(pushes);
  await listen(shop);
  const stub = bindings.TRIGGERS.getByName(`${shop.tenant}/${shop.trigger.id}`);
  const silent = vi.spyOn(TriggerWork.prototype, "sendAlerts").mockRejectedValue(new Error("nobody there"));
  await shop.pushed({ wrong: 1 });
  await runDurableObjectAlarm(stub);
  expect(silent).toHaveBeenCalled();
  silent.mockRestore();
  await runDurableObjectAlarm(stub);
  await until("somebody is told", async () => calls.find(isAlert) ?? null);
});

test("a poller whose cursor is frozen is told after some tries, and since when", async () => {
  const circle = () => Response.json({ data: [order(1), order(2)], next: "7" });
  const told: { readonly trigger: string; readonly kind: string }[] = [];
  // Pollers of tests before this one may have something to say as well.
  const tell = vi.spyOn(TriggerWork.prototype, "sendAlerts").mockImplementation(async ({ trigger }, news) => {
    told.push(...news.map((each) => ({ ...each, trigger })));
  });
  const shop = await polled([], orders, ...Array.from({ length: 30 }, () => circle));
  await shop.first();
  for (let n = 0; n < 3; n++) await shop.poll();
  tell.mockRestore();
  const state = await shop.state();
  expect(state).toMatchObject({ health: "failing", reason: { code: "cursor_frozen" } });
  const own = told.filter(({ trigger }) => trigger === shop.trigger.id);
  expect(own, JSON.stringify(told)).toMatchObject([
    { kind: "frozen", reason: { code: "cursor_frozen" }, nextStep: state.nextStep },
  ]);
  expect(Date.parse(state.troubleSince)).toBeLessThan(Date.parse(state.lastPollAt));
});
