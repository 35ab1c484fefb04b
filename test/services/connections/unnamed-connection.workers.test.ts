// Finding the connection of an action that names none: the tenant's only one that can carry the action.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { createConnection } from "#services/connections/connections.ts";
import { openConnections } from "#services/connections/open-connection.ts";
import { brokenBinding, callerOf, newTenant, NOW, world } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

async function connected() {
  const deps = world();
  const tenant = newTenant();
  await createConnection(deps, callerOf(tenant), { body: { name: "crm", provider: "http" }, dryRun: false });
  const ticket = { tenant, execution: "exe_1", run: "1.0" } as Ticket; // all it looks at
  return { deps, tenant, opener: openConnections(deps, ticket, { secrets: [], bounds: [] }) };
}

describe("a connection that is not named", () => {
  const find = async (bodies: readonly { readonly name: string; readonly provider: string }[], provider: string) => {
    const { deps, tenant, opener } = await connected();
    for (const body of bodies) await createConnection(deps, callerOf(tenant), { body, dryRun: false });
    const found = await opener.find(null, provider);
    return found.ok ? found.account : found.failure.error;
  };
  const [letters, post] = [
    { name: "letters", provider: "resend" },
    { name: "post", provider: "sendgrid" },
  ];

  test.each([
    ["email", [letters], letters],
    ["http", [letters, post], { name: "crm", provider: "http" }],
  ])("is the only one for %s", async (provider, others, account) => {
    expect(await find(others, provider)).toEqual(account);
  });

  test("is refused with all names if there are several", async () => {
    const error = await find([letters, post], "email");
    expect(error).toMatchObject({ code: "connection_ambiguous", message: naming("letters", "post") });
  });

  test("is refused if there is none, and a connection of another provider is a mismatch", async () => {
    expect(await find([], "email")).toMatchObject({ code: "connection_missing" });
    const { opener } = await connected();
    expect(await opener.find("crm", "email")).toMatchObject({ failure: { error: { code: "connection_mismatch" } } });
  });

  test("holds the run if D1 does not answer", async () => {
    const ticket = { tenant: `${newTenant()}-cold`, execution: "e", run: "1" } as Ticket; // all it looks at
    const opener = openConnections(world({ db: openDb(brokenBinding) }), ticket, { secrets: [], bounds: [] });
    const found = await opener.find(null, "email");
    const outcome = await opener.close({
      ok: false,
      startedAt: NOW,
      endedAt: NOW,
      ...(found.ok ? {} : found.failure),
    } as Outcome); // a failed find
    expect(outcome).toMatchObject({ held: { reason: "unavailable", connection: "email" } });
  });
});
