// A contract is sent, signed and told of, through the whole Worker: action, envelope, callback, next state.
import { expect, test } from "vitest";
import { connectMessage, privateKeyPem, signedWith, type Told } from "#test/support/docusign.ts";
import { setSecrets } from "./crm.ts";
import { engine, provider, until, worker, type Call, type Engine } from "./engine.ts";

const KEY = "Y29ubmVjdC1rZXk=";
const contract = {
  kind: "machine",
  name: "contract",
  initial: "sending",
  variables: { template: "tpl-9", email: "ada@example.com", envelope: null },
  states: {
    sending: {
      on: {
        envelope_sent: { target: "out", assign: { envelope: { var: "message.payload.envelopeId" } } },
        "action.send.failed": "failed",
      },
    },
    out: {
      on: {
        // Only what is told of the envelope that is out.
        envelope_completed: {
          target: "signed",
          guard: { "===": [{ var: "message.payload.envelopeId" }, { var: "execution.variables.envelope" }] },
        },
        envelope_declined: "refused",
      },
    },
    signed: { type: "final" },
    refused: { type: "final", outcome: "failed" },
    failed: { type: "final", outcome: "failed" },
  },
  actions: [
    {
      actionId: "send",
      type: "docusign_envelope",
      triggerState: "sending",
      config: {
        templateId: "{{ execution.variables.template }}",
        recipients: [{ role: "Tenant", name: "Ada", email: "{{ execution.variables.email }}" }],
        customFields: { executionId: "{{ execution.id }}" },
      },
      retryPolicy: { maxAttempts: 2, baseDelay: 10, backoffStrategy: "fixed" },
    },
  ],
};

const isToken = ({ url }: Call) => url.pathname === "/oauth/token";
const token = () => Response.json({ access_token: "token-of-docusign", token_type: "Bearer", expires_in: 3_600 });
const envelope = (envelopeId: string) => ({ envelopeId, status: "sent", statusDateTime: "2026-01-15T12:00:00Z" });

async function office(definition: object = contract): Promise<Engine> {
  const shop = await engine(definition);
  await setSecrets(shop, { ds_key: await privateKeyPem(), ds_connect: KEY });
  const settings = { accountId: "acc", integrationKey: "key", userId: "user", publicUrl: "https://api.test" };
  const credentials = { privateKey: "ds_key", connectHmacKey: "ds_connect" };
  const body = { name: "sign", provider: "docusign", sandbox: true, credentials, settings };
  await shop.must(201, "POST", "/v1/connections", { body });
  return shop;
}

/** As DocuSign calls back: to the address that the envelope itself names. */
async function tell(call: Call, told: Partial<Told>) {
  const sent = JSON.parse(call.body);
  const fields: { name: string; value: string }[] = sent.customFields.textCustomFields;
  const execution = fields.find(({ name }) => name === "executionId")?.value ?? null;
  const body = connectMessage({ execution, generatedAt: Date.now(), ...told });
  const headers = await signedWith([KEY], body);
  const response = await worker.fetch(sent.eventNotification.url, { method: "POST", body, headers });
  return { status: response.status, body: await response.json() };
}

test("a signed callback moves the machine on, once, and only for the envelope that is out", async () => {
  const { calls } = provider((call) => (isToken(call) ? token() : Response.json(envelope("env-1"), { status: 201 })));
  const shop = await office();
  const id = await shop.start("contract");
  await shop.reaches(id, "waiting");
  const sent = calls.find((call) => !isToken(call));
  if (sent === undefined) throw new Error("nothing was sent");
  expect(sent.url.href).toBe("https://demo.docusign.net/restapi/v2.1/accounts/acc/envelopes");
  expect(JSON.parse(sent.body)).toMatchObject({
    templateId: "tpl-9",
    templateRoles: [{ roleName: "Tenant", email: "ada@example.com" }],
    eventNotification: { url: `https://api.test/v1/hooks/docusign/${shop.tenant}/sign` },
  });
  expect((await shop.runs(id))[0]).toMatchObject({ status: "ok", result: { envelopeId: "env-1" } });

  const other = await tell(sent, { envelopeId: "env-2" });
  expect(other).toMatchObject({ status: 200, body: { applied: false, reason: "event_not_accepted" } });
  expect((await shop.read(id)).status).toBe("waiting");
  const signed = { envelopeId: "env-1", generatedAt: Date.now() };
  expect(await tell(sent, signed)).toMatchObject({ status: 200, body: { applied: true, execution: id } });
  await shop.reaches(id, "completed");
  const history = await shop.journal(id);
  expect((await tell(sent, signed)).status).toBe(200);
  expect(await shop.journal(id)).toEqual(history);
  expect(history).toContainEqual(
    expect.objectContaining({ kind: "event_received", event: expect.objectContaining({ source: "docusign/sign" }) }),
  );
  const late = await tell(sent, { envelopeId: "env-1", event: "envelope-declined" });
  expect(late).toMatchObject({ status: 200, body: { applied: false, reason: "execution_final" } });
  const kept = JSON.stringify([history, await shop.runs(id)]);
  expect(kept).not.toMatch(/token-of-docusign|BEGIN|Y29ubmVjdC1rZXk/);
});

test("news that is not what the definition declares is received, and not applied", async () => {
  const { calls } = provider((call) => (isToken(call) ? token() : Response.json(envelope("env-1"), { status: 201 })));
  const events = { envelope_completed: { type: "object", properties: { envelopeId: { const: "env-9" } } } };
  const shop = await office({ ...contract, events });
  const id = await shop.start("contract");
  await until("it is out", async () => ((await shop.read(id)).states[0] === "out" ? true : null));
  const sent = calls.find((call) => !isToken(call));
  if (sent === undefined) throw new Error("nothing was sent");
  const answered = await tell(sent, { envelopeId: "env-1" });
  expect(answered).toMatchObject({ status: 200, body: { applied: false, reason: "payload_invalid" } });
  expect((await shop.read(id)).states).toEqual(["out"]);
});

test("an envelope whose answer was lost is found again, and not sent twice", async () => {
  const { calls } = provider((call) => {
    if (isToken(call)) return token();
    if (call.url.search.includes("transaction_ids")) return Response.json({ envelopes: [envelope("env-lost")] });
    throw new TypeError("Network connection lost.");
  });
  const shop = await office();
  const id = await shop.start("contract");
  const run = await until("the second attempt", async () => {
    const [found] = await shop.runs(id);
    return found.status === "ok" ? found : null;
  });
  expect(run).toMatchObject({ attempt: 2, result: { envelopeId: "env-lost" } });
  const made = calls.filter((call) => !isToken(call));
  expect(made.map(({ url }) => url.search === "")).toEqual([true, false]);
  expect(made[1]?.url.searchParams.get("transaction_ids")).toBe(JSON.parse(made[0]?.body ?? "{}").transactionId);
});

test("a signing page's address goes on inside the process, and lists do not show it", async () => {
  const page = "https://demo.docusign.net/Signing/7?slt=a-key-to-sign-with";
  const { calls } = provider((call) => {
    if (isToken(call)) return token();
    if (call.url.pathname.endsWith("/views/recipient")) return Response.json({ url: page }, { status: 201 });
    return Response.json({});
  });
  const person = { clientUserId: "7", name: "Ada", email: "ada@example.com" };
  const view = { envelopeId: "env-1", ...person, returnUrl: "https://app.example.com/signed" };
  const shop = await office({
    kind: "machine",
    name: "signing",
    initial: "opening",
    variables: { page: null },
    states: {
      opening: {
        on: { recipient_view_created: { target: "telling", assign: { page: { var: "message.payload.url" } } } },
      },
      telling: { on: { webhook_called: { target: "open", assign: { page: null } } } },
      open: { type: "final" },
    },
    actions: [
      { actionId: "view", type: "docusign_recipient_view", triggerState: "opening", config: view },
      {
        actionId: "tell",
        type: "webhook",
        triggerState: "telling",
        config: { url: "https://app.example.com/open", payload: { page: "{{ execution.variables.page }}" } },
      },
    ],
  });
  const id = await shop.start("signing");
  await shop.reaches(id, "completed");
  const told = calls.find(({ url }) => url.pathname === "/open");
  expect(JSON.parse(told?.body ?? "null")).toMatchObject({ page });
  const [run] = await shop.runs(id);
  expect(run).toMatchObject({ type: "docusign_recipient_view", status: "ok", result: { url: "[redacted]" } });
  const settled = (await shop.journal(id)).filter(({ kind }: { kind: string }) => kind === "run_settled");
  expect(JSON.stringify(settled)).not.toContain("a-key-to-sign-with");
  expect((await shop.read(id)).variables).toEqual({ page: null });

  const action = { actionId: "alone", type: "docusign_recipient_view", config: view };
  const { id: alone } = (await shop.must(201, "POST", "/v1/actions", { body: action })).action;
  const done = await until("the page", async () => {
    const found = await shop.must(200, "GET", `/v1/actions/${alone}`);
    return found.status === "ok" ? found : null;
  });
  expect(done.result).toMatchObject({ url: page, clientUserId: "7" });
});

test("an account nobody consented for says what to do", async () => {
  provider(() => Response.json({ error: "consent_required" }, { status: 400 }));
  const shop = await office();
  const id = await shop.start("contract");
  const held = await until("it is held", async () => (await shop.runs(id))[0].held ?? null);
  expect(held).toMatchObject({ reason: "needs_attention" });
  expect(await shop.must(200, "GET", `/v1/connections/${held.connection}`)).toMatchObject({
    status: "needs_attention",
    attention: {
      code: "consent_required",
      reason: expect.stringContaining("https://account-d.docusign.com/oauth/auth?"),
    },
  });
});
