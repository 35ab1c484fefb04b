// DocuSign Connect as it calls back: messages in its JSON, signed with an account's keys.
import { expect } from "vitest";

export type Told = {
  readonly envelopeId?: string;
  readonly execution?: string | null;
  readonly event?: string;
  readonly generatedAt: number;
  readonly recipients?: object;
  readonly recipientId?: string;
  readonly more?: object;
};

/** As "JSON SIM" has it, shortened to what matters here and a little of what does not. */
export function connectMessage(told: Told): string {
  const { envelopeId = "93be49ab-0000-4000-8000-000000000002", execution, event = "envelope-completed" } = told;
  const at = new Date(told.generatedAt).toISOString().replace("Z", "0000Z");
  const fields = execution === null ? [] : [{ fieldId: "1", name: "executionId", show: "false", value: execution }];
  const signer = { name: "Ada", email: "ada@example.com", recipientId: "1", roleName: "Tenant", status: "completed" };
  return JSON.stringify({
    event,
    apiVersion: "v2.1",
    uri: `/restapi/v2.1/accounts/a/envelopes/${envelopeId}`,
    retryCount: 0,
    configurationId: 10,
    generatedDateTime: at,
    data: {
      accountId: "a",
      ...(told.recipientId === undefined ? {} : { recipientId: told.recipientId }),
      envelopeId,
      envelopeSummary: {
        status: event.startsWith("recipient-") ? "sent" : event.replace("envelope-", ""),
        envelopeId,
        customFields: { textCustomFields: fields, listCustomFields: [] },
        recipients: told.recipients ?? { signers: [{ ...signer, signedDateTime: at }], recipientCount: "1" },
        completedDateTime: at,
        ...told.more,
      },
    },
  });
}

export async function signatureOf(key: string, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", imported, bytes.encode(body));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** One header for each key, as an account with several has it. */
export async function signedWith(keys: readonly string[], body: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
  for (const [n, key] of keys.entries()) headers[`X-DocuSign-Signature-${n + 1}`] = await signatureOf(key, body);
  return headers;
}

export const anInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** An application's private key, as DocuSign shows it once. */
export async function privateKeyPem(): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  };
  const made = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // it has two keys
  const bytes = new Uint8Array((await crypto.subtle.exportKey("pkcs8", made.privateKey)) as ArrayBuffer);
  return `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...bytes))}\n-----END PRIVATE KEY-----`;
}
