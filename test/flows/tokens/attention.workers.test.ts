// A provider that refuses a connection's account: its work waits, a person is told once, and what mends it lets go on.
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { ConnectionWork } from "#entrypoints/connection-work.ts";
import { connect, crm, isCrm, setSecrets, startMany, TOKENS } from "#test/flows/crm.ts";
import { bindings, engine, provider, until, type Call, type Engine } from "#test/flows/engine.ts";

const auth = { type: "oauth2", grant: "client_credentials", tokenEndpoint: TOKENS };
const credentials = { clientId: "crm_id", clientSecret: "crm_secret" };
const ALERTS = "https://on-call.example.com/alerts";
const isToken = ({ url }: Call) => url.href === TOKENS;

/** Gives tokens for the secret "good-one" only. */
function strict(refusal: object = { error: "invalid_client" }, status = 401) {
  return provider(({ url, headers }) => {
    if (url.href !== TOKENS) return Response.json({});
    const isGood = headers.get("Authorization") === `Basic ${btoa("id-1:good-one")}`;
    return isGood ? Response.json({ access_token: "t", expires_in: 3_600 }) : Response.json(refusal, { status });
  });
}

async function refusedShop(name: string) {
  const shop = await engine(crm(name));
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "bad-one" });
  const channel = { kind: "webhook", config: { url: ALERTS } };
  await shop.must(201, "POST", "/v1/alert-channels", { body: { name: "on-call", channel, definitions: ["other"] } });
  const id = await connect(shop, { auth, credentials });
  return { shop, stub: bindings.CONNECTIONS.getByName(`${shop.tenant}/${id}`) };
}

const connection = (shop: Engine) => shop.must(200, "GET", "/v1/connections/crm");
const listed = async (shop: Engine) => (await shop.must(200, "GET", "/v1/connections")).data[0];
const inNeed = (shop: Engine) =>
  until("the lists show it", async () => ((await listed(shop)).status === "needs_attention" ? true : null));

async function held(shop: Engine, ids: readonly string[]): Promise<object[]> {
  return Promise.all(
    ids.map((id) =>
      until(`${id} is held`, async () => ((await shop.runs(id))[0].held ? (await shop.runs(id))[0] : null)),
    ),
  );
}
const runNow = async (shop: Engine, id: string) =>
  shop.must(200, "POST", `/v1/executions/${id}/run-now`, { body: { run: (await shop.runs(id))[0].id } });

test.each([
  ["invalid_client", { error: "invalid_client", error_description: "no s3cret here" }, 401, "invalid_client"],
  ["invalid_grant", { error: "invalid_grant" }, 400, "invalid_grant"],
  ["no token", { ok: true }, 200, "token_missing"],
])(
  "thirty runs of an account refused with %s are held, with one call and one alert",
  async (_what, body, status, code) => {
    const { calls } = strict(body, status);
    const { shop } = await refusedShop("refused");
    const ids = await startMany(shop, "refused", 30);
    for (const run of await held(shop, ids)) {
      expect(run).toMatchObject({
        status: "scheduled",
        attempt: 0,
        held: { reason: "needs_attention", connection: "crm" },
      });
    }
    await inNeed(shop);
    const { alert, seen } = await until("somebody is told", async () => {
      const told = calls.filter(({ url }) => url.href === ALERTS);
      return told[0] === undefined ? null : { alert: JSON.parse(told[0].body), seen: told.length };
    });
    expect([calls.filter(isToken).length, calls.filter(isCrm).length, seen]).toEqual([1, 0, 1]);
    expect(alert).toMatchObject({
      severity: "high",
      code: "connection_needs_attention",
      definition: null,
      notice: { subject: "crm", error: { type: "authentication_failed", code } },
      look: ["/v1/connections/crm"],
    });
    const attention = { since: expect.any(String), code, reason: expect.any(String), nextStep: expect.any(String) };
    expect(await connection(shop)).toMatchObject({ status: "needs_attention", attention });
    expect(await listed(shop)).toMatchObject({ status: "needs_attention", attention });
    expect(JSON.stringify(await connection(shop))).not.toContain("bad-one");
  },
  30_000,
);

test("a secret set anew ends it at once, and what waited goes on", async () => {
  const { calls } = strict();
  const { shop, stub } = await refusedShop("mended");
  const id = await shop.start("mended");
  await held(shop, [id]);
  await inNeed(shop);
  await evict(stub);
  expect(await connection(shop), "also after its sleep").toMatchObject({ status: "needs_attention" });
  await runNow(shop, id);
  await until("it is held again", async () => {
    const holds = (await shop.journal(id)).filter(({ kind }) => kind === "run_held");
    return holds.length === 2 ? true : null;
  });
  expect(calls.filter(isToken), "nobody asks before it is time").toHaveLength(1);
  await setSecrets(shop, { crm_secret: "good-one" });
  expect([(await connection(shop)).status, (await listed(shop)).status]).toEqual(["ok", "ok"]);
  await runNow(shop, id);
  await shop.reaches(id, "completed");
  expect(await connection(shop)).toMatchObject({ status: "ok", attention: null });
});

test("a check asks at once, and ends it where it succeeds", async () => {
  let isMended = false;
  const { calls } = provider(({ url }) => {
    if (url.href !== TOKENS) return Response.json({});
    return isMended
      ? Response.json({ access_token: "t", expires_in: 3_600 })
      : Response.json({ error: "invalid_client" }, { status: 401 });
  });
  const { shop } = await refusedShop("checked");
  await held(shop, [await shop.start("checked")]);
  await inNeed(shop);
  expect(await shop.must(200, "POST", "/v1/connections/crm/test")).toMatchObject({ ok: false });
  expect((await connection(shop)).status).toBe("needs_attention");
  isMended = true;
  expect(await shop.must(200, "POST", "/v1/connections/crm/test")).toMatchObject({ ok: true });
  expect([(await connection(shop)).status, (await listed(shop)).status]).toEqual(["ok", "ok"]);
  expect(calls.filter(isToken)).toHaveLength(3);
});

test("changed settings end it", async () => {
  strict();
  const { shop } = await refusedShop("changed");
  await held(shop, [await shop.start("changed")]);
  await inNeed(shop);
  const body = { credentials: { clientSecret: "crm_other" } };
  await setSecrets(shop, { crm_other: "good-one" });
  expect(await shop.must(200, "PATCH", "/v1/connections/crm", { body })).toMatchObject({
    status: "ok",
    attention: null,
  });
  expect((await connection(shop)).status).toBe("ok");
});

test("lists that could not be told are told by the alarm", async () => {
  strict();
  const spy = vi.spyOn(ConnectionWork.prototype, "reportAttention").mockRejectedValueOnce(new Error("D1 is away"));
  onTestFinished(() => spy.mockRestore());
  const { shop, stub } = await refusedShop("untold");
  await held(shop, [await shop.start("untold")]);
  await until("it was tried", () => (spy.mock.calls.length > 0 ? true : null));
  expect((await connection(shop)).status, "its object knows").toBe("needs_attention");
  expect((await listed(shop)).status).toBe("ok");
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect((await listed(shop)).status).toBe("needs_attention");
  await evict(stub);
  expect(await runDurableObjectAlarm(stub)).toBe(false);
});
