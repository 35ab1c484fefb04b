// DocuSign callbacks over HTTP: verification, the events they become, and uniform refusals without a valid signature.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import type { Deps } from "#services/deps.ts";
import { api, must, tenantWithKey, type Answer } from "#test/support/api.ts";
import { brokenBinding, NOW } from "#test/support/catalog.ts";
import { anInstant, connectMessage, signedWith, type Told } from "#test/support/docusign.ts";

const KEY = "UHVibGljIGtleXMgYXJlIG5vbmU=";
const contract = {
  kind: "machine",
  name: "contract",
  initial: "out",
  states: {
    out: { on: { envelope_completed: "signed", envelope_declined: "refused", envelope_delivered: "read" } },
    read: { on: { envelope_completed: "signed" } },
    signed: { type: "final" },
    refused: { type: "final", outcome: "failed" },
  },
};
const account = { name: "sign", provider: "docusign", sandbox: true, credentials: { connectHmacKey: "connect_key" } };

async function office(over: Partial<Deps> = {}) {
  const made = api(over);
  const { tenant, key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: contract }));
  await must(200, made.ask("PUT", "/v1/secrets/connect_key", { key, body: { value: `${KEY} an-older-key` } }));
  await must(201, made.ask("POST", "/v1/connections", { key, body: account }));
  const startIt = { key, body: { definition: "contract" } };
  const start = async () => (await must(201, made.ask("POST", "/v1/executions", startIt))).body.execution.id as string;
  const read = async (id: string) => (await must(200, made.ask("GET", `/v1/executions/${id}`, { key }))).body;
  const post = (raw: string, headers: Record<string, string>, path = `/v1/hooks/docusign/${tenant}/sign`) =>
    made.ask("POST", path, { key: null, raw, headers });
  const tell = async (told: Partial<Told>, keys: readonly string[] = [KEY]) => {
    const body = connectMessage({ generatedAt: NOW, ...told });
    return post(body, await signedWith(keys, body));
  };
  return { ...made, tenant, key, start, read, post, tell };
}

describe("a signed callback", () => {
  test("sends one event to the execution that created the envelope", async () => {
    const { start, read, tell, ask, key } = await office();
    const execution = await start();
    const told = await must(200, tell({ execution }));
    expect(told.body).toEqual({
      received: true,
      applied: true,
      event: "envelope_completed",
      envelopeId: "93be49ab-0000-4000-8000-000000000002",
      execution,
      reason: null,
    });
    expect(await read(execution)).toMatchObject({ status: "completed" });
    const journal = await must(200, ask("GET", `/v1/executions/${execution}/journal`, { key }));
    const heard = journal.body.data.filter(({ kind }: { kind: string }) => kind === "event_received");
    expect(heard).toMatchObject([{ event: { type: "envelope_completed", source: "docusign/sign" } }]);
    expect(heard[0].event.payload).toEqual({
      envelopeId: "93be49ab-0000-4000-8000-000000000002",
      status: "completed",
      completedAt: anInstant,
      declinedAt: null,
      voidedAt: null,
      declinedReason: null,
      voidedReason: null,
      recipients: [
        {
          name: "Ada",
          email: "ada@example.com",
          roleName: "Tenant",
          status: "completed",
          signedAt: anInstant,
          declinedReason: null,
        },
      ],
    });
    expect((await must(200, tell({ execution }))).body.applied).toBe(true);
    const again = await must(200, ask("GET", `/v1/executions/${execution}/journal`, { key }));
    expect(again.body.data).toEqual(journal.body.data);
  });

  test("is accepted with any of the account's keys", async () => {
    const { start, tell } = await office();
    await must(200, tell({ execution: await start() }, ["somebody-else's", "an-older-key"]));
  });

  test("has the reason of a declined envelope", async () => {
    const { start, tell, read, ask, key } = await office();
    const execution = await start();
    const recipients = {
      signers: [{ name: "Ada", status: "declined", declinedReason: "The rent is too high." }, 7, null],
    };
    await must(200, tell({ execution, event: "envelope-declined", recipients }));
    expect(await read(execution)).toMatchObject({ status: "failed" });
    const journal = JSON.stringify((await ask("GET", `/v1/executions/${execution}/journal`, { key })).body);
    expect(journal).toContain('"declinedReason":"The rent is too high."');
  });

  test("of one recipient sends one event per recipient, besides the envelope's own", async () => {
    const listening = {
      ...contract.states.out.on,
      recipient_completed: { assign: { last: { var: "message.payload" } } },
    };
    const shop = await office();
    const body = { ...contract, states: { ...contract.states, out: { on: listening } } };
    await must(201, shop.ask("POST", "/v1/definitions", { key: shop.key, body }));
    const execution = await shop.start();
    const person = (recipientId: string, name: string, status: string, more: object = {}) => ({
      recipientId,
      name,
      email: `${name}@example.com`,
      roleName: "Tenant",
      status,
      ...more,
    });
    const recipients = {
      recipientCount: "3",
      signers: [person("1", "ada", "completed", { clientUserId: "7" }), person("2", "bob", "sent")],
      carbonCopies: [person("3", "cy", "completed")],
    };
    const news = { execution, event: "recipient-completed", recipients };
    const first = await must(200, shop.tell({ ...news, recipientId: "1" }));
    expect(first.body).toMatchObject({ applied: true, event: "recipient_completed" });
    const last = async () => (await shop.read(execution)).variables.last;
    expect(await last()).toMatchObject({
      status: "sent",
      recipient: {
        recipientId: "1",
        clientUserId: "7",
        name: "ada",
        email: "ada@example.com",
        roleName: "Tenant",
        status: "completed",
        signedAt: null,
        declinedReason: null,
      },
      recipients: [{ name: "ada" }, { name: "bob" }, { name: "cy" }],
    });
    await must(200, shop.tell({ ...news, recipientId: "3" }));
    expect(await last()).toMatchObject({ recipient: { recipientId: "3", name: "cy", clientUserId: null } });
    // A repeat is the same event, even after another one in between.
    await must(200, shop.tell({ ...news, recipientId: "1" }));
    expect(await last()).toMatchObject({ recipient: { recipientId: "3" } });
    // A recipient that the message does not list is a different event.
    await must(200, shop.tell({ ...news, recipientId: "9" }));
    expect(await last()).toMatchObject({ recipient: { recipientId: "9", name: null, status: null } });
    await must(200, shop.tell({ execution, event: "envelope-completed", recipients, recipientId: "1" }));
    const journal = await must(200, shop.ask("GET", `/v1/executions/${execution}/journal`, { key: shop.key }));
    const heard = journal.body.data.filter(({ kind }: { kind: string }) => kind === "event_received");
    expect(heard.at(-1).event.payload).not.toHaveProperty("recipient");
    expect(await shop.read(execution)).toMatchObject({ status: "completed" });
  });

  test("accepts the older format, where the body is the envelope", async () => {
    const { start, post, read } = await office();
    const execution = await start();
    const { data, generatedDateTime } = JSON.parse(connectMessage({ execution, generatedAt: NOW }));
    const body = JSON.stringify({
      ...data.envelopeSummary,
      status: "Completed",
      statusChangedDateTime: generatedDateTime,
    });
    expect((await must(200, post(body, await signedWith([KEY], body)))).body.applied).toBe(true);
    expect(await read(execution)).toMatchObject({ status: "completed" });
  });
});

describe("all refusals without a valid signature are equal", () => {
  const unbelieved = ({ status, body }: Answer) => ({ status, said: { ...body, requestId: null } });

  test.each<[string, (shop: Awaited<ReturnType<typeof office>>) => Promise<Answer>]>([
    ["by another key", ({ tell }) => tell({}, ["another key"])],
    ["with no signature", ({ post }) => post(connectMessage({ generatedAt: NOW }), {})],
    [
      "with another body",
      async ({ post }) => post("{}", await signedWith([KEY], connectMessage({ generatedAt: NOW }))),
    ],
    ["with an invalid signature", ({ post }) => post("{}", { "X-DocuSign-Signature-1": "%%%" })],
    [
      "for a connection that is not there",
      async ({ post, tenant }) => post("{}", await signedWith([KEY], "{}"), `/v1/hooks/docusign/${tenant}/other`),
    ],
    [
      "for a tenant that is not there",
      async ({ post }) => post("{}", await signedWith([KEY], "{}"), "/v1/hooks/docusign/nobody/sign"),
    ],
    [
      "for a tenant that cannot be",
      async ({ post }) => post("{}", await signedWith([KEY], "{}"), "/v1/hooks/docusign/No%20body/sign"),
    ],
    ["by an old recording", ({ tell }) => tell({ generatedAt: NOW - 17 * 86_400_000 })],
    ["by a message from the future", ({ tell }) => tell({ generatedAt: NOW + 3_600_000 })],
  ])("%s", async (_what, how) => {
    const shop = await office();
    const forged = unbelieved(await shop.tell({ execution: await shop.start() }, ["forged"]));
    expect(forged).toMatchObject({ status: 401, said: { code: "unauthenticated", retryable: false } });
    expect(unbelieved(await how(shop))).toEqual(forged);
  });

  test("for a connection without a key, with a missing secret, and of another provider", async () => {
    const { ask, key, tenant, post } = await office();
    const others = [
      { name: "keyless", provider: "docusign" },
      { name: "unset", provider: "docusign", credentials: { connectHmacKey: "not_set" } },
      { name: "chat", provider: "slack", credentials: { connectHmacKey: "connect_key" } },
    ];
    for (const body of others) {
      await must(201, ask("POST", "/v1/connections", { key, body }));
      const path = `/v1/hooks/docusign/${tenant}/${body.name}`;
      await must(401, post("{}", await signedWith([KEY], "{}"), path));
    }
  });

  test("the signature of one tenant's account is not valid for another tenant", async () => {
    const [mine, theirs] = [await office(), await office()];
    await must(200, mine.ask("PUT", "/v1/secrets/connect_key", { key: mine.key, body: { value: "key-of-mine" } }));
    const execution = await theirs.start();
    const body = connectMessage({ execution, generatedAt: NOW });
    const signed = await signedWith(["key-of-mine"], body);
    await must(401, mine.post(body, signed, `/v1/hooks/docusign/${theirs.tenant}/sign`));
    // Under its own tenant the message is verified, and matches no execution there.
    const told = await must(200, mine.post(body, signed));
    expect(told.body).toMatchObject({ applied: false, reason: "not_found", execution });
    expect(await theirs.read(execution)).toMatchObject({ status: "waiting" });
  });
});

describe("an event that the execution refuses is answered with 200, so that DocuSign does not repeat it", () => {
  test.each<[string, Partial<Told>, string]>([
    ["an envelope without an execution", { execution: null }, "foreign_envelope"],
    ["an envelope with an invalid execution id", { execution: "../../x" }, "foreign_envelope"],
    ["a missing execution", { execution: "exe_gone" }, "not_found"],
  ])("%s", async (_what, told, reason) => {
    const { tell, world } = await office();
    expect((await must(200, tell(told))).body).toMatchObject({ received: true, applied: false, reason });
    expect(world.lines).toContainEqual(expect.objectContaining({ event: "callback_not_applied", reason }));
  });

  test.each<[string, string, string]>([
    ["an event that no state accepts", "envelope-voided", "event_unknown"],
    ["an unsupported DocuSign event", "recipient-resent", "not_an_event"],
    ["an event of an unknown recipient", "recipient-completed", "recipient_unknown"],
    ["an event named like a built-in property", "constructor", "not_an_event"],
  ])("%s", async (_what, event, reason) => {
    const { tell, start } = await office();
    const told = await must(200, tell({ event, execution: await start() }));
    expect(told.body).toMatchObject({ applied: false, reason, event: expect.stringMatching(/^[a-z_-]+$/) });
  });

  test("an execution that has ended", async () => {
    const { tell, start, ask, key } = await office();
    const execution = await start();
    await must(200, ask("POST", `/v1/executions/${execution}/cancel`, { key, body: {} }));
    expect((await must(200, tell({ execution }))).body).toMatchObject({ applied: false, reason: "execution_final" });
  });

  test("an event that comes too late", async () => {
    const { tell, start } = await office();
    const execution = await start();
    await must(200, tell({ execution, event: "envelope-delivered" }));
    const late = await must(200, tell({ execution, event: "envelope-declined" }));
    expect(late.body).toMatchObject({ applied: false, reason: "event_too_late" });
  });
});

describe("a transient failure is refused, so that DocuSign repeats the message", () => {
  test("an object that cannot be reached", async () => {
    const { tell, start, cells, read } = await office();
    const execution = await start();
    cells.failures.push(Object.assign(new Error("overloaded"), { overloaded: true }));
    const refused = await must(503, tell({ execution }));
    expect([refused.body.retryable, refused.headers.get("Retry-After")]).toEqual([true, "1"]);
    cells.failures.push(new Error("broken"));
    await must(503, tell({ execution }));
    await must(200, tell({ execution }));
    expect(await read(execution)).toMatchObject({ status: "completed" });
  });

  test("a catalog that does not answer", async () => {
    const { fetch } = api({ db: openDb(brokenBinding) });
    const body = connectMessage({ generatedAt: NOW });
    const headers = await signedWith([KEY], body);
    const response = await fetch("https://api.test/v1/hooks/docusign/cold/sign", { method: "POST", body, headers });
    expect([response.status, await response.json()]).toMatchObject([503, { code: "unavailable" }]);
  });
});

test("a signed body that is not a message is refused, and one that is too long is not read", async () => {
  const { post } = await office();
  for (const body of ["[]", "<xml/>", '{"event":"envelope-completed"}'])
    expect((await must(400, post(body, await signedWith([KEY], body)))).body.code).toBe("invalid_input");
  const long = "x".repeat(1_048_577);
  await must(413, post(long, await signedWith([KEY], long)));
});

test("only POST is accepted, with or without an API key", async () => {
  const { ask, tenant } = await office();
  expect((await must(405, ask("GET", `/v1/hooks/docusign/${tenant}/sign`))).headers.get("Allow")).toContain("POST");
});
