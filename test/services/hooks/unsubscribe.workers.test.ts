// Unsubscriptions: what is read for which link, and what is left if a part of the engine does not answer.
import { expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { openUnsubscribeLink } from "#services/hooks/unsubscribe-link.ts";
import { openLink, unsubscribe } from "#services/hooks/unsubscribe.ts";
import { UNSUBSCRIBE_LINK_RATE } from "#schema/limits/outgoing/unsubscribe-requests.ts";
import { brokenBinding, database, newTenant, world } from "#test/support/catalog.ts";

const installation = { backlogs: async () => [], publicUrl: "https://api.test", missingBindings: () => [] };

async function linked() {
  const deps = world({ installation });
  const tenant = newTenant();
  const secrets: string[] = [];
  const ticket = { tenant, execution: "exe_1", run: "1.0" };
  const url = (await openUnsubscribeLink(deps, ticket, secrets).url("Ada@Example.com")) ?? "";
  const token = url.replace("https://api.test/u/", "");
  const claim = { ...ticket, channel: "email", address: "ada@example.com" } as const;
  return { deps, tenant, secrets, token, claim };
}

async function reasonsOf(tenant: string): Promise<readonly string[]> {
  const found = database().prepare("SELECT reasons FROM suppressions WHERE tenant = ?").bind(tenant);
  const { results } = await found.all<{ readonly reasons: string }>();
  return results.flatMap(({ reasons }) => Object.keys(JSON.parse(reasons) as object)); // the column has JSON
}

test("a link opens without the catalog, and its token is redacted from the attempt", async () => {
  const { deps, secrets, token, claim } = await linked();
  const down = { ...deps, db: openDb(brokenBinding) };
  expect(await openLink(down, { token, sender: null })).toEqual({
    kind: "valid",
    claim,
    shownAddress: "a***@example.com",
  });
  expect(await openLink(down, { token: `${token}A`, sender: null })).toEqual({ kind: "invalid" });
  expect(secrets).toEqual([token]);
});

test("an attempt has one marker, which another attempt does not have", () => {
  const open = () => openUnsubscribeLink(world(), { tenant: "t", execution: "exe_1", run: "1.0" }, []);
  const [one, other] = [open(), open()];
  expect(one.insertedMarker()).toBeNull();
  expect(one.marker()).toBe(one.marker());
  expect(one.insertedMarker()).toBe(one.marker());
  expect(other.marker()).not.toBe(one.marker());
});

test.each([
  ["a public URL", { installation: { ...installation, publicUrl: null } }],
  ["a signing key", { installation, unsubscribeSecrets: async () => [] }],
])("without %s there is no link", async (_name, over) => {
  const link = openUnsubscribeLink(world(over), { tenant: "t", execution: "exe_1", run: "1.0" }, []);
  expect(await link.url("ada@example.com")).toBeNull();
});

test("the address is suppressed even if its execution cannot be reached", async () => {
  const { deps, tenant, claim } = await linked();
  expect(await unsubscribe(deps, claim)).toEqual({ ok: true, value: { tenant: "active" } });
  expect(await reasonsOf(tenant)).toEqual(["unsubscribe"]);
  expect(deps.lines.map(({ event }) => event)).toContain("unsubscription_not_reported");
});

test("nothing is promised if the catalog does not answer", async () => {
  const { deps, tenant, claim } = await linked();
  expect(await unsubscribe({ ...deps, db: openDb(brokenBinding) }, claim)).toMatchObject({
    ok: false,
    refusal: { code: "unavailable" },
  });
  expect(await reasonsOf(tenant)).toEqual([]);
});

test("one link may be used a limited number of times in a minute", async () => {
  const { deps, claim } = await linked();
  const codes: (string | null)[] = [];
  for (let n = 0; n <= UNSUBSCRIBE_LINK_RATE.burst; n++) {
    const result = await unsubscribe(deps, claim);
    codes.push(result.ok ? null : result.refusal.code);
  }
  expect(codes).toEqual([...Array.from({ length: UNSUBSCRIBE_LINK_RATE.burst }, () => null), "rate_limited"]);
});
