// Suppression lookups: attempts of one invocation share queries, tenants never see another list, and a failure is held.
import { expect, it } from "vitest";
import { addSuppression } from "#services/suppressions/add-suppression.ts";
import { openSuppressionLookup } from "#services/suppressions/find-suppressed.ts";
import { openDb } from "#catalog/db.ts";
import { brokenBinding, database, newTenant, NOW, world } from "#test/support/catalog.ts";

/** A database that counts its queries and the rows that they read. */
function counted() {
  const bill = { queries: 0, rowsRead: 0 };
  const binding = database();
  const wrapped = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      ...statement,
      bind: (...values: unknown[]) => wrapped(statement.bind(...values)),
      raw: async () => {
        const answer = await statement.all();
        bill.queries += 1;
        bill.rowsRead += answer.meta.rows_read;
        return answer.results.map((row) => Object.values(row));
      },
    }) as D1PreparedStatement; // drizzle's select calls bind and raw only
  const prepare = (text: string) => wrapped(binding.prepare(text));
  return { bill, db: openDb({ prepare } as unknown as D1Database) };
}

it("one invocation's attempts share a query, which reads one row for each suppressed address", async () => {
  const { bill, db } = counted();
  const deps = world();
  const [tenant, other] = [newTenant(), newTenant()];
  const bounced = { channel: "email", reason: "hard_bounce", source: { at: NOW } } as const;
  for (let n = 0; n < 20; n += 1) await addSuppression(deps, tenant, { ...bounced, address: `no${n}@example.com` });
  const open = openSuppressionLookup({ db, log: deps.log });
  const ask = (of: string, ...addresses: string[]) => open(of)({ channel: "email", addresses, isHeeding: true });

  const answers = await Promise.all([
    ask(tenant, "No1@Example.com", "yes@example.com"),
    ask(other, "no1@example.com"),
    ask(tenant, "not an address"),
    ask(tenant, "yes@example.com"),
  ]);
  expect(answers).toEqual([
    { ok: true, suppressed: ["No1@Example.com"] },
    { ok: true, suppressed: [] },
    { ok: true, suppressed: [] },
    { ok: true, suppressed: [] },
  ]);
  expect(bill.queries).toBeLessThanOrEqual(2);
  // D1 counts one row for each address of the question, and one for each suppressed address.
  expect(bill.rowsRead).toBe(4 + 1);
  Object.assign(bill, { queries: 0, rowsRead: 0 });
  await ask(tenant, "yes@example.com");
  expect(bill).toEqual({ queries: 1, rowsRead: 1 });
});

it("an unsubscription is ignored by an action that does not heed the list, and a bounce is not", async () => {
  const deps = world();
  const tenant = newTenant();
  const add = (address: string, reason: "unsubscribe" | "hard_bounce") =>
    addSuppression(deps, tenant, { channel: "sms", address, reason, source: { at: NOW } });
  await add("+14155550001", "unsubscribe");
  await add("+14155550002", "hard_bounce");
  const addresses = ["+14155550001", "+14155550002", "+14155550003"];
  const ask = (isHeeding: boolean) => openSuppressionLookup(deps)(tenant)({ channel: "sms", addresses, isHeeding });
  expect(await ask(true)).toEqual({ ok: true, suppressed: ["+14155550001", "+14155550002"] });
  expect(await ask(false)).toEqual({ ok: true, suppressed: ["+14155550002"] });
});

it("a catalog that does not answer fails every lookup that waits for it, and the next one asks again", async () => {
  const deps = world({ db: openDb(brokenBinding) });
  const ask = openSuppressionLookup(deps)(newTenant());
  const question = { channel: "email", addresses: ["ada@example.com"], isHeeding: true } as const;
  const failed = { ok: false, failure: { error: { code: "catalog_unavailable", retryable: true } } };
  expect(await Promise.all([ask(question), ask(question)])).toMatchObject([failed, failed]);
  expect(await ask(question)).toMatchObject(failed);
  expect(deps.lines).toMatchObject([{ event: "suppressions_unknown" }, {}, {}]);
});
