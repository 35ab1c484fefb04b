// Configs of envelopes with own documents, for the tests of requests and of refusals.
import type { JsonObject } from "#schema/json.ts";

export const PDF = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
export const LEASE = { name: "Lease.pdf", content: PDF };
export const RULES = {
  name: "House rules",
  fileExtension: "html",
  content: Buffer.from("<p>Quiet.</p>").toString("base64"),
};
export const ADA = { name: "Ada", email: "ada@example.com" };
export const BOB = { name: "Bob", email: "bob@example.com" };

/** The smallest valid config. */
export const documents: JsonObject = { documents: [LEASE], signers: [ADA], emailSubject: "Your lease" };

/** A config with every field. Numbers and booleans are typed, as a rendered template returns them. */
export const owned: JsonObject = {
  documents: [{ ...LEASE, documentId: 2, transformPdfFields: true }, RULES],
  signers: [
    {
      ...ADA,
      routingOrder: 1,
      clientUserId: 7,
      accessCode: "1234",
      note: "Both pages, please.",
      emailNotification: { emailSubject: "Sign here", emailBody: "Please.", supportedLanguage: "de" },
      tabs: {
        signHereTabs: [{ anchorString: "/sign/", anchorUnits: "pixels", anchorXOffset: -4, optional: false }],
        initialHereTabs: [{ anchorString: "/initial/", scaleValue: 0.5, anchorIgnoreIfNotPresent: true }],
        dateSignedTabs: [{ documentId: 1, pageNumber: 1, xPosition: 100, yPosition: 250, fontSize: "size9" }],
        fullNameTabs: [{ anchorString: "Name:", name: "Name" }],
        textTabs: [
          {
            anchorString: "Rent:",
            documentId: "2",
            tabLabel: "rent",
            value: 1200,
            locked: true,
            required: false,
            width: 80,
            height: 20,
            maxLength: 10,
            tooltip: "A month",
            font: "arial",
            bold: true,
          },
        ],
        checkboxTabs: [{ anchorString: "Pets", selected: true, required: false, anchorMatchWholeWord: true }],
      },
    },
  ],
  carbonCopies: [{ ...BOB, routingOrder: 2 }],
  emailSubject: "Your lease",
  brandId: "brand-1",
  allowReassign: false,
  emailSettings: {
    replyEmailAddressOverride: "desk@example.com",
    replyEmailNameOverride: "The desk",
    bccEmailAddresses: [{ email: "a@example.com" }],
  },
};

const tenant = { ...ADA, roleName: "Tenant" };
export const composite: JsonObject = {
  compositeTemplates: [
    {
      compositeTemplateId: "lease",
      serverTemplates: [
        { sequence: 1, templateId: "tpl-1" },
        { sequence: 2, templateId: "tpl-2" },
      ],
      inlineTemplates: [{ sequence: 3, recipients: { signers: [tenant] } }],
    },
    {
      document: LEASE,
      inlineTemplates: [
        {
          sequence: 1,
          recipients: {
            signers: [{ ...tenant, tabs: { signHereTabs: [{ anchorString: "/sign/" }] } }],
            carbonCopies: [BOB],
          },
        },
      ],
    },
    { inlineTemplates: [{ sequence: 1, documents: [RULES], recipients: { signers: [tenant] } }] },
  ],
};
