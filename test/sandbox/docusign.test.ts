// Tests the imitated DocuSign with the runner that calls DocuSign, and its callbacks with the engine's parser.
import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { readEnvelopeMessage } from "#services/hooks/docusign-message.ts";
import { SANDBOX, sandboxed } from "./sandboxed.ts";

const { server, perform, script, arrived } = sandboxed();

describe("DocuSign", () => {
  const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  const account = (integrationKey = "key-1"): Partial<OpenConnection> => ({
    baseUrl: `${SANDBOX}/docusign`,
    credentials: { privateKey, connectHmacKey: "connect-key" },
    settings: { accountId: "acc", integrationKey, userId: "u", authServer: `${SANDBOX}/docusign`, publicUrl: SANDBOX },
  });
  const config = { templateId: "tpl", templateRoles: [{ roleName: "Tenant", name: "Ada", email: "ada@example.com" }] };
  const envelope = (over: JsonObject, key?: string, integrationKey?: string) =>
    perform("docusign_envelope", { ...config, ...over }, account(integrationKey), key);
  const idOf = ({ outcome }: Awaited<ReturnType<typeof perform>>) =>
    outcome.ok ? (outcome.result as { envelopeId: string }).envelopeId : outcome.error.message;

  it("creates one envelope for each transaction", async () => {
    const first = await envelope({}, "exe_s/d1");
    expect(first.outcome).toMatchObject({ ok: true, events: [{ type: "envelope_sent" }] });
    expect(idOf(await envelope({}, "exe_s/d1"))).toBe(idOf(first));
    expect(idOf(await envelope({}, "exe_s/d2"))).not.toBe(idOf(first));
    const at = "/docusign/restapi/v2.1/accounts/acc/envelopes";
    expect((await arrived(at)).filter(({ key }) => key === "exe_s/d1")).toHaveLength(2);
  });

  it("accepts own documents and layers of templates, and refuses an incomplete envelope", async () => {
    const ada = { name: "Ada", email: "ada@example.com" };
    const lease = { name: "Lease.pdf", content: Buffer.from("%PDF-1.7").toString("base64") };
    const own = (config: JsonObject) => perform("docusign_envelope", config, account());
    const layers = [
      { serverTemplates: [{ sequence: 1, templateId: "tpl" }] },
      { document: lease, inlineTemplates: [{ sequence: 1, recipients: { signers: [ada] } }] },
    ];
    const subject = { emailSubject: "Hi" };
    expect((await own({ ...subject, documents: [lease], signers: [ada] })).outcome).toMatchObject({ ok: true });
    expect((await own({ compositeTemplates: layers })).outcome).toMatchObject({ ok: true });
    const unknown = [{ serverTemplates: [{ sequence: 1, templateId: "unknown-1" }] }];
    expect((await own({ compositeTemplates: unknown })).outcome).toMatchObject({ error: { code: "template_unknown" } });
    const nobody = [{ document: lease }];
    const refused = await own({ ...subject, compositeTemplates: nobody });
    expect(refused.outcome).toMatchObject({ error: { type: "invalid_configuration", code: "envelope_incomplete" } });
  });

  it("refuses unknown templates, unknown users and missing consent", async () => {
    expect((await envelope({ templateId: "unknown-1" })).outcome).toMatchObject({
      error: { code: "template_unknown" },
    });
    const signIn = async (name: string) => (await envelope({}, undefined, name)).outcome;
    expect(await signIn("unknown-1")).toMatchObject({ error: { code: "invalid_grant" } });
    expect(await signIn("unconsented-1")).toMatchObject({ error: { code: "consent_required" } });
  });

  it("sends an event about one recipient", async () => {
    const bob = { roleName: "Owner", name: "Bob", email: "bob@example.com" };
    const envelopeId = idOf(await envelope({ recipients: [], templateRoles: [...config.templateRoles, bob] }));
    const body = { account: "acc", envelopeId, event: "recipient-declined", recipientId: "2", deliver: false };
    const response = await server.fetch("/_control/docusign/callbacks", { method: "POST", body: JSON.stringify(body) });
    const { sent } = (await response.json()) as { sent: { body: string } };
    expect(readEnvelopeMessage(sent.body)).toMatchObject({
      event: "recipient-declined",
      recipientId: "2",
      payload: {
        status: "declined",
        recipient: { name: "Bob", status: "declined", declinedReason: "No." },
        recipients: [{ name: "Ada", status: "sent" }, { name: "Bob" }],
      },
    });
  });

  it("opens a signing page only for a recipient of the envelope", async () => {
    const role = { roleName: "Tenant", name: "Ada", email: "ada@example.com", clientUserId: 7 };
    const envelopeId = idOf(await envelope({ templateRoles: [role] }));
    const { roleName: _, ...ada } = role;
    const view = (over: JsonObject) =>
      perform("docusign_recipient_view", { envelopeId, ...ada, returnUrl: "http://localhost/x", ...over }, account());
    const first = await view({});
    expect(first.outcome).toMatchObject({ ok: true, result: { url: expect.stringContaining("/docusign/Signing/") } });
    expect((await view({})).outcome).not.toMatchObject({ result: first.outcome.ok ? first.outcome.result : null });
    expect((await view({ clientUserId: 8 })).outcome).toMatchObject({ error: { code: "recipient_invalid" } });
    expect((await view({ envelopeId: "none" })).outcome).toMatchObject({ error: { code: "envelope_unknown" } });
  });

  it("fails as scripted, in DocuSign's format", async () => {
    await script("/docusign/restapi/v2.1/accounts/acc/envelopes", [{ status: 429, headers: { "Retry-After": "3" } }]);
    const { outcome } = await envelope({}, "exe_s/d3");
    expect(outcome).toMatchObject({ error: { code: "hourly_limit_exceeded" }, retryAfterMs: 3_000 });
    await script("/docusign/restapi/v2.1/accounts/acc/envelopes", []);
  });

  it("sends an event on request, signed with each key", async () => {
    const envelopeId = idOf(await envelope({}, "exe_s/d4"));
    const body = {
      account: "acc",
      envelopeId,
      event: "declined",
      keys: ["k1", "connect-key"],
      deliver: false,
      reason: "No.",
    };
    const response = await server.fetch("/_control/docusign/callbacks", { method: "POST", body: JSON.stringify(body) });
    const { sent } = (await response.json()) as {
      sent: { url: string; headers: Record<string, string>; body: string };
    };
    expect(sent.url).toBe(`${SANDBOX}/v1/hooks/docusign/ten_1/main`);
    const signed = createHmac("sha256", "connect-key").update(sent.body).digest("base64");
    expect(sent.headers["X-DocuSign-Signature-2"]).toBe(signed);
    expect(readEnvelopeMessage(sent.body)).toMatchObject({
      envelopeId,
      event: "envelope-declined",
      execution: "exe_1",
      payload: { status: "declined", declinedReason: "No.", recipients: [{ roleName: "Tenant" }] },
    });
  });
});
