// Signing keys over HTTP: one per receiver, visible to admins, rotated with an overlap.
import { describe, expect, test } from "vitest";
import { SIGNING_ENDPOINTS_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { signingFor } from "#services/signing/endpoint-keys.ts";
import { evictRotations } from "#services/signing/find-rotations.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { brokenBinding, database } from "#test/support/catalog.ts";
import { openDb } from "#catalog/db.ts";
import { naming } from "#test/support/matchers/naming.ts";

const CRM = "https://crm.example.com/hooks/7";
const SHOP = "https://shop.example.com/in";
const DAY = 24 * 60 * 60_000;

/** `isOld`: the tenant has one key for all receivers. */
async function here({ isOld = false, over = {} }: { isOld?: boolean; over?: Parameters<typeof api>[0] } = {}) {
  const made = api(over);
  const owner = await tenantWithKey(made);
  if (isOld) await database().prepare("DELETE FROM signing WHERE tenant = ?").bind(owner.tenant).run();
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const keys = async (url: string) =>
    (await must(200, ask("GET", `/v1/signing-keys?url=${encodeURIComponent(url)}`))).body.keys;
  const secrets = async (url: string) => (await keys(url)).map(({ secret }: { secret: string }) => secret);
  /** The keys with which a run signs. */
  const signs = async (endpoint: string) => {
    const given = await signingFor(made.world, owner.tenant, [])({ endpoint });
    return given.ok ? given.secrets : given.failure.error;
  };
  const rotate = (body: object, status = 200) => must(status, ask("POST", "/v1/signing-keys/rotate", body));
  const audited = async () => (await must(200, ask("GET", "/v1/audit?verb=signing.rotate"))).body.data;
  return { ...made, ...owner, askAsRoot: made.ask, ask, keys, secrets, signs, rotate, audited };
}

describe("a receiver's key", () => {
  test("exists without creation, signs runs, and differs from other receivers' keys", async () => {
    const [mine, other] = [await here(), await here()];
    const [key, ...more] = await mine.keys(`${CRM}?token=a#b`);
    expect([key, more]).toEqual([
      {
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        kind: "endpoint",
        since: expect.any(String),
        until: null,
      },
      [],
    ]);
    expect(await mine.signs(CRM)).toEqual([key.secret]);
    const elsewhere = [
      SHOP,
      "https://crm.example.com/hooks/8",
      "https://crm.example.com/hooks/7/",
      "https://crm.example.com/",
    ];
    const theirs = await Promise.all([...elsewhere.map((url) => mine.secrets(url)), other.secrets(CRM)]);
    expect(theirs.flat()).not.toContain(key.secret);
    expect(new Set(theirs.flat()).size).toBe(theirs.length);
    const named = (await must(200, mine.ask("GET", "/v1/signing-keys?endpoint=crm"))).body;
    expect(named).toMatchObject({ endpoint: "crm", keys: [{ kind: "endpoint" }] });
    expect(await mine.signs("crm")).toEqual([named.keys[0].secret]);
  });

  test("is shown with the receiver's origin, without the path, which may be a secret", async () => {
    const { ask, rotate, audited } = await here();
    const asked = await must(200, ask("GET", `/v1/signing-keys?url=${encodeURIComponent(CRM)}`));
    expect(asked.body.endpoint).toBe("https://crm.example.com/…");
    await rotate({ url: CRM, overlap: "P1D" });
    const kept = await database().prepare("SELECT * FROM signing").all();
    const said = JSON.stringify([kept.results, await audited(), (await ask("GET", "/v1/signing")).body]);
    expect(said).toContain("https://crm.example.com/…");
    expect(said).not.toContain("hooks/7");
  });

  test.each([
    ["", "url"],
    [`?url=${CRM}&endpoint=crm`, "url"],
    ["?url=crm", "url"],
    ["?endpoint=Crm", "endpoint"],
    ["?path=x", "path"],
  ])("with the query %j is refused with pointers", async (query, named) => {
    const { ask } = await here();
    const { body } = await must(400, ask("GET", `/v1/signing-keys${query}`));
    expect(JSON.stringify(body.errors)).toContain(named);
  });

  test("is 404 if the installation has no signing key", async () => {
    const { ask, signs } = await here({ over: { signingSecrets: async () => [] } });
    expect((await must(404, ask("GET", `/v1/signing-keys?url=${CRM}`))).body.hint).toContain("SIGNING_KEY");
    expect((await must(404, ask("GET", "/v1/signing-secret"))).body.hint).toContain("SIGNING_KEY");
    expect(await signs(CRM)).toEqual([]);
  });
});

describe("rotating", () => {
  test("of one receiver: both keys sign until the overlap ends; other receivers keep theirs", async () => {
    const { world, ask, keys, secrets, signs, rotate, audited } = await here();
    const [[old], [shop]] = [await secrets(CRM), await secrets(SHOP)];
    world.clock.now += DAY;
    const { body } = await rotate({ url: CRM, overlap: "P7D", reason: "a new colleague" });
    const [since, previousUntil] = ["2026-11-19T12:00:00.000Z", "2026-11-26T12:00:00.000Z"];
    const rotated = { endpoint: "https://crm.example.com/…", since, previousUntil };
    expect(body).toEqual({ ...rotated, dryRun: false });
    const [fresh, before] = await keys(CRM);
    expect([fresh, before]).toMatchObject([
      { since, until: null },
      { secret: old, until: previousUntil },
    ]);
    expect(await signs(CRM)).toEqual([fresh.secret, old]);
    expect([await secrets(SHOP), await signs(SHOP)]).toEqual([[shop], [shop]]);
    const view = await must(200, ask("GET", "/v1/signing"));
    expect(view.body).toMatchObject({ mode: "endpoint", previousUntil: null, endpoints: [rotated] });
    expect(await audited()).toMatchObject([{ target: "https://crm.example.com/…", reason: "a new colleague" }]);
    world.clock.now += 7 * DAY;
    expect([await secrets(CRM), await signs(CRM)]).toEqual([[fresh.secret], [fresh.secret]]);
    const over = (await must(200, ask("GET", "/v1/signing"))).body.endpoints;
    expect(over).toEqual([{ ...rotated, previousUntil: null }]);
  });

  test("of all: each receiver gets a new key, also one that was rotated alone", async () => {
    const { world, ask, secrets, signs, rotate } = await here();
    await rotate({ endpoint: "crm", overlap: "PT1H" });
    world.clock.now += DAY;
    const [[shop], [crm]] = [await secrets(SHOP), (await signs("crm")) as string[]];
    expect((await rotate({ overlap: "P1D" })).body).toMatchObject({ endpoint: null });
    const [[freshShop, oldShop], [freshCrm, oldCrm]] = [
      (await signs(SHOP)) as string[],
      (await signs("crm")) as string[],
    ];
    expect([oldShop, oldCrm]).toEqual([shop, crm]);
    expect(new Set([shop, crm, freshShop, freshCrm]).size).toBe(4);
    expect((await must(200, ask("GET", "/v1/signing"))).body).toMatchObject({
      previousMode: "endpoint",
      endpoints: [],
    });
    world.clock.now += DAY;
    expect(await signs(SHOP)).toEqual([freshShop]);
  });

  test("during an overlap is refused, except with overlap PT0S, which ends all older keys", async () => {
    const { world, secrets, rotate, audited } = await here();
    await rotate({ url: CRM, overlap: "P7D" });
    const [fresh, old] = await secrets(CRM);
    world.clock.now += 1_000;
    const { body } = await rotate({ url: CRM, overlap: "P1D" }, 409);
    expect(body).toMatchObject({
      code: "rotation_in_progress",
      detail: expect.stringContaining("2026-11-25T12:00:00.001Z"),
    });
    expect(body.hint).toContain("PT0S");
    expect(await secrets(CRM)).toEqual([fresh, old]);
    expect((await rotate({ url: CRM, overlap: "PT0S" })).body.previousUntil).toBeNull();
    const [only, ...more] = await secrets(CRM);
    expect([[fresh, old].includes(only), more]).toEqual([false, []]);
    expect(await audited()).toHaveLength(2);
  });

  test("a repeat rotates once, and a dry run changes nothing", async () => {
    const { ask, secrets, audited } = await here();
    const rotate = (query: string, headers = {}) =>
      must(200, ask("POST", `/v1/signing-keys/rotate${query}`, { url: CRM, overlap: "P7D" }, headers));
    const before = await secrets(CRM);
    expect((await rotate("?dryRun=true")).body).toMatchObject({ dryRun: true });
    expect(await secrets(CRM)).toEqual(before);
    const first = await rotate("", { "Idempotency-Key": "once" });
    const after = await secrets(CRM);
    expect((await rotate("", { "Idempotency-Key": "once" })).body).toEqual(first.body);
    expect([await secrets(CRM), (await audited()).length]).toEqual([after, 1]);
  });

  test.each([
    [{}, "/overlap"],
    [{ overlap: "soon" }, "/overlap"],
    [{ overlap: "-P1D" }, "/overlap"],
    [{ overlap: "P91D" }, "/overlap"],
    [{ overlap: "P1D", url: CRM, endpoint: "crm" }, "/url"],
    [{ overlap: "P1D", receiver: "crm" }, "/receiver"],
  ])("with %j is refused at %s", async (body, pointer) => {
    const { rotate } = await here();
    expect((await rotate(body, 400)).body.errors).toMatchObject([{ pointer }]);
  });

  test("single rotations are limited in number; rotating all resets the count", async () => {
    const { world, tenant, rotate } = await here();
    const row =
      "INSERT INTO signing (tenant, receiver, shown, since, previous, previous_until) VALUES (?, ?, 'x', ?, 0, 0)";
    const fill = Array.from({ length: SIGNING_ENDPOINTS_MAX }, (_, n) =>
      database()
        .prepare(row)
        .bind(tenant, `r${n}`, world.clock.now + 1),
    );
    await database().batch(fill);
    const { body } = await rotate({ url: CRM, overlap: "P1D" }, 422);
    expect(body).toMatchObject({ code: "limit_exceeded", detail: expect.stringContaining("SIGNING_ENDPOINTS_MAX") });
    world.clock.now += DAY;
    await rotate({ overlap: "P1D" });
    await rotate({ url: CRM, overlap: "PT0S" }, 422);
    world.clock.now += DAY;
    await rotate({ url: CRM, overlap: "P1D" });
    const left = await database().prepare("SELECT shown FROM signing WHERE tenant = ?").bind(tenant).all();
    expect(left.results.map(({ shown }) => shown).toSorted()).toEqual(["", "https://crm.example.com/…"]);
  });
});

describe("a tenant with one key for all receivers", () => {
  test("signs for all receivers with this key", async () => {
    const { ask, keys, signs, rotate } = await here({ isOld: true });
    const { secret } = (await must(200, ask("GET", "/v1/signing-secret"))).body;
    expect([await signs(CRM), await signs(SHOP)]).toEqual([[secret], [secret]]);
    expect(await keys(CRM)).toEqual([{ secret, kind: "tenant", since: null, until: null }]);
    const nothing = { since: null, previousUntil: null, previousMode: null, endpoints: [] };
    expect((await must(200, ask("GET", "/v1/signing"))).body).toEqual({ mode: "tenant", ...nothing });
    const one = await rotate({ url: CRM, overlap: "P1D" }, 400);
    expect(one.body).toMatchObject({ code: "invalid_input", hint: naming("url", "endpoint") });
  });

  test("rotating all gives each receiver a key of its own; both sign until the overlap ends", async () => {
    const { world, ask, signs, rotate } = await here({ isOld: true });
    const { secret } = (await must(200, ask("GET", "/v1/signing-secret"))).body;
    await rotate({ overlap: "P30D" });
    const [crm, shop] = [(await signs(CRM)) as string[], (await signs(SHOP)) as string[]];
    expect([crm[1], shop[1], crm.length, shop.length]).toEqual([secret, secret, 2, 2]);
    expect(crm[0]).not.toBe(shop[0]);
    const view = (await must(200, ask("GET", "/v1/signing"))).body;
    expect(view).toMatchObject({ mode: "endpoint", previousMode: "tenant", previousUntil: "2026-12-18T12:00:00.000Z" });
    expect((await must(200, ask("GET", "/v1/signing-secret"))).body.secret).toBe(secret);
    world.clock.now += 30 * DAY;
    expect([await signs(CRM), await signs(SHOP)]).toEqual([[crm[0]], [shop[0]]]);
    const gone = await must(404, ask("GET", "/v1/signing-secret"));
    expect(gone.body.hint).toContain("/v1/signing-keys");
  });

  test("is not changed by creating the tenant again", async () => {
    const made = await here({ isOld: true });
    const { world, tenant, ask, signs } = made;
    const before = await signs(CRM);
    world.clock.now += 1;
    await must(409, made.askAsRoot("POST", "/v1/tenants", { body: { id: tenant, name: tenant } }));
    evictRotations(tenant);
    expect(await signs(CRM)).toEqual(before);
    await must(200, ask("GET", "/v1/signing-secret"));
  });
});

test("without D1, cached keys sign, and uncached ones fail the attempt", async () => {
  const { world, tenant, signs } = await here();
  const known = await signs(CRM);
  const broken = { ...world, db: openDb(brokenBinding) };
  world.clock.now += DAY / 2;
  expect(await signingFor(broken, tenant, [])({ endpoint: CRM })).toEqual({ ok: true, secrets: known });
  evictRotations(tenant);
  const unknown = await signingFor(broken, tenant, [])({ endpoint: CRM });
  expect(unknown).toMatchObject({ ok: false, failure: { error: { code: "catalog_unavailable", retryable: true } } });
});

test("signing keys are redacted from stored responses, also the tenant-wide key", async () => {
  const { world, tenant } = await here();
  const secrets: string[] = [];
  const signing = signingFor(world, tenant, secrets);
  const derived = await signing({ endpoint: CRM });
  const own = await signing({ own: " whsec_a  whsec_b " });
  expect([own, secrets]).toEqual([
    { ok: true, secrets: ["whsec_a", "whsec_b"] },
    [...(derived.ok ? derived.secrets : []), "whsec_a", "whsec_b"],
  ]);
});
