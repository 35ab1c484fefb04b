// Tests of destinations: the recipient of each type's config, rendered or with templates, without secrets.
import { describe, expect, it } from "vitest";
import { destinationOf } from "#runners/destination.ts";
import { runners } from "#runners/registry.ts";
import type { JsonObject } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const contract = "0x1111111111111111111111111111111111111111";
const token = "dGhpcyBpcyBhIGRldmljZSB0b2tlbg:APA91b";

/** Configs with the expected kind and recipients. Where a text joins several values, only the values are listed. */
const cases: readonly (readonly [type: string, config: JsonObject, kind: string, to: readonly unknown[]])[] = [
  ["email", { to: "ada@example.com" }, "email", ["ada@example.com"]],
  [
    "email",
    { to: ["Ada <ada@example.com>"], cc: [{ email: "b@example.com", name: "Bo" }], bcc: { email: "c@example.com" } },
    "email",
    ["Ada <ada@example.com>", "Bo <b@example.com>", "c@example.com"],
  ],
  ["email", { to: "{{ execution.variables.email }}" }, "email", ["{{ execution.variables.email }}"]],
  ["sms", { to: "+14155550123" }, "phone", ["+14155550123"]],
  ["slack", { channel: "C123" }, "channel", ["C123"]],
  ["slack", { text: "hi" }, "channel", [expect.any(String)]],
  [
    "webhook",
    { url: "https://user:pw@example.com/hook?token=abcdef&a=1#x" },
    "url",
    ["POST https://[redacted]@example.com/hook?token=[redacted]&a=1"],
  ],
  [
    "webhook",
    { url: "https://{{ host }}/x?token={{ t }}", method: "PUT" },
    "url",
    ["PUT https://{{ host }}/x?token={{ t }}"],
  ],
  [
    "webhook",
    { url: { $secret: ["https://example.com/", { name: "hook_path" }] } },
    "url",
    ["POST https://example.com/[secret hook_path]"],
  ],
  ["webhook", {}, "url", ["POST [redacted]"]],
  ["api_call", { service: "crm", endpoint: "/people/7?key=x", method: "POST" }, "url", ["POST crm: /people/7"]],
  [
    "api_call",
    { url: "https://api.example.com/v1?api_key=zzzzzz" },
    "url",
    ["GET https://api.example.com/v1?api_key=[redacted]"],
  ],
  [
    "docusign_envelope",
    { recipients: [{ role: "Tenant", name: "Ada", email: "ada@example.com" }] },
    "signers",
    [naming("Ada <ada@example.com>", "Tenant")],
  ],
  [
    "docusign_envelope",
    { templateRoles: [{ roleName: "Owner", name: "Bo", email: "b@example.com" }] },
    "signers",
    [naming("Bo <b@example.com>", "Owner")],
  ],
  [
    "docusign_envelope",
    { signers: [{ name: "Ada", email: "ada@example.com" }], carbonCopies: [{ name: "Bo", email: "b@example.com" }] },
    "signers",
    ["Ada <ada@example.com>", "Bo <b@example.com>"],
  ],
  [
    "docusign_envelope",
    {
      compositeTemplates: [
        {
          inlineTemplates: [
            { recipients: { signers: [{ name: "Ada", email: "ada@example.com", roleName: "Tenant" }] } },
          ],
        },
        { serverTemplates: [] },
      ],
    },
    "signers",
    [naming("Ada <ada@example.com>", "Tenant")],
  ],
  [
    "docusign_recipient_view",
    { envelopeId: "e-1", clientUserId: "7", name: "Ada", email: "ada@example.com" },
    "signers",
    ["Ada <ada@example.com>"],
  ],
  ["push", { provider: "fcm", token }, "device", ["dGhpcyBp…"]],
  ["push", { provider: "fcm", topic: "news" }, "topic", ["news"]],
  ["push", { provider: "fcm", condition: "'a' in topics" }, "condition", ["'a' in topics"]],
  ["push", { subscription: { endpoint: "https://push.example.com/secret-path" } }, "browser", ["push.example.com"]],
  ["database", { database: "crm", sql: "DELETE FROM a" }, "database", ["crm"]],
  ["database", { connection: "turso" }, "database", ["turso"]],
  [
    "blockchain_mint",
    { network: "base", contractAddress: contract, parameters: { to: "0x22" } },
    "chain",
    ["0x22", naming("mint()", contract, "base")],
  ],
  [
    "contract_call",
    { contractAddress: contract, function: "pay", parameters: [1] },
    "chain",
    [naming("pay()", contract, "mainnet")],
  ],
  ["task", { assignee: "ada" }, "person", ["ada"]],
  ["task", { title: "Approve" }, "person", [expect.any(String)]],
  ["start_execution", { definition: "order@2" }, "definition", ["order@2"]],
  ["send_event", { execution: "exe_1", type: "paid" }, "execution", ["exe_1", "paid"]],
  ["worker", { service: "shop", method: "reserve" }, "worker", ["shop.reserve"]],
  ["delay", {}, "nowhere", []],
];

describe("a destination", () => {
  it.each(cases)("of %s %j", (type, config, kind, to) => {
    expect(destinationOf(type, config)).toEqual({ kind, to });
  });

  it.each(Object.keys(runners))("%s has one for any config", (type) => {
    expect(cases.some(([of]) => of === type)).toBe(true);
    for (const odd of [null, 7, true, ["x", [null]], { a: { b: null } }]) {
      const config = Object.fromEntries(
        [
          "to",
          "url",
          "channel",
          "recipients",
          "signers",
          "compositeTemplates",
          "subscription",
          "token",
          "parameters",
          "service",
        ].map((key) => [key, odd]),
      );
      expect(destinationOf(type, config)).toMatchObject({ kind: expect.any(String), to: expect.any(Array) });
    }
  });

  it("is null for an unknown type", () => {
    expect(destinationOf("carrier_pigeon", {})).toBeNull();
    expect(destinationOf("constructor", {})).toBeNull();
  });
});
