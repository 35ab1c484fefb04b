// Tests the sandbox in workerd over HTTP, as the engine and the crash test call it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestHarness } from "wrangler";
import { naming } from "#test/support/matchers/naming.ts";

const server = createTestHarness({
  workers: [{ configPath: new URL("../../sandbox/wrangler.toml", import.meta.url) }],
});
beforeAll(async () => void (await server.listen()), 30_000);
afterAll(() => server.close());

const send = (path: string, key: string, body = "{}", headers: Record<string, string> = {}) =>
  server.fetch(path, { method: "POST", body, headers: { "Idempotency-Key": key, ...headers } });

const putScript = (script: object) =>
  server.fetch("/_control/scripts", { method: "PUT", body: JSON.stringify(script) });

const ask = async (path: string) => (await server.fetch(path)).json();

const recorded = async (query: string) =>
  (await ask(`/_control/requests?path=${query}`)) as { total: number; requests: { key: string; body: string }[] };

it("records a request, and answers with a receipt", async () => {
  const response = await send("/sink/record/a?x=1", "k1", "hello", { "X-Effect": "mail" });
  expect(await response.json()).toEqual({ ok: true, receiptId: expect.stringMatching(/^receipt-\d+$/) });
  const request = { method: "POST", path: "/sink/record/a", query: "?x=1", body: "hello", key: "k1", attempt: 1 };
  expect(await ask("/_control/requests?path=/sink/record/*")).toMatchObject({ total: 1, requests: [request] });
});

it("takes the key from webhook-id when there is no Idempotency-Key", async () => {
  await server.fetch("/sink/webhook", { method: "POST", body: "", headers: { "webhook-id": "w1" } });
  expect(await ask("/_control/keys?path=/sink/webhook")).toMatchObject({ keys: [{ key: "w1", requests: 1 }] });
});

it("records the first 256 KB of a body, and its length", async () => {
  await send("/sink/long", "k1", "x".repeat(300 * 1024));
  const { requests } = await recorded("/sink/long");
  expect(requests).toMatchObject([{ body: "x".repeat(256 * 1024), bodyBytes: 300 * 1024 }]);
});

it("counts attempts per key", async () => {
  const steps = [{ status: 503, headers: { "Retry-After": "1" } }, { body: { x: 1 } }];
  expect((await putScript({ path: "/sink/steps", steps, then: { status: 204 } })).status).toBe(200);
  const first = await send("/sink/steps", "k1");
  expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "1"]);
  expect((await send("/sink/steps", "k2")).status).toBe(503);
  expect(await (await send("/sink/steps", "k1")).json()).toEqual({ x: 1 });
  expect((await send("/sink/steps", "k1")).status).toBe(204);
});

it("gives every nth request below a prefix its step", async () => {
  await putScript({ path: "/sink/nth/*", everyNth: { n: 3, step: { status: 500 } } });
  const statuses: number[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) statuses.push((await send(`/sink/nth/${n}`, `k${n}`)).status);
  expect(statuses).toEqual([200, 200, 500, 200, 200, 500]);
});

it("breaks the connection on drop: the body cannot be read, and the request is still recorded", async () => {
  await putScript({ path: "/sink/drop", steps: [{ drop: true }] });
  await expect(send("/sink/drop", "k1").then((response) => response.text())).rejects.toThrow();
  expect((await send("/sink/drop", "k1")).status).toBe(200);
  expect(await ask("/_control/requests?path=/sink/drop")).toMatchObject({ total: 2 });
});

it("counts requests and distinct bodies per key", async () => {
  for (const body of ["a", "a", "b"]) await send("/sink/keys", "k1", body);
  await send("/sink/keys", "k2", "a");
  expect(await ask("/_control/keys?path=/sink/keys")).toMatchObject({
    total: 2,
    keys: [
      { key: "k1", requests: 3, bodies: 2 },
      { key: "k2", requests: 1, bodies: 1 },
    ],
  });
});

it("finds an effect with two keys", async () => {
  await send("/sink/effects", "k1", "one", { "X-Effect": "mail" });
  await send("/sink/effects", "k2", "two", { "X-Effect": "mail" });
  await send("/sink/effects", "k3", "three");
  const doubled = { effect: "mail", keys: ["k1", "k2"], requests: 2, keyless: 0 };
  const once = { effect: "/sink/effects three", keys: ["k3"], requests: 1, keyless: 0 };
  expect(await ask("/_control/effects?path=/sink/effects")).toMatchObject({ total: 2, effects: [doubled, once] });
  expect(await ask("/_control/effects?path=/sink/effects&minKeys=2")).toMatchObject({ total: 1, effects: [doubled] });
});

it("lists the latest requests, or those after an id; the newest is last", async () => {
  for (const key of ["a", "b", "c"]) await send("/sink/page", key);
  const page = async (query: string) => (await recorded(`/sink/page${query}`)).requests.map((request) => request.key);
  expect(await page("")).toEqual(["a", "b", "c"]);
  expect(await page("&limit=2")).toEqual(["b", "c"]);
  expect(await page("&limit=2&after=0")).toEqual(["a", "b"]);
  expect(await page("&key=b")).toEqual(["b"]);
});

it("deletes requests below a prefix, and counts their attempts from the start", async () => {
  await send("/sink/clear/a", "k1");
  const cleared = await server.fetch("/_control/requests?path=/sink/clear/*", { method: "DELETE" });
  expect(await cleared.json()).toEqual({ cleared: 1 });
  await send("/sink/clear/a", "k1");
  expect(await ask("/_control/requests?path=/sink/clear/*")).toMatchObject({ total: 1, requests: [{ attempt: 1 }] });
});

it("names the field and the fix of an invalid request", async () => {
  const response = await putScript({ path: "/sink/a", stepz: [], steps: [{ status: 999 }] });
  expect([response.status, response.headers.get("Content-Type")]).toEqual([400, "application/problem+json"]);
  expect(await response.json()).toMatchObject({
    code: "invalid_input",
    errors: [
      { pointer: "/steps/0/status", hint: naming(200, 599) },
      { pointer: "/stepz", message: naming("stepz") },
    ],
  });
  expect((await server.fetch("/_control/requests?limit=0")).status).toBe(400);
  expect((await server.fetch("/_control/scripts", { method: "PUT", body: "{" })).status).toBe(400);
  expect((await server.fetch("/quick/a?shere=1")).status).toBe(400);
});

it("answers the quick endpoint without recording", async () => {
  const before = await recorded("/*");
  expect(await ask("/quick/a")).toEqual({ ok: true });
  expect((await server.fetch("/quick/a?status=503")).status).toBe(503);
  expect((await recorded("/*")).total).toBe(before.total);
});

it("describes itself", async () => {
  expect(await (await server.fetch("/")).text()).toContain("/_control/requests");
  expect(await ask("/health")).toEqual({ ok: true });
  expect((await server.fetch("/nothing")).status).toBe(404);
});
