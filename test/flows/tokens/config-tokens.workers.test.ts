// Access tokens that a config or a provider's runner asks for, through the whole Worker: one call for all who are cold,
// whichever lane they take, and nobody gets what is somebody else's.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { ConnectionObject } from "#objects/connection/connection.ts";
import { crm, setSecrets, startMany, TOKENS } from "#test/flows/crm.ts";
import { bindings, engine, provider, type Call, type Engine } from "#test/flows/engine.ts";

const CRM = "https://crm.example.com/people";
const isToken = ({ url }: Call) => url.href === TOKENS;

const client = {
  type: "oauth2",
  tokenEndpoint: TOKENS,
  clientId: "{{ secrets.crm_id }}",
  clientSecret: "{{ secrets.crm_secret }}",
  scope: "read",
};
const config = { url: CRM, authentication: client };
/** Asks with a client that its own config holds. */
const asking = (name: string, more: object = {}) => crm(name, { config, ...more });

async function shopWith(...definitions: object[]): Promise<Engine> {
  const shop = await engine(...definitions);
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "s3cret" });
  return shop;
}

/** A slow token server, with numbered tokens; the CRM takes those that are good. */
function server({ isGood = () => true, lifeS = 3_600 as unknown, more = {} }: Server = {}) {
  let given = 0;
  return provider(async (call) => {
    if (call.url.href !== TOKENS)
      return isGood(call.headers.get("Authorization") ?? "") ? Response.json({}) : new Response(null, { status: 401 });
    await scheduler.wait(30);
    given += 1;
    return Response.json({ access_token: `token-${given}`, token_type: "Bearer", expires_in: lifeS, ...more });
  });
}
type Server = { isGood?: (authorization: string) => boolean; lifeS?: unknown; more?: object };

/** The objects that were asked for tokens meanwhile. */
function asked() {
  const spy = vi.spyOn(ConnectionObject.prototype, "ownToken");
  onTestFinished(() => spy.mockRestore());
  return spy;
}

async function completed(shop: Engine, ids: readonly string[]): Promise<void> {
  for (const id of ids) await shop.reaches(id, "completed");
}

test("thirty cold calls of both lanes make one token call, and warm ones ask no object", async () => {
  const { calls } = server();
  const shop = await shopWith(asking("direct", { lane: "direct" }), asking("queued", { lane: "queue" }));
  const [direct, queued] = await Promise.all([startMany(shop, "direct", 15), startMany(shop, "queued", 15)]);
  await completed(shop, [...direct, ...queued]);
  expect(calls.filter(isToken)).toHaveLength(1);
  expect(calls).toHaveLength(31);
  const objects = asked();
  await completed(shop, await startMany(shop, "direct", 5));
  expect(objects.mock.calls).toHaveLength(0);
  expect(calls.filter(isToken)).toHaveLength(1);
});

test("two tenants with the same client do not share a token, nor do two clients of one tenant", async () => {
  const { calls } = server();
  const other = { ...client, clientId: "id-2" };
  const shops = [await shopWith(asking("mine")), await shopWith(asking("mine"))];
  for (const shop of shops) await completed(shop, [await shop.start("mine")]);
  expect(calls.filter(isToken)).toHaveLength(2);
  const [shop] = shops as [Engine];
  await shop.must(201, "POST", "/v1/definitions", {
    body: asking("others", { config: { url: CRM, authentication: other } }),
  });
  await completed(shop, [await shop.start("others")]);
  expect(calls.filter(isToken)).toHaveLength(3);
  const used = calls.filter((call) => !isToken(call)).map(({ headers }) => headers.get("Authorization"));
  expect(used).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-3"]);
});

test("a token does not outlive a changed secret", async () => {
  const { calls } = server();
  const shop = await shopWith(asking("changed"));
  await completed(shop, [await shop.start("changed")]);
  await setSecrets(shop, { crm_secret: "another" });
  await completed(shop, [await shop.start("changed")]);
  const secrets = calls.filter(isToken).map(({ body }) => new URLSearchParams(body).get("client_secret"));
  expect(secrets).toEqual(["s3cret", "another"]);
  expect(calls.at(-1)?.headers.get("Authorization")).toBe("Bearer token-2");
});

test("a refused token is renewed once by one, not by thirty", async () => {
  const { calls } = server({ isGood: (authorization) => authorization !== "Bearer token-1" });
  const shop = await shopWith(asking("refused"));
  await completed(shop, await startMany(shop, "refused", 30));
  expect(calls.filter(isToken)).toHaveLength(2);
});

test("what holds the token knows neither it nor the secrets, and is cleared when nobody has needed it for a day", async () => {
  server({ lifeS: 3_600 });
  const shop = await shopWith(asking("sealed"));
  const objects = asked();
  await completed(shop, [await shop.start("sealed")]);
  const holder = (objects.mock.contexts[0] as unknown as { readonly ctx: DurableObjectState }).ctx.id.name ?? "";
  expect(holder).toMatch(new RegExp(`^${shop.tenant}/tok_[0-9a-f]{32}$`));
  const stub = bindings.CONNECTIONS.getByName(holder);
  const look = () =>
    runInDurableObject(stub, async (_object, { storage }) => ({
      text: JSON.stringify(storage.sql.exec("SELECT * FROM rows").toArray()),
      alarm: await storage.getAlarm(),
    }));
  const { text, alarm } = await look();
  expect(text).toContain("ciphertext");
  expect(text).not.toMatch(/token-1|s3cret|id-1/);
  expect(alarm).toBeGreaterThan(Date.now() + 24 * 60 * 60_000);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect((await look()).text, "too early: it is looked at again").toContain("ciphertext");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 26 * 60 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await runDurableObjectAlarm(stub);
  const tables = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'").toArray(),
  );
  expect(tables).toEqual([]);
});

test("a refresh token that the server rotates is kept, sealed, and used by whoever has begun with the same", async () => {
  const used: (string | null)[] = [];
  provider(({ url, body }) => {
    if (url.href !== TOKENS) return Response.json({});
    used.push(new URLSearchParams(body).get("refresh_token"));
    const access_token = `access-${used.length}`;
    return Response.json({ access_token, refresh_token: `refresh-${used.length}`, expires_in: 0.01 });
  });
  const rotating = { ...client, grant: "refresh_token", refreshToken: "{{ secrets.crm_refresh }}" };
  const as = (name: string, more: object) =>
    asking(name, { config: { url: CRM, authentication: { ...rotating, ...more } } });
  const shop = await shopWith(as("reading", {}), as("writing", { scope: "write", clientAuth: "basic" }));
  await setSecrets(shop, { crm_refresh: "first" });
  const objects = asked();
  for (const name of ["reading", "writing"]) await completed(shop, [await shop.start(name)]);
  const holder = (objects.mock.contexts[0] as unknown as { readonly ctx: DurableObjectState }).ctx.id.name ?? "";
  await evict(bindings.CONNECTIONS.getByName(holder));
  await completed(shop, [await shop.start("reading")]);
  expect(used).toEqual(["first", "refresh-1", "refresh-2"]);
});

const accounts: {
  readonly [provider: string]: { readonly url: string; readonly action: object; readonly more: object };
} = {
  fcm: {
    url: "https://oauth2.googleapis.com/token",
    action: { type: "push", config: { provider: "fcm", token: "device", notification: { title: "Hello" } } },
    more: { credentials: { projectId: "crm_id", clientEmail: "crm_id", privateKey: "key" } },
  },
  docusign: {
    url: "https://account-d.docusign.com/oauth/token",
    action: {
      type: "docusign_envelope",
      config: { templateId: "t", templateRoles: [{ roleName: "r", name: "Ada", email: "ada@example.com" }] },
    },
    more: {
      credentials: { privateKey: "key" },
      sandbox: true,
      settings: { accountId: "a", integrationKey: "i", userId: "u" },
    },
  },
};

test.each(Object.keys(accounts))(
  "thirty cold calls over an account at %s make one token call",
  async (name) => {
    const { url: tokens, action, more } = accounts[name] ?? { url: "", action: {}, more: {} };
    const { calls } = provider(async ({ url }) => {
      if (url.href !== tokens) return Response.json({ envelopeId: "e", status: "sent", name: "m" }, { status: 201 });
      await scheduler.wait(30);
      return Response.json({ access_token: "token-of-the-test", expires_in: 3_600 });
    });
    const [direct, queued] = ["direct", "queue"].map((lane) => crm(lane, { ...action, lane })) as [object, object];
    const shop = await shopWith(direct, queued);
    await setSecrets(shop, { key: await rsaPem() });
    await shop.must(201, "POST", "/v1/connections", { body: { name, provider: name, ...more } });
    const started = await Promise.all([startMany(shop, "direct", 15), startMany(shop, "queue", 15)]);
    await completed(shop, started.flat());
    expect(calls.filter(({ url }) => url.href === tokens)).toHaveLength(1);
  },
  30_000,
);

async function rsaPem(): Promise<string> {
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const algorithm = { ...rsa, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // RSA's are pairs
  const bytes = new Uint8Array((await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer); // no "jwk"
  const kind = "PRIVATE KEY";
  return `-----BEGIN ${kind}-----\n${btoa(String.fromCharCode(...bytes))}\n-----END ${kind}-----`;
}
