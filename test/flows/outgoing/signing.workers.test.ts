// Signatures as receivers see them: each verifies with its own key, and what one of them knows is of no use to it
// elsewhere. By both lanes, by alert channels, in the middle of rotations, and with a key that the tenant has brought.
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { bindings, engine, hook, provider, PROVIDER, until, type Call, type Engine } from "#test/flows/engine.ts";

Object.assign(bindings, { SIGNING_KEY: "the-key-of-these-flows" });

/** What a receiver does with the key it has, as Standard Webhooks says. */
function verifies({ headers, body }: Call, secret: string): boolean {
  const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return (headers.get("webhook-signature") ?? "").split(" ").includes(signature);
}

const secretsOf = async (here: Engine, query: string): Promise<readonly string[]> =>
  (await here.must(200, "GET", `/v1/signing-keys?${query}`)).keys.map(({ secret }: Parsed) => secret);
const ofUrl = (here: Engine, path: string) => secretsOf(here, `url=${encodeURIComponent(PROVIDER + path)}`);
const rotate = (here: Engine, body: object) => here.must(200, "POST", "/v1/signing-keys/rotate", { body });

/** Two receivers on one host, one of them twice under a name, and one with a key of the tenant's own. */
const OWN = `whsec_${btoa("o".repeat(32))}`;
const calls = (lane: string) => ({
  kind: "machine",
  name: `signed-${lane}`,
  initial: "calling",
  states: { calling: { on: { "action.last.ok": "done" } }, done: { type: "final" } },
  actions: [
    hook("crm", { config: { url: `${PROVIDER}/crm?a=1`, payload: { to: "crm" } } }),
    hook("shop", { config: { url: `${PROVIDER}/shop`, payload: { to: "shop" } } }),
    hook("named", { config: { url: `${PROVIDER}/orders/7`, payload: 1, sign: { endpoint: "orders" } } }),
    hook("own", { config: { url: `${PROVIDER}/own`, payload: 1, sign: { secret: "{{ secrets.own_key }}" } } }),
    hook("last", { config: { url: `${PROVIDER}/last`, sign: false } }),
  ].map((action) => ({ ...action, triggerState: "calling", lane })),
});

it.each(["direct", "queue"])("a receiver's key verifies its own messages and no other's (%s lane)", async (lane) => {
  const heard = provider();
  const here = await engine(calls(lane));
  await here.must(200, "PUT", "/v1/secrets/own_key", { body: { value: OWN } });
  const execution = await here.start(`signed-${lane}`);
  await here.reaches(execution, "completed");
  const at = (path: string) => until(path, () => heard.calls.find(({ url }) => url.pathname === path) ?? null);
  const messages = await Promise.all(["/crm", "/shop", "/orders/7", "/own"].map(at));
  const keys = [...(await ofUrl(here, "/crm")), ...(await ofUrl(here, "/shop"))];
  keys.push(...(await secretsOf(here, "endpoint=orders")), OWN);
  const table = messages.map((message) => keys.map((key) => verifies(message, key)));
  expect(table).toEqual(keys.map((_, row) => keys.map((_key, column) => row === column)));
  expect((await at("/last")).headers.get("webhook-signature")).toBeNull();
  // Not the key, nor what could be made of it.
  const kept = JSON.stringify([await here.runs(execution), await here.journal(execution)]);
  for (const key of keys) expect(kept).not.toContain(key.slice("whsec_".length));
});

it("an alert channel is a receiver like any other", async () => {
  const heard = provider();
  const here = await engine();
  const channel = { kind: "webhook", config: { url: `${PROVIDER}/alerts` } };
  const { id } = await here.must(201, "POST", "/v1/alert-channels", { body: { name: "ops", channel } });
  await here.must(200, "POST", `/v1/alert-channels/${id}/test`);
  const alert = await until("the alert", () => heard.calls.find(({ url }) => url.pathname === "/alerts") ?? null);
  const [[own = ""], [other = ""]] = [await ofUrl(here, "/alerts"), await ofUrl(here, "/crm")];
  expect([verifies(alert, own), verifies(alert, other)]).toEqual([true, false]);
});

it("a tenant changes over, a key is rotated, one leaks: nobody who keeps up refuses a message", async () => {
  const heard = provider();
  const here = await engine();
  await bindings.DB.prepare("DELETE FROM signing WHERE tenant = ?").bind(here.tenant).run();
  let sent = 0;
  const message = async (): Promise<Call> => {
    const n = (sent += 1);
    const body = { type: "webhook", config: { url: `${PROVIDER}/crm?n=${n}`, payload: { n } } };
    await here.must(201, "POST", "/v1/actions", { body });
    return until("the message", () => heard.calls.find(({ url }) => url.searchParams.get("n") === String(n)) ?? null);
  };
  const { secret: shared } = await here.must(200, "GET", "/v1/signing-secret");
  expect(verifies(await message(), shared)).toBe(true);

  await rotate(here, { overlap: "P30D" });
  const [first = ""] = await ofUrl(here, "/crm");
  const changing = await message();
  expect([verifies(changing, shared), verifies(changing, first)]).toEqual([true, true]);

  // Whoever held the shared key is rid of: a leak ends every overlap.
  await rotate(here, { overlap: "PT0S" });
  const [second = ""] = await ofUrl(here, "/crm");
  const changed = await message();
  expect([shared, first, second].map((key) => verifies(changed, key))).toEqual([false, false, true]);

  await rotate(here, { url: `${PROVIDER}/crm`, overlap: "P7D" });
  const [third = ""] = await ofUrl(here, "/crm");
  const rotated = await message();
  expect([second, third].map((key) => verifies(rotated, key))).toEqual([true, true]);
  await rotate(here, { url: `${PROVIDER}/crm`, overlap: "PT0S" });
  const [fourth = ""] = await ofUrl(here, "/crm");
  const last = await message();
  expect([second, third, fourth].map((key) => verifies(last, key))).toEqual([false, false, true]);
});
