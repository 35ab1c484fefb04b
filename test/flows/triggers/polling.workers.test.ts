// Pollers through the whole Worker: what a list brings is delivered once and in order, whatever becomes of its pages.
import { expect, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { TriggerWork } from "#entrypoints/trigger-work.ts";
import { bindings, PROVIDER, until } from "../engine.ts";
import { order, orders, polled } from "./polled.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

test("every item of all pages starts one execution, in the list's order", async () => {
  const shop = await polled([1, 2, 3, 4, 5].map(order));
  await shop.first();
  expect(await shop.started()).toEqual(["o1", "o2", "o3", "o4", "o5"]);
  shop.list.push(order(6));
  await shop.poll();
  expect(await shop.started()).toEqual(["o1", "o2", "o3", "o4", "o5", "o6"]);
  expect(await shop.state()).toMatchObject({ health: "healthy", outcome: "items", found: 1, seen: 6, backlog: 0 });
  const { data } = await shop.must(200, "GET", "/v1/triggers?kind=poller&state=true");
  expect(data).toMatchObject([
    { name: "orders", state: { poller: { health: "healthy", backlog: 0, troubleSince: null } } },
  ]);
});

test("the first poll takes note of what is there, and delivers what comes after", async () => {
  const shop = await polled([1, 2, 3].map(order), { ...orders, poll: { ...orders.poll, from: "now" } });
  expect(await shop.first()).toMatchObject({ outcome: "baseline", hasBaseline: true, seen: 3 });
  expect(await shop.deliveries()).toEqual([]);
  shop.list.push(order(4));
  await shop.poll();
  expect(await shop.started()).toEqual(["o4"]);
});

test("a poll that fails between pages repeats nothing and loses nothing", async () => {
  const fine = () => Response.json({ data: [order(1), order(2)], next: "2" });
  const away = () => new Response("no", { status: 503, headers: { "Retry-After": "120" } });
  const shop = await polled([1, 2, 3, 4, 5].map(order), orders, fine, away);
  const failing = await shop.first();
  expect(failing).toMatchObject({ health: "failing", failures: 1, outcome: "failed", cursor: "2" });
  expect(Date.parse(failing.nextPollAt)).toBeGreaterThan(Date.now() + 100_000);
  expect(await shop.started()).toEqual(["o1", "o2"]);
  expect(await shop.poll()).toMatchObject({ health: "healthy", failures: 0, reason: null });
  expect(await shop.started()).toEqual(["o1", "o2", "o3", "o4", "o5"]);
});

test("crash between pages: what was read is delivered once, and the next page is asked for again", async () => {
  const real = TriggerWork.prototype.poll;
  let asked = 0;
  // The second page's answer never reaches the object that asked for it.
  const lost = vi.spyOn(TriggerWork.prototype, "poll").mockImplementation(async function (this: TriggerWork, of, ask) {
    const answer = await real.call(this, of, ask);
    asked += 1;
    if (asked === 2) throw new Error("the answer was lost");
    return answer;
  });
  const shop = await polled([1, 2, 3, 4, 5].map(order));
  await until("it has failed", async () => ((await shop.state()).failures === 1 ? true : null));
  lost.mockRestore();
  await evict(bindings.TRIGGERS.getByName(`${shop.tenant}/${shop.trigger.id}`));
  await shop.poll();
  expect(await shop.started()).toEqual(["o1", "o2", "o3", "o4", "o5"]);
  const cursors = shop.asked().map(({ url }) => url.searchParams.get("after"));
  expect(cursors.slice(0, 4)).toEqual([null, "2", "2", "4"]);
});

test("a cursor that leads in a circle makes the poller unhealthy and says what to do", async () => {
  const frozen = () => Response.json({ data: [order(1), order(2)], next: "7" });
  const shop = await polled([1, 2].map(order), orders, frozen, frozen);
  const state = await shop.first();
  expect(state).toMatchObject({ health: "failing", reason: { code: "cursor_frozen" } });
  expect(state.nextStep).toMatch(/poll\.paging/);
  expect(await shop.started()).toEqual(["o1", "o2"]);
});

test("where nothing has changed a 304 is the whole answer", async () => {
  const tagged = () => Response.json({ data: [order(1)], next: null }, { headers: { ETag: '"v1"' } });
  const shop = await polled([1].map(order), orders, tagged);
  await shop.first();
  shop.instead.push(() => new Response(null, { status: 304 }));
  expect(await shop.poll()).toMatchObject({ health: "healthy", outcome: "unchanged", found: 0 });
  expect(shop.asked().at(-1)?.headers.get("If-None-Match")).toBe('"v1"');
});

test("another list asks what becomes of what was seen", async () => {
  const shop = await polled([1, 2].map(order));
  await shop.first();
  const path = `/v1/triggers/${shop.trigger.id}`;
  const body = { poll: { request: { url: `${PROVIDER}/v2/orders` } } };
  const refused = await shop.must(400, "PATCH", path, { body });
  expect(refused.errors[0]).toMatchObject({ pointer: "position" });
  expect(refused.hint).toMatch(namingPattern("keep", "reset"));
  await shop.must(200, "PATCH", `${path}?position=keep`, { body });
  shop.list.push(order(3));
  await vi.waitFor(async () => expect(await shop.poll()).toMatchObject({ seen: 3 }), {
    timeout: 20_000,
    interval: 500,
  });
  expect(await shop.started()).toEqual(["o1", "o2", "o3"]);
  await shop.must(200, "PATCH", `${path}?position=reset`, { body: { poll: { from: "now" } } });
  await vi.waitFor(async () => expect((await shop.poll()).seen).toBe(3), { timeout: 20_000, interval: 500 });
  expect(await shop.started()).toEqual(["o1", "o2", "o3"]);
});

test("a dry run shows what would be delivered, and changes nothing", async () => {
  const shop = await polled([order(1)], { ...orders, poll: { ...orders.poll, from: "now" } });
  await shop.first();
  shop.list.push(order(2));
  for (const _time of [1, 2]) {
    const { preview } = await shop.must(200, "POST", `/v1/triggers/${shop.trigger.id}/poll?dryRun=true`, { body: {} });
    expect(preview).toMatchObject({ answer: "page", items: 2, fresh: 1, isBaseline: false });
    expect(preview.deliveries).toMatchObject([{ deliveryId: "o2", status: "pending", body: order(2) }]);
  }
  expect(await shop.deliveries()).toEqual([]);
});

test("a poller has no address, and can be switched off and on", async () => {
  const shop = await polled([1].map(order));
  const path = `/v1/triggers/${shop.trigger.id}`;
  expect(shop.trigger).toMatchObject({ kind: "poller", url: null, enabled: true });
  expect(shop.trigger).not.toHaveProperty("verify");
  await shop.must(400, "GET", `${path}/address`);
  await shop.must(400, "POST", `${path}/rotate-token`, { body: {} });
  await shop.must(200, "POST", `${path}/disable`, { body: {} });
  expect(await shop.state()).toMatchObject({ health: "off", nextPollAt: null });
  await shop.must(410, "POST", `${path}/poll`, { body: {} });
  await shop.must(200, "POST", `${path}/enable`, { body: {} });
  expect((await shop.state()).nextPollAt).not.toBeNull();
});

test("what cannot be read is said, and an item that is poisoned holds up no other", async () => {
  const poisoned = () => Response.json({ data: [order(1), { total: 20 }, order(3)], next: null });
  const shop = await polled([], orders, poisoned);
  await shop.first();
  expect(await shop.started()).toEqual(["o1", "o3"]);
  expect((await shop.deliveries()).map(({ status }) => status)).toEqual(["applied", "unmappable", "applied"]);
  shop.instead.push(() => Response.json({ orders: [] }));
  expect(await shop.poll()).toMatchObject({ health: "failing", reason: { code: "items_missing" } });
});

test("a poller that asks for too much is refused, field by field", async () => {
  const shop = await polled([]);
  const body = { ...orders, name: "other", poll: { ...orders.poll, every: 1_000, request: { method: "DELETE" } } };
  const { errors } = await shop.must(400, "POST", "/v1/triggers", { body });
  const pointers = errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers).toEqual(expect.arrayContaining(["/poll/every", "/poll/request/method", "/poll/request/url"]));
});
