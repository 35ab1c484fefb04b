// Access tokens of connections, through the whole Worker: one call for all, renewed once, classified, sealed.
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { connect, crm, isCrm, setSecrets, startMany, TOKENS } from "#test/flows/crm.ts";
import { bindings, engine, provider } from "#test/flows/engine.ts";

const auth = {
  type: "oauth2",
  grant: "client_credentials",
  tokenEndpoint: TOKENS,
  scopes: ["read", "write"],
  audience: "crm",
};
const credentials = { clientId: "crm_id", clientSecret: "crm_secret" };

test("50 runs at once make one token call; the token survives the object's sleep, and is sealed there", async () => {
  const { calls } = provider(async ({ url }) => {
    if (url.href !== TOKENS) return Response.json({});
    await scheduler.wait(50);
    return Response.json({ access_token: "token-of-the-test", expires_in: 3_600, token_type: "Bearer" });
  });
  const shop = await engine(crm("many"));
  await setSecrets(shop, { crm_id: "id:1", crm_secret: "s3cret" });
  const connection = await connect(shop, { auth, credentials });
  for (const id of await startMany(shop, "many", 50)) await shop.reaches(id, "completed");
  const tokenCalls = calls.filter(({ url }) => url.href === TOKENS);
  expect(tokenCalls).toHaveLength(1);
  expect(Object.fromEntries(new URLSearchParams(tokenCalls[0]?.body))).toEqual({
    grant_type: "client_credentials",
    scope: "read write",
    audience: "crm",
  });
  expect(tokenCalls[0]?.headers.get("Authorization")).toBe(`Basic ${btoa("id%3A1:s3cret")}`);
  expect(new Set(calls.filter(isCrm).map(({ headers }) => headers.get("Authorization")))).toEqual(
    new Set(["Bearer token-of-the-test"]),
  );
  const stub = bindings.CONNECTIONS.getByName(`${shop.tenant}/${connection}`);
  await evict(stub);
  await shop.reaches(await shop.start("many"), "completed");
  expect(calls.filter(({ url }) => url.href === TOKENS)).toHaveLength(1);
  const stored = await runInDurableObject(stub, (_object, { storage }) =>
    JSON.stringify(storage.sql.exec("SELECT * FROM rows").toArray()),
  );
  expect(stored).toContain("ciphertext");
  expect(stored).not.toContain("token-of-the-test");
});

test("a refused token is renewed once for all of them, and a replacement that is refused too is not renewed again", async () => {
  let good = 0;
  let given = 0;
  const { calls } = provider(async ({ url, headers }) => {
    if (url.href === TOKENS) return Response.json({ access_token: `token-${++given}`, expires_in: 3_600 });
    await scheduler.wait(20);
    return headers.get("Authorization") === `Bearer token-${good}`
      ? Response.json({})
      : new Response(null, { status: 401 });
  });
  const shop = await engine(crm("refused"));
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "s3cret" });
  await connect(shop, { auth, credentials });
  good = 2;
  const ids = await startMany(shop, "refused", 10);
  for (const id of ids) await shop.reaches(id, "completed");
  expect(given).toBe(2);
  good = 0;
  const id = await shop.start("refused");
  await shop.reaches(id, "failed");
  expect(given).toBe(2);
  expect((await shop.runs(id))[0].error).toMatchObject({ type: "authentication_failed", code: "token_refused" });
  expect(calls.filter(isCrm).length).toBeLessThanOrEqual(21);
});

test.each<[string, () => Response, object]>([
  [
    "a bad moment",
    () => new Response("<html>", { status: 502 }),
    { type: "service_unavailable", code: "token_endpoint_unavailable", retryable: true },
  ],
  [
    "half of an answer",
    () => new Response('{"access_token":"tok'),
    { type: "service_unavailable", code: "token_answer_unreadable", retryable: true },
  ],
  ["a wrong address", () => new Response(null, { status: 404 }), { type: "invalid_configuration", retryable: false }],
])("a token endpoint that answers with %s is classified, and no secret is kept", async (_what, answer, error) => {
  provider(({ url }) => (url.href === TOKENS ? answer() : Response.json({})));
  const shop = await engine(crm("classified"));
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "s3cret" });
  await connect(shop, { auth, credentials });
  const id = await shop.start("classified");
  await shop.reaches(id, "failed");
  expect((await shop.runs(id))[0].error).toMatchObject(error);
  expect(JSON.stringify(await shop.journal(id))).not.toContain("s3cret");
  expect(await shop.must(200, "POST", "/v1/connections/crm/test")).toMatchObject({
    ok: false,
    findings: [{ pointer: "/auth" }],
  });
});

test("a token endpoint on a private address is refused where it is written", async () => {
  const { calls } = provider();
  const shop = await engine(crm("private"));
  const body = { name: "crm", provider: "http", baseUrl: "https://crm.example", credentials };
  const refused = await shop.must(400, "POST", "/v1/connections", {
    body: { ...body, auth: { ...auth, tokenEndpoint: "https://169.254.169.254/token" } },
  });
  expect(refused.errors).toMatchObject([{ pointer: "/auth/tokenEndpoint", code: "egress_refused" }]);
  expect(calls).toEqual([]);
});

test("a rotated refresh token is used from then on, until its secret is set anew", async () => {
  const used: (string | null)[] = [];
  provider(({ url, body, headers }) => {
    if (url.href !== TOKENS)
      return headers.get("Authorization") === `Bearer access-${used.length}`
        ? Response.json({})
        : new Response(null, { status: 401 });
    used.push(new URLSearchParams(body).get("refresh_token"));
    // Lives so short that each run needs a new one.
    return Response.json({
      access_token: `access-${used.length}`,
      refresh_token: `refresh-${used.length}`,
      expires_in: 0.01,
    });
  });
  const shop = await engine(crm("rotating"));
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "s3cret", crm_refresh: "first-refresh" });
  const more = {
    auth: { ...auth, grant: "refresh_token", clientAuth: "body" },
    credentials: { ...credentials, refreshToken: "crm_refresh" },
  };
  const connection = await connect(shop, more);
  for (let n = 0; n < 2; n++) await shop.reaches(await shop.start("rotating"), "completed");
  await evict(bindings.CONNECTIONS.getByName(`${shop.tenant}/${connection}`));
  await shop.reaches(await shop.start("rotating"), "completed");
  await setSecrets(shop, { crm_refresh: "second-refresh" });
  await shop.reaches(await shop.start("rotating"), "completed");
  expect(used).toEqual(["first-refresh", "refresh-1", "refresh-2", "second-refresh"]);
});

test("a token does not outlive a changed secret, and a rotated refresh token does not end with another client secret", async () => {
  const asked: string[] = [];
  const { calls } = provider(({ url, body, headers }) => {
    if (url.href !== TOKENS) return Response.json({});
    asked.push(`${new URLSearchParams(body).get("refresh_token")} ${headers.get("Authorization")}`);
    return Response.json({
      access_token: `access-${asked.length}`,
      refresh_token: `refresh-${asked.length}`,
      expires_in: 3_600,
    });
  });
  const shop = await engine(crm("outlived"));
  await setSecrets(shop, { crm_id: "id-1", crm_secret: "s3cret", crm_refresh: "first" });
  const more = {
    auth: { ...auth, grant: "refresh_token" },
    credentials: { ...credentials, refreshToken: "crm_refresh" },
  };
  await connect(shop, more);
  for (let n = 0; n < 2; n++) await shop.reaches(await shop.start("outlived"), "completed");
  await setSecrets(shop, { crm_secret: "another" });
  for (let n = 0; n < 2; n++) await shop.reaches(await shop.start("outlived"), "completed");
  expect(asked).toEqual([`first Basic ${btoa("id-1:s3cret")}`, `refresh-1 Basic ${btoa("id-1:another")}`]);
  const used = calls.filter(isCrm).map(({ headers }) => headers.get("Authorization"));
  expect(used).toEqual(["Bearer access-1", "Bearer access-1", "Bearer access-2", "Bearer access-2"]);
});

test("an account that signs gets its token for what it has signed", async () => {
  const { calls } = provider(({ url }) =>
    Response.json(url.href === TOKENS ? { access_token: "signed-for", expires_in: 3_600 } : {}),
  );
  const shop = await engine(crm("signing"));
  const ec = { name: "ECDSA", namedCurve: "P-256" };
  const { privateKey } = (await crypto.subtle.generateKey(ec, true, ["sign", "verify"])) as CryptoKeyPair; // ECDSA's are pairs
  const bytes = new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer); // no "jwk"
  const kind = "PRIVATE KEY";
  await setSecrets(shop, {
    crm_key: `-----BEGIN ${kind}-----\n${btoa(String.fromCharCode(...bytes))}\n-----END ${kind}-----`,
  });
  const assertion = { algorithm: "ES256", issuer: "svc@example.com" };
  await connect(shop, {
    auth: { type: "oauth2", grant: "jwt_bearer", tokenEndpoint: TOKENS, assertion },
    credentials: { privateKey: "crm_key" },
  });
  await shop.reaches(await shop.start("signing"), "completed");
  const [asked, used] = calls;
  expect(new URLSearchParams(asked?.body).get("assertion")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  expect(used?.headers.get("Authorization")).toBe("Bearer signed-for");
});
