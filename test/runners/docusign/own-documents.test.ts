// Tests of envelopes with own documents and of composite templates: the requests to DocuSign.
import { describe, expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import type { JsonObject } from "#schema/json.ts";
import { runTicket, type RunDeps } from "#runners/run.ts";
import { connectionTo, jsonResponse, ticketFor, world, type Answer } from "#test/runners/world.ts";
import { performed } from "#test/runners/perform.ts";
import { expectPublished, sentJson } from "#test/runners/published.ts";
import { account, created, ENVELOPE, withTokens } from "./docusign-world.ts";
import { ADA, BOB, composite, documents, LEASE, owned, PDF, RULES } from "./own-configs.ts";

const sent = async (config: JsonObject) => {
  const { outcome, calls } = await performed("docusign_envelope", config, withTokens(created), {
    account: account("owns"),
  });
  const body = (await sentJson(calls.find(({ url }) => url.endsWith("/envelopes"))?.request)) as JsonObject;
  expect(outcome).toMatchObject({ ok: true, result: { envelopeId: ENVELOPE } });
  expectPublished("docusign-envelope", body);
  return { body, outcome };
};

describe("own documents", () => {
  it("are sent with signers and tabs as DocuSign's API describes them", async () => {
    const { body, outcome } = await sent(owned);
    expect(body).toMatchObject({
      emailSubject: "Your lease",
      brandId: "brand-1",
      allowReassign: "false",
      emailSettings: { replyEmailAddressOverride: "desk@example.com", bccEmailAddresses: [{ email: "a@example.com" }] },
      documents: [
        { documentId: "2", name: "Lease.pdf", fileExtension: "pdf", documentBase64: PDF, transformPdfFields: "true" },
        { documentId: "1", name: "House rules", fileExtension: "html", documentBase64: RULES.content },
      ],
      recipients: {
        signers: [
          {
            ...ADA,
            recipientId: "1",
            routingOrder: "1",
            clientUserId: "7",
            tabs: {
              signHereTabs: [{ anchorString: "/sign/", anchorUnits: "pixels", anchorXOffset: "-4", optional: "false" }],
              dateSignedTabs: [{ documentId: "1", pageNumber: "1", xPosition: "100", yPosition: "250" }],
              textTabs: [{ anchorString: "Rent:", documentId: "2", tabLabel: "rent", value: "1200", locked: "true" }],
              checkboxTabs: [{ anchorString: "Pets", selected: "true" }],
            },
          },
        ],
        carbonCopies: [{ ...BOB, recipientId: "2", routingOrder: "2" }],
      },
    });
    expect(body).not.toHaveProperty("templateId");
    expect(body).not.toHaveProperty("templateRoles");
    expect(outcome).toMatchObject({ events: [{ type: "envelope_sent", payload: { templateId: null } }] });
  });

  it("get their file type from the config, the name or the first bytes", async () => {
    const kinds: readonly (readonly [JsonObject, string])[] = [
      [{ name: "a.DOCX", content: RULES.content }, "docx"],
      [{ name: "a.docx", fileExtension: "html", content: RULES.content }, "html"],
      [{ name: "a", content: PDF }, "pdf"],
    ];
    for (const [document, kind] of kinds) {
      const { body } = await sent({ ...documents, documents: [document] });
      expect(body).toMatchObject({ documents: [{ documentId: "1", fileExtension: kind }] });
    }
  });

  it("request callbacks for individual recipients", async () => {
    const settings = { ...account("owns").settings, publicUrl: "https://esc.example" };
    const config = { ...documents, recipientEvents: ["completed", "declined"] };
    const { calls } = await performed("docusign_envelope", config, withTokens(created), {
      account: account("owns", { settings }),
    });
    const body = (await sentJson(calls.find(({ url }) => url.endsWith("/envelopes"))?.request)) as JsonObject;
    expectPublished("docusign-envelope", body);
    const events = ["envelope-delivered", "envelope-completed", "envelope-declined", "envelope-voided"];
    expect(body).toMatchObject({
      eventNotification: { events: [...events, "recipient-completed", "recipient-declined"] },
    });
  });
});

describe("fetched documents", () => {
  const url = "https://files.example/7?name=x";
  const fetching = async (document: JsonObject, file: Answer, over: Partial<RunDeps> = {}) => {
    const answer: Answer = (call) => (call.url.startsWith("https://files.example") ? file(call) : created(call));
    const surroundings = world(withTokens(answer), {
      connection: async () => ({ ok: true, connection: connectionTo("docusign", account("fetches")) }),
      ...over,
    });
    const config = { ...documents, documents: [LEASE, { name: "Plan", ...document }] };
    const outcome = await runTicket(ticketFor("docusign_envelope", config), surroundings);
    const calls = surroundings.calls.filter(({ url: called }) => !called.endsWith("/token"));
    const envelope = calls.find(({ request }) => request.method === "POST");
    const body = envelope === undefined ? null : ((await sentJson(envelope.request)) as JsonObject);
    if (body !== null) expectPublished("docusign-envelope", body);
    return { outcome, body, methods: calls.map(({ request }) => request.method) };
  };
  const pdf: Answer = () => new Response("%PDF-1.7\n%%EOF\n");

  it("from a URL or the bucket are sent as bytes", async () => {
    const fetched = await fetching({ url, headers: { "X-Key": "k" } }, pdf);
    const second = { documentId: "2", name: "Plan", documentBase64: PDF, fileExtension: "pdf" };
    expect(fetched.body).toMatchObject({ documents: [{ documentBase64: PDF }, second] });
    expect(fetched.methods).toEqual(["GET", "POST"]);
    const bytes = new Uint8Array(Buffer.from(PDF, "base64"));
    const stored = { body: new Response(bytes).body ?? bytes, bytes: bytes.byteLength, type: null, disposition: null };
    const files = { read: async (key: string) => (key === "plans/7" ? stored : null) } as RunDeps["files"];
    const kept = await fetching({ r2: { key: "plans/7" } }, pdf, { files });
    expect(kept.body).toMatchObject({ documents: [{}, second] });
  });

  it("get the file type of their answer, unless they are PDFs or the config states one", async () => {
    const named = () => new Response("PK", { headers: { "Content-Disposition": 'attachment; filename="Plan.DOCX"' } });
    expect((await fetching({ url }, named)).body).toMatchObject({ documents: [{}, { fileExtension: "docx" }] });
    const unknown = await fetching({ url }, () => new Response("PK"));
    expect(unknown).toMatchObject({
      methods: ["GET"],
      outcome: { error: { type: "invalid_configuration", code: "document_kind_unknown" } },
    });
    expect(unknown.outcome.ok ? "" : unknown.outcome.error.message).toContain("documents.1.fileExtension:");
  });

  it("that cannot be fetched prevent the sending", async () => {
    const gone = await fetching({ url }, () => new Response(null, { status: 404 }));
    expect(gone).toMatchObject({ methods: ["GET"], outcome: { error: { code: "file_not_found", retryable: false } } });
    const down = await fetching({ url }, () => new Response(null, { status: 503 }));
    expect(down).toMatchObject({ methods: ["GET"], outcome: { error: { code: "file_unavailable", retryable: true } } });
  });

  it("are not fetched if a second attempt finds the envelope", async () => {
    const found = () => jsonResponse({ envelopes: [{ envelopeId: ENVELOPE, status: "sent" }] });
    const answer: Answer = (call) => (call.url.includes("transaction_ids") ? found() : pdf(call));
    const surroundings = world(withTokens(answer), {
      connection: async () => ({ ok: true, connection: connectionTo("docusign", account("finds")) }),
    });
    const config = { ...documents, documents: [{ name: "Plan", url }] };
    const outcome = await runTicket(ticketFor("docusign_envelope", config, { attempt: 2 }), surroundings);
    expect(outcome).toMatchObject({ ok: true, result: { envelopeId: ENVELOPE } });
    expect(surroundings.calls.filter(({ url: called }) => called.startsWith("https://files.example"))).toEqual([]);
  });
});

describe("composite templates", () => {
  it("combine templates and documents, and one person has one id in all of them", async () => {
    const { body } = await sent(composite);
    expect(body).toMatchObject({
      compositeTemplates: [
        {
          compositeTemplateId: "lease",
          serverTemplates: [
            { sequence: "1", templateId: "tpl-1" },
            { sequence: "2", templateId: "tpl-2" },
          ],
          inlineTemplates: [
            { sequence: "3", recipients: { signers: [{ ...ADA, roleName: "Tenant", recipientId: "1" }] } },
          ],
        },
        {
          document: { documentId: "1", name: "Lease.pdf", documentBase64: PDF },
          inlineTemplates: [
            {
              sequence: "1",
              recipients: {
                signers: [
                  {
                    ...ADA,
                    roleName: "Tenant",
                    recipientId: "1",
                    tabs: { signHereTabs: [{ anchorString: "/sign/" }] },
                  },
                ],
                carbonCopies: [{ ...BOB, recipientId: "2" }],
              },
            },
          ],
        },
        { inlineTemplates: [{ sequence: "1", documents: [{ documentId: "2", fileExtension: "html" }] }] },
      ],
    });
    expect(body).not.toHaveProperty("documents");
    expect(body).not.toHaveProperty("recipients");
  });

  it("assign two ids to a person listed twice in one list, and keep ids of the config", async () => {
    const list = [ADA, ADA, { ...BOB, recipientId: 1 }];
    const inlineTemplates = [{ sequence: 1, documents: [LEASE], recipients: { signers: list } }];
    const { body } = await sent({ emailSubject: "Hi", compositeTemplates: [{ inlineTemplates }] });
    const signers = [{ recipientId: "2" }, { recipientId: "3" }, { recipientId: "1" }];
    expect(body).toMatchObject({ compositeTemplates: [{ inlineTemplates: [{ recipients: { signers } }] }] });
  });
});

describe("a role with several people", () => {
  const role = (name: string, routingOrder: number) => ({
    roleName: "Tenant",
    name,
    email: `${name}@example.com`,
    routingOrder,
  });

  it("is sent in the order of its routingOrder", async () => {
    const templateRoles = [role("ada", 1), role("bob", 1), role("cy", 2)];
    const { body } = await sent({ templateId: "tpl-1", templateRoles });
    const orders = ["1", "1", "2"].map((routingOrder) => ({ roleName: "Tenant", routingOrder }));
    expect(body).toMatchObject({ templateRoles: orders });
  });
});

it("accepts templates in drafts of documents for any value", () => {
  const value = (name: string) => `{{ execution.variables.${name} }}`;
  const signer = { name: value("name"), email: value("email"), recipientId: value("id"), routingOrder: value("n") };
  const tabs = { signHereTabs: [{ documentId: value("doc"), pageNumber: 1, xPosition: value("x"), yPosition: 1 }] };
  const drafts: readonly JsonObject[] = [
    { ...documents, documents: value("files") },
    { ...documents, documents: [{ name: value("name"), content: value("pdf") }] },
    { ...documents, documents: [{ name: "a", content: value("pdf"), documentId: value("doc") }] },
    { ...documents, signers: [{ ...signer, tabs }] },
    { ...documents, documents: [{ ...LEASE, documentId: value("doc") }], signers: [{ ...ADA, tabs }, signer, signer] },
    { ...composite, compositeTemplates: value("layers") },
    { ...composite, compositeTemplates: [{ serverTemplates: [{ sequence: value("n"), templateId: value("t") }] }] },
  ];
  expect(drafts.map((draft) => configFindings("docusign_envelope", draft))).toEqual(drafts.map(() => []));
});
