// Actions on their own in the real Worker: sent, deduplicated, delayed, canceled, and sent again by a person.
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { Parsed } from "#test/support/api.ts";
import { bindings, engine, PROVIDER, provider, until, type Engine } from "./engine.ts";

Object.assign(bindings, { SECRETS_KEYS: `k1:${btoa("k".repeat(32))}` });
const hook = (more: object = {}) => ({ type: "webhook", config: { url: `${PROVIDER}/hook` }, ...more });

async function dispatch(shop: Engine, body: object, headers: Record<string, string> = {}): Promise<Parsed> {
  return shop.must(201, "POST", "/v1/actions", { body, headers });
}

function reaches(shop: Engine, id: string, status: string): Promise<Parsed> {
  return until(`${id} is ${status}`, async () => {
    const found = await shop.must(200, "GET", `/v1/actions/${id}`);
    return found.status === status ? found : null;
  });
}

it("one is sent, and tells what became of it", async () => {
  const { calls } = provider(() => Response.json({ ok: true, ticket: 7 }));
  const shop = await engine();
  await shop.must(200, "PUT", "/v1/secrets/hook_token", { body: { value: "tell-nobody" } });
  const config = {
    url: `${PROVIDER}/orders/{{ execution.variables.order }}`,
    headers: { "X-Hook": "{{ secrets.hook_token }}" },
  };
  const { action } = await dispatch(shop, hook({ config, variables: { order: "o-17" }, actionId: "tell-shop" }));
  const done = await reaches(shop, action.id, "ok");
  expect(done).toMatchObject({
    actionId: "tell-shop",
    attempt: 1,
    maxAttempts: 5,
    config: { url: `${PROVIDER}/orders/o-17`, headers: { "X-Hook": { $secret: [{ name: "hook_token" }] } } },
    idempotencyKey: calls[0]?.key,
    deadLetterId: null,
    error: null,
  });
  expect(done.attempts).toMatchObject([{ attempt: 1, error: null, possiblyRepeated: false }]);
  expect([done.startedAt, done.finishedAt]).not.toContain(null);
  expect(calls[0]?.headers.get("X-Hook")).toBe("tell-nobody");
  const execution = await shop.read(action.id);
  expect([execution.definition.name, execution.status]).toEqual(["$action", "completed"]);
  const listed = await until("it is in the list", async () => {
    const { data } = await shop.must(200, "GET", "/v1/actions?status=ok");
    return data.length > 0 ? data : null;
  });
  expect(listed).toMatchObject([{ id: action.id, actionId: "tell-shop", type: "webhook", status: "ok" }]);
});

it("a batch is sent, each with its own answer", async () => {
  const { calls } = provider();
  const shop = await engine();
  const actions = Array.from({ length: 30 }, (_, n) => hook({ config: { url: `${PROVIDER}/${n}` } }));
  const body = { actions: [...actions, hook({ type: "webhok" })] };
  const answer = await shop.must(200, "POST", "/v1/actions/batch", { body });
  expect(answer).toMatchObject({ dispatched: 30, repeated: 0, refused: 1 });
  expect(answer.results[30].problem.errors).toMatchObject([{ pointer: "/actions/30/type" }]);
  for (const { id } of answer.results.slice(0, 30)) await reaches(shop, id, "ok");
  expect(new Set(calls.map(({ url }) => url.pathname)).size).toBe(30);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(30);
});

it("many calls at once with the same dedup key are one action", async () => {
  const { calls } = provider();
  const shop = await engine();
  const body = hook({ dedupKey: "invoice-7" });
  const alone = await Promise.all(Array.from({ length: 20 }, () => shop.ask("POST", "/v1/actions", { body })));
  expect(alone.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(alone.filter(({ status, body: said }) => status === 200 && said.repeated)).toHaveLength(19);
  const together = await shop.must(200, "POST", "/v1/actions/batch", {
    body: { actions: [...Array.from({ length: 10 }, () => body), hook({ dedupKey: "invoice-8" })] },
  });
  expect(together).toMatchObject({ dispatched: 1, repeated: 10, refused: 0 });
  const ids = new Set([...alone.map((each) => each.body.action.id), together.results[0].id]);
  expect(ids.size).toBe(1);
  const [first] = ids;
  const done = await reaches(shop, first, "ok");
  expect(Date.parse(done.dedupUntil) - Date.parse(done.createdAt)).toBe(24 * 3_600_000);
  await reaches(shop, together.results[10].id, "ok");
  expect(calls).toHaveLength(2);
});

it("an object that was evicted still knows its dedup keys, and the keys that came with them", async () => {
  const { calls } = provider();
  const shop = await engine();
  const key = { "Idempotency-Key": "mine" };
  const body = hook({ dedupKey: "invoice-11" });
  const { action } = await dispatch(shop, body, key);
  await reaches(shop, action.id, "ok");
  await evict(shop.stub(action.id));
  const again = await shop.must(200, "POST", "/v1/actions", { body });
  expect([again.repeated, again.action.id, again.action.status]).toEqual([true, action.id, "ok"]);
  await evict(shop.stub(action.id));
  const other = await shop.ask("POST", "/v1/actions", { body: { ...body, priority: 5 }, headers: key });
  expect([other.status, other.body.code, calls.length]).toEqual([422, "idempotency_conflict", 1]);
});

it("in one batch the first with a dedup key stands for the others, whatever they say besides", async () => {
  const { calls } = provider();
  const shop = await engine();
  const actions = [1, 2, 3].map((priority) => hook({ dedupKey: "same", priority }));
  const answer = await shop.must(200, "POST", "/v1/actions/batch", { body: { actions } });
  expect(answer.results.map(({ repeated }: Parsed) => repeated)).toEqual([false, true, true]);
  const done = await reaches(shop, answer.results[2].id, "ok");
  expect([done.priority, calls.length]).toEqual([1, 1]);
});

it("an Idempotency-Key holds beyond the window of the dedup key, and only for the same body", async () => {
  const { calls } = provider();
  const shop = await engine();
  const body = hook({ dedupKey: "invoice-9", dedupWindow: 1_000 });
  const key = { "Idempotency-Key": "mine" };
  const { action } = await dispatch(shop, body, key);
  const other = await shop.ask("POST", "/v1/actions", { body: { ...body, priority: 5 }, headers: key });
  expect([other.status, other.body.code]).toEqual([422, "idempotency_conflict"]);
  await until("the window is over", () => (Date.now() > Date.parse(action.dedupUntil) ? true : null));
  const again = await shop.must(200, "POST", "/v1/actions", { body, headers: key });
  expect([again.repeated, again.action.id]).toEqual([true, action.id]);
  const next = await dispatch(shop, body);
  expect(next.action.id).not.toBe(action.id);
  await reaches(shop, next.action.id, "ok");
  expect(calls).toHaveLength(2);
});

it("one with a delay waits for it, and is canceled before it is due", async () => {
  const { calls } = provider();
  const shop = await engine();
  const { action } = await dispatch(shop, hook({ delay: "PT1H" }));
  expect(action.status).toBe("scheduled");
  expect(Date.parse(action.dueAt) - Date.parse(action.createdAt)).toBe(3_600_000);
  const canceled = await shop.must(200, "POST", `/v1/actions/${action.id}/cancel`, { body: { reason: "no need" } });
  expect(canceled.action).toMatchObject({ status: "canceled", dueAt: null });
  const refused = await shop.ask("POST", `/v1/actions/${action.id}/cancel`);
  expect([refused.status, refused.body.code]).toEqual([409, "execution_final"]);
  const soon = await dispatch(shop, hook({ delay: 50 }));
  await until("its time has come", () => (Date.now() > Date.parse(soon.action.dueAt) ? true : null));
  await runDurableObjectAlarm(shop.stub(soon.action.id));
  await reaches(shop, soon.action.id, "ok");
  expect(calls).toHaveLength(1);
});

it("a failed one is sent again under the key it had, as it was or changed", async () => {
  let status = 404;
  const { calls } = provider(() => new Response("no", { status }));
  const shop = await engine();
  const { action } = await dispatch(shop, hook({ config: { url: `${PROVIDER}/old`, payload: { a: 1, b: 2 } } }));
  const failed = await reaches(shop, action.id, "failed");
  expect(failed).toMatchObject({ attempt: 1, error: { type: "not_found" } });
  expect(failed.deadLetterId).toBe(`dl_${action.id.slice(4)}.1.0`);

  const wrong = await shop.ask("POST", `/v1/actions/${action.id}/retry`, { body: { config: { urll: "x" } } });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, "/config/urll"]);
  const kept = await shop.must(200, "GET", `/v1/actions/${action.id}`);
  expect(kept).toEqual(failed);

  const retry = (body: object, headers = {}) =>
    shop.must(200, "POST", `/v1/actions/${action.id}/retry`, { body, headers });
  await retry({ reason: "try it" }, { "Idempotency-Key": "r1" });
  await until("it has failed again", () => (calls.length === 2 ? true : null));
  const twice = await reaches(shop, action.id, "failed");
  expect(twice).toMatchObject({ attempt: 2, maxAttempts: 6, redriven: { times: 1, attemptsBefore: 1 } });
  expect((await retry({ reason: "try it" }, { "Idempotency-Key": "r1" })).repeated).toBe(true);

  status = 200;
  await retry({ config: { url: `${PROVIDER}/new`, payload: { b: null } }, reason: "it moved" });
  const done = await reaches(shop, action.id, "ok");
  expect(done).toMatchObject({ attempt: 3, deadLetterId: null, config: { url: `${PROVIDER}/new`, payload: { a: 1 } } });
  expect(calls.map(({ url }) => url.pathname)).toEqual(["/old", "/old", "/new"]);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
});

it("an execution that carries a failed one waits for a person until a day, and for no event", async () => {
  provider(() => new Response(null, { status: 404 }));
  const shop = await engine();
  const { action } = await dispatch(shop, hook());
  await reaches(shop, action.id, "failed");
  const execution = await shop.read(action.id);
  expect(execution).toMatchObject({ status: "waiting", states: ["failed"], runs: { failed: 1 } });
  expect(execution.waitingFor).toMatchObject([{ for: "person" }]);
});
