// Suppressions over HTTP: added one or many at once, listed by channel and reason, and deleted with an audit entry.
import { describe, expect, test } from "vitest";
import { SUPPRESSIONS_PER_REQUEST_MAX } from "#schema/limits/outgoing/suppression-sizes.ts";
import { addSuppression } from "#services/suppressions/add-suppression.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { NOW } from "#test/support/catalog.ts";

async function here() {
  const made = api();
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { key: owner.key, ...(body === undefined ? {} : { body }) });
  const add = (...suppressions: object[]) => ask("POST", "/v1/suppressions", { suppressions });
  return { ...made, ...owner, ask, add };
}
const mail = (address: string, more: object = {}) => ({ channel: "email", address, ...more });

describe("suppressions", () => {
  test("are added, listed with their reasons, found in any spelling, and deleted once", async () => {
    const { ask, add, world, tenant } = await here();
    const source = { execution: "exe_1", run: "1.0", connection: "con_1", at: NOW - 9 };
    await addSuppression(world, tenant, { channel: "email", address: "ada@example.com", reason: "complaint", source });
    const added = await must(
      200,
      add(mail("Ada@Example.com"), { channel: "sms", address: "+1 415 555 0123", reason: "unsubscribe" }),
    );
    expect(added.body).toEqual({ added: 2, unchanged: 0, dryRun: false });
    expect((await must(200, add(mail("ada@example.com"), mail("ada@EXAMPLE.com")))).body).toMatchObject({
      added: 0,
      unchanged: 2,
    });

    const first = await must(200, ask("GET", "/v1/suppressions?limit=1"));
    expect(first.body.data).toMatchObject([
      {
        channel: "email",
        address: "ada@example.com",
        reason: "complaint",
        reasons: [
          { reason: "complaint", ...source, at: new Date(NOW - 9).toISOString(), actor: null },
          { reason: "manual", actor: expect.stringMatching(/^key:/), execution: null },
        ],
      },
    ]);
    const rest = await must(200, ask("GET", `/v1/suppressions?limit=1&cursor=${first.body.nextCursor}`));
    expect(rest.body).toMatchObject({ data: [{ channel: "sms", address: "+14155550123" }], nextCursor: null });
    const addresses = async (query: string) =>
      (await must(200, ask("GET", `/v1/suppressions?${query}`))).body.data.map(
        ({ address }: { address: string }) => address,
      );
    expect(await addresses("reason=manual")).toEqual(["ada@example.com"]);
    expect(await addresses("channel=sms&reason=manual")).toEqual([]);

    const path = `/v1/suppressions/email/${encodeURIComponent("Ada@Example.com")}`;
    expect((await must(200, ask("GET", path))).body).toEqual(first.body.data[0]);
    await must(200, ask("DELETE", `${path}?dryRun=true`));
    expect((await must(200, ask("DELETE", `${path}?reason=repaired`))).body).toMatchObject({
      reason: "complaint",
      dryRun: false,
    });
    await must(404, ask("GET", path));
    await must(404, ask("DELETE", path));
    const audit = await must(200, ask("GET", "/v1/audit?target=email/ada@example.com"));
    expect(audit.body.data).toMatchObject([
      { verb: "suppression.delete", reason: "repaired", details: { reasons: { complaint: source } } },
    ]);
  });

  test("a dry run counts and stores nothing", async () => {
    const { ask, add } = await here();
    await add(mail("ada@example.com"));
    const body = { suppressions: [mail("ada@example.com"), mail("bob@example.com"), mail("bob@example.com")] };
    const dry = await must(200, ask("POST", "/v1/suppressions?dryRun=true", body));
    expect(dry.body).toEqual({ added: 1, unchanged: 2, dryRun: true });
    expect((await must(200, ask("GET", "/v1/suppressions"))).body.data).toHaveLength(1);
  });

  test("one wrong address refuses the whole request with its pointer", async () => {
    const { ask, add } = await here();
    const refused = await must(400, add(mail("ada@example.com"), mail("nobody"), { channel: "sms", address: "911" }));
    expect(refused.body).toMatchObject({
      code: "invalid_input",
      errors: [
        { pointer: "/suppressions/1/address", code: "invalid_address" },
        { pointer: "/suppressions/2/address", code: "invalid_address" },
      ],
    });
    expect((await must(200, ask("GET", "/v1/suppressions"))).body.data).toEqual([]);
    await must(400, ask("GET", "/v1/suppressions/email/nobody"));
    await must(400, ask("GET", "/v1/suppressions/fax/1"));
  });

  test("a request has at most the limit of addresses, and a full one is one statement", async () => {
    const { ask, add } = await here();
    const many = Array.from({ length: SUPPRESSIONS_PER_REQUEST_MAX }, (_, n) => mail(`a${n}@example.com`));
    expect((await must(200, add(...many))).body).toMatchObject({ added: SUPPRESSIONS_PER_REQUEST_MAX });
    await must(400, add(...many, mail("b@example.com")));
    expect((await must(200, ask("GET", "/v1/suppressions?limit=1"))).body.data).toHaveLength(1);
  });
});
