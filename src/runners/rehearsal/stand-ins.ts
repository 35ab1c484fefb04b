// Stand-in accounts: a connection as a rehearsal opens it: a secret's name replaces its value, and a generated value
// replaces one that must work (a signing key, an address). No secret is decrypted.
import type { ClosedAccount } from "#schema/rehearsal.ts";
import { base64, base64url } from "../core/bytes.ts";
import type { OpenConnection } from "../core/runner.ts";

export type StandIns = {
  readonly connection: OpenConnection;
  /** Generated values without meaning: they are removed from what is shown. */
  readonly madeUp: readonly string[];
};

/** Replaces the secret's value in a text that is sent. */
export function secretPlaceholder(secret: string): string {
  return `[secret ${secret}]`;
}

/** Any number is a valid key; its address does not matter. */
const EVM_KEY = "0x".padEnd(66, "5e");

export async function openedWithoutSecrets(account: ClosedAccount): Promise<StandIns> {
  const made = await madeUpFor(account);
  const { credentials: named, ...rest } = account;
  const own = Object.fromEntries(Object.entries(named).map(([field, secret]) => [field, secretPlaceholder(secret)]));
  const known = Object.fromEntries(Object.entries(made).filter(([field]) => Object.hasOwn(named, field)));
  const credentials: { readonly [field: string]: string } = { ...own, ...known };
  const token = tokenOf(account, credentials);
  return {
    connection: { ...rest, credentials, token },
    madeUp: Object.keys(known).flatMap((field) => (field === "from" ? [] : [known[field] ?? ""])),
  };
}

/** As services/connection-token.ts returns them, without their values. */
function tokenOf({ name, auth }: ClosedAccount, credentials: OpenConnection["credentials"]): OpenConnection["token"] {
  const failure = (type: string, message: string, code: string) =>
    ({ ok: false, failure: { error: { type, message, retryable: false, code } } }) as const;
  return async (refused) => {
    switch (auth.type) {
      case "oauth2":
        return { ok: true, token: `[token of ${name}]` };
      case "bearer":
        return refused === null
          ? { ok: true, token: credentials["token"] ?? "" }
          : failure(
              "authentication_failed",
              `the provider refused the token of the connection ${name}`,
              "token_refused",
            );
      case "none":
      case "basic":
      case "api_key": {
        const message = `the connection ${name} has no tokens: its auth is not oauth2`;
        return failure("invalid_configuration", message, "auth_mismatch");
      }
    }
  };
}

async function madeUpFor({ provider }: ClosedAccount): Promise<{ readonly [field: string]: string }> {
  switch (provider) {
    case "evm":
      return { privateKey: EVM_KEY };
    case "slack":
      return { webhookUrl: "https://hooks.slack.com/services/T00000000/B00000000/stand-in-for-a-secret" };
    case "docusign":
      return { privateKey: await rsaPem() };
    case "fcm": {
      const privateKey = await rsaPem();
      const file = { project_id: "stand-in", client_email: "stand-in@stand-in.example", private_key: privateKey };
      return { privateKey, serviceAccount: JSON.stringify(file) };
    }
    case "webpush":
      return vapidKeys();
    case "sendgrid":
    case "resend":
      return { from: "sender@stand-in.example" };
  }
  return {}; // any other provider's runner needs only the connection's own values
}

let rsa: string | null = null;

/** Generated once per isolate, because it takes long and any key will do. */
async function rsaPem(): Promise<string> {
  // Its text is cached and not its promise, because one request must not wait for another's promise.
  rsa ??= await makeRsaPem();
  return rsa;
}

async function makeRsaPem(): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // RSA's are pairs
  // only "jwk" returns another type
  const bytes = (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer;
  const kind = "PRIVATE KEY";
  return `-----BEGIN ${kind}-----\n${base64(new Uint8Array(bytes))}\n-----END ${kind}-----`;
}

async function vapidKeys(): Promise<{ readonly [field: string]: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // these, too
  const open = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer; // not a "jwk"
  const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey; // a "jwk"
  return { vapidPublicKey: base64url(new Uint8Array(open)), vapidPrivateKey: d };
}
