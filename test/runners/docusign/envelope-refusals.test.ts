// Tests of envelope checks: errors that DocuSign would refuse or ignore are reported by field and with a fix, in drafts
// and before a call.
import { describe, expect, it } from "vitest";
import { configFindings } from "#runners/draft.ts";
import type { JsonObject } from "#schema/json.ts";
import { performed } from "#test/runners/perform.ts";
import { account, created, withTokens } from "./docusign-world.ts";
import { ADA, BOB, composite, documents, LEASE, PDF, RULES } from "./own-configs.ts";
import { naming } from "#test/support/matchers/naming.ts";

const role = { roleName: "Tenant", ...ADA };
const template = { templateId: "tpl-1", templateRoles: [role] };
const signing = (tabs: JsonObject) => ({ ...documents, signers: [{ ...ADA, tabs }] });
const layers = (...compositeTemplates: JsonObject[]) => ({ emailSubject: "Hi", compositeTemplates });
const server = { sequence: 1, templateId: "tpl-1" };
const inline = (sequence: number, ...signers: JsonObject[]) => ({ sequence, recipients: { signers } });

const ways: readonly (readonly [string, JsonObject, pointer: string, values: readonly string[]])[] = [
  ["nothing to send", {}, "/templateId", ["templateId", "documents", "compositeTemplates"]],
  ["a template and documents", { ...template, ...documents }, "/documents", ["compositeTemplates"]],
  ["documents and layers", { ...documents, ...composite }, "/compositeTemplates", ["documents", "compositeTemplates"]],
  ["roles of no template", { ...documents, templateRoles: [role] }, "/templateRoles", ["signers", "carbonCopies"]],
  [
    "roles beside layers",
    { ...composite, recipients: [{ role: "Tenant", ...ADA }] },
    "/recipients",
    ["inlineTemplates[].recipients", "roleName"],
  ],
  ["signers of a template", { ...template, signers: [ADA] }, "/signers", ["documents", "templateId"]],
  ["copies of a template", { ...template, carbonCopies: [BOB] }, "/carbonCopies", ["templateRoles"]],
  ["signers beside layers", { ...composite, signers: [ADA] }, "/signers", ["inlineTemplates[].recipients"]],
];

const people: readonly (readonly [string, JsonObject, pointer: string, values: readonly string[]])[] = [
  [
    "a role twice without an order",
    { ...template, templateRoles: [role, { ...role, ...BOB, routingOrder: 1 }] },
    "/templateRoles",
    ["tenant", "routingOrder"],
  ],
  [
    "somebody twice in a role",
    { ...template, templateRoles: [1, 2].map((routingOrder) => ({ ...role, routingOrder })) },
    "/templateRoles",
    ["ada@example.com"],
  ],
  ["nobody to sign", { ...documents, signers: [] }, "/signers", ["documents"]],
  [
    "one id for two people",
    { ...documents, signers: [{ ...ADA, recipientId: 1 }], carbonCopies: [{ ...BOB, recipientId: "1" }] },
    "/carbonCopies/0/recipientId",
    ["1", "ada@example.com", "bob@example.com", "recipientId"],
  ],
  [
    "one id for two people in two layers",
    layers(
      { document: LEASE, inlineTemplates: [inline(1, { ...ADA, recipientId: 1 })] },
      { document: LEASE, inlineTemplates: [inline(1, { ...BOB, recipientId: 1 })] },
    ),
    "/compositeTemplates/1/inlineTemplates/0/recipients/signers/0/recipientId",
    ["1", "ada@example.com"],
  ],
  [
    "an order of no number",
    { ...documents, signers: [{ ...ADA, routingOrder: "first" }] },
    "/signers/0/routingOrder",
    ["1"],
  ],
  [
    "a client's id too long",
    { ...documents, signers: [{ ...ADA, clientUserId: "x".repeat(101) }] },
    "/signers/0/clientUserId",
    ["100"],
  ],
  [
    "six blind copies",
    { ...template, emailSettings: { bccEmailAddresses: Array.from({ length: 6 }, () => ({ email: ADA.email })) } },
    "/emailSettings/bccEmailAddresses",
    ["5"],
  ],
  ["an event that is none", { ...template, recipientEvents: ["signed"] }, "/recipientEvents/0", ["completed"]],
];

const papers: readonly (readonly [string, JsonObject, pointer: string, values: readonly string[]])[] = [
  ["no subject", { documents: [LEASE], signers: [ADA] }, "/emailSubject", []],
  ["no subject in layers", { compositeTemplates: [{ document: LEASE }] }, "/emailSubject", []],
  [
    "content that is none",
    { ...documents, documents: [{ ...LEASE, content: "%PDF" }] },
    "/documents/0/content",
    ["base64"],
  ],
  [
    "a kind nobody knows",
    { ...documents, documents: [{ ...RULES, fileExtension: ".html" }] },
    "/documents/0/fileExtension",
    ["pdf"],
  ],
  [
    "no kind at all",
    { ...documents, documents: [{ name: "House rules", content: RULES.content }] },
    "/documents/0/fileExtension",
    ["House rules"],
  ],
  [
    "a document from nowhere",
    { ...documents, documents: [{ name: "Lease.pdf" }] },
    "/documents/0/content",
    ["content", "url", "r2"],
  ],
  [
    "a document from two places",
    { ...documents, documents: [{ ...LEASE, url: "https://files.example/1" }] },
    "/documents/0/content",
    ["content", "url", "r2"],
  ],
  [
    "a document twice",
    {
      ...documents,
      documents: [
        { ...LEASE, documentId: 1 },
        { ...RULES, documentId: "1" },
      ],
    },
    "/documents/1/documentId",
    ["1"],
  ],
  [
    "a document twice in layers",
    layers({ document: { ...LEASE, documentId: 3 } }, { document: { ...LEASE, documentId: 3 } }),
    "/compositeTemplates/1/document/documentId",
    ["3"],
  ],
];

const places: readonly (readonly [string, JsonObject, pointer: string, values: readonly string[]])[] = [
  [
    "a tab on no document",
    signing({ signHereTabs: [{ documentId: 2, pageNumber: 1, xPosition: 1, yPosition: 1 }] }),
    "/signers/0/tabs/signHereTabs/0/documentId",
    ["2", "1"],
  ],
  [
    "a tab on no document in layers",
    layers({
      document: LEASE,
      inlineTemplates: [inline(1, { ...ADA, tabs: { textTabs: [{ anchorString: "x", documentId: 5 }] } })],
    }),
    "/compositeTemplates/0/inlineTemplates/0/recipients/signers/0/tabs/textTabs/0/documentId",
    ["5"],
  ],
  [
    "a tab in two places",
    signing({ signHereTabs: [{ anchorString: "x", xPosition: 1 }] }),
    "/signers/0/tabs/signHereTabs/0/xPosition",
    ["anchorString"],
  ],
  [
    "a tab in half a place",
    signing({ dateSignedTabs: [{ documentId: 1, xPosition: 1, yPosition: 1 }] }),
    "/signers/0/tabs/dateSignedTabs/0/pageNumber",
    ["anchorString", "documentId", "pageNumber", "xPosition", "yPosition"],
  ],
  [
    "an anchor's offset without an anchor",
    signing({ signHereTabs: [{ anchorXOffset: 1, documentId: 1, pageNumber: 1, xPosition: 1, yPosition: 1 }] }),
    "/signers/0/tabs/signHereTabs/0/anchorXOffset",
    ["anchorString"],
  ],
  ["a kind of tab that is none of these", signing({ noteTabs: [] }), "/signers/0/tabs/noteTabs", ["noteTabs"]],
];

const composed: readonly (readonly [string, JsonObject, pointer: string, values: readonly string[]])[] = [
  ["a layer of nothing", layers({ inlineTemplates: [inline(1, ADA)] }), "/compositeTemplates/0", ["serverTemplates"]],
  [
    "documents that another takes the place of",
    layers({ document: LEASE, inlineTemplates: [{ sequence: 1, documents: [RULES] }] }),
    "/compositeTemplates/0/inlineTemplates/0/documents",
    ["document"],
  ],
  [
    "two layers in one place",
    layers({ serverTemplates: [server], inlineTemplates: [inline(1, ADA)] }),
    "/compositeTemplates/0/inlineTemplates/0/sequence",
    ["1"],
  ],
];

describe("is refused as invalid configuration", () => {
  it.each([...ways, ...people, ...papers, ...places, ...composed])("%s", async (_what, config, pointer, values) => {
    const findings = configFindings("docusign_envelope", config);
    expect(findings).toMatchObject([{ pointer, message: naming(...values) }]);
    const { outcome, calls } = await performed("docusign_envelope", config, withTokens(created), {
      account: account("refuses"),
    });
    const error = { type: "invalid_configuration", code: "invalid_config", message: naming(...values) };
    expect([outcome, calls]).toMatchObject([{ error: { ...error, details: { errors: [{ pointer }] } } }, []]);
  });
});

describe("is accepted", () => {
  it.each<[string, JsonObject]>([
    ["a draft without people or subject", { status: "created", documents: [LEASE] }],
    ["documents for copies alone", { ...documents, signers: [], carbonCopies: [BOB] }],
    [
      "one person in two layers under one id",
      layers(
        { document: LEASE, inlineTemplates: [inline(1, { ...ADA, recipientId: 1 })] },
        { document: LEASE, inlineTemplates: [inline(1, { ...ADA, recipientId: 1 })] },
      ),
    ],
    [
      "a tab on a template's document, which nobody here knows",
      layers({
        serverTemplates: [server],
        inlineTemplates: [inline(2, { ...ADA, tabs: { signHereTabs: [{ anchorString: "x", documentId: 9 }] } })],
      }),
    ],
    ["layers of a template without a subject", { compositeTemplates: [{ serverTemplates: [server] }] }],
    ["a PDF without an extension", { ...documents, documents: [{ name: "Lease", content: PDF }] }],
  ])("%s", (_what, config) => {
    expect(configFindings("docusign_envelope", config)).toEqual([]);
  });
});
