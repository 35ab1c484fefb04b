// Suppressions from reports: one row for each address, with every reason and the source that reported it first.
import { expect, it } from "vitest";
import { addSuppression } from "#services/suppressions/add-suppression.ts";
import { catalog, database, newTenant, NOW, world } from "#test/support/catalog.ts";

async function rowsOf(tenant: string) {
  const { results } = await database().prepare("SELECT * FROM suppressions WHERE tenant = ?").bind(tenant).all();
  return results.map(({ reasons, ...row }): Record<string, unknown> => ({
    ...row,
    reasons: JSON.parse(String(reasons)) as unknown,
  }));
}

it("a repeated report changes nothing, and a further reason is added to the same row", async () => {
  const deps = world({ db: catalog() });
  const tenant = newTenant();
  const bounce = { execution: "exe_1", run: "1.0", connection: "con_1", at: NOW - 5 };
  const add = (address: string, reason: "hard_bounce" | "complaint", at: number) =>
    addSuppression(deps, tenant, { channel: "email", address, reason, source: { ...bounce, at } });

  expect(await add("Ada@Example.com", "hard_bounce", NOW - 5)).toEqual({
    ok: true,
    value: { address: "ada@example.com", isNew: true },
  });
  deps.clock.now += 1_000;
  expect(await add("ada@example.COM", "hard_bounce", NOW)).toMatchObject({ value: { isNew: false } });
  expect(await rowsOf(tenant)).toEqual([
    {
      tenant,
      channel: "email",
      address: "ada@example.com",
      created_at: NOW,
      updated_at: NOW,
      reasons: { hard_bounce: bounce },
    },
  ]);
  expect(await add("ada@example.com", "complaint", NOW + 7)).toMatchObject({ value: { isNew: true } });
  expect(await rowsOf(tenant)).toMatchObject([
    { updated_at: NOW + 1_000, reasons: { hard_bounce: bounce, complaint: { ...bounce, at: NOW + 7 } } },
  ]);
});

it("channels have lists of their own, and a push token is stored as its digest", async () => {
  const deps = world();
  const tenant = newTenant();
  const source = { at: NOW };
  await addSuppression(deps, tenant, { channel: "sms", address: "+1 415 555 0123", reason: "unsubscribe", source });
  const push = { channel: "push", reason: "gone", source } as const;
  const added = await addSuppression(deps, tenant, { ...push, address: "device-token" });
  const key = added.ok ? added.value.address : "";
  expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await addSuppression(deps, tenant, { ...push, address: key })).toMatchObject({ value: { isNew: false } });
  expect((await rowsOf(tenant)).map(({ channel, address }) => [channel, address])).toEqual([
    ["push", key],
    ["sms", "+14155550123"],
  ]);
});

it("a text that is no address is refused", async () => {
  const tenant = newTenant();
  const refused = await addSuppression(world(), tenant, {
    channel: "sms",
    address: "ada",
    reason: "manual",
    source: { at: NOW },
  });
  expect(refused).toMatchObject({
    refusal: { code: "invalid_input", errors: [{ pointer: "/address", code: "invalid_address" }] },
  });
  expect(await rowsOf(tenant)).toEqual([]);
});
