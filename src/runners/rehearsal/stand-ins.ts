// Placeholder accounts: open a connection for a rehearsal without decrypting secrets. A secret's name replaces its
// value. If the value must be usable, such as a signing key, a generated value replaces it.
import type { ClosedAccount } from "#schema/rehearsal.ts";
import { base64, base64url } from "../core/bytes.ts";
import type { OpenConnection } from "../core/runner.ts";

export type PlaceholderAccount = {
  readonly connection: OpenConnection;
  /** The generated values, which are removed from everything that is shown. */
  readonly generated: readonly string[];
};

/** Returns the text that replaces a secret's value. */
export function secretPlaceholder(secret: string): string {
  return `[secret ${secret}]`;
}

/** A valid private key for rehearsals. Its value does not matter, because no transaction of a rehearsal is sent. */
const EVM_KEY = "0x".padEnd(66, "5e");

export async function openPlaceholderAccount(account: ClosedAccount): Promise<PlaceholderAccount> {
  const made = await generateValues(account);
  const { credentials: named, ...rest } = account;
  const own = Object.fromEntries(Object.entries(named).map(([field, secret]) => [field, secretPlaceholder(secret)]));
  const known = Object.fromEntries(Object.entries(made).filter(([field]) => Object.hasOwn(named, field)));
  const credentials: { readonly [field: string]: string } = { ...own, ...known };
  const token = tokenOf(account, credentials);
  return {
    connection: { ...rest, credentials, token },
    generated: Object.keys(known).flatMap((field) => (field === "from" ? [] : [known[field] ?? ""])),
  };
}

/** Returns placeholders for tokens, in the cases in which services/connections/renew-token.ts returns tokens. */
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

async function generateValues({ provider }: ClosedAccount): Promise<{ readonly [field: string]: string }> {
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
  return {}; // The runners of other providers need only the connection's own values.
}

let cachedRsaPem: string | null = null;

/** The key is generated once per isolate, because generating takes long and any key suffices. */
async function rsaPem(): Promise<string> {
  // The key's text is cached instead of its promise, because in workerd a request must not await a promise of another
  // request.
  cachedRsaPem ??= await makeRsaPem();
  return cachedRsaPem;
}

async function makeRsaPem(): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: "SHA-256",
  };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // RSA keys are pairs
  // "pkcs8" returns bytes
  const bytes = (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer;
  const kind = "PRIVATE KEY";
  return `-----BEGIN ${kind}-----\n${base64(new Uint8Array(bytes))}\n-----END ${kind}-----`;
}

async function vapidKeys(): Promise<{ readonly [field: string]: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair; // ECDSA keys are pairs
  const open = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer; // "raw" returns bytes
  const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey; // "jwk" returns an object
  return { vapidPublicKey: base64url(new Uint8Array(open)), vapidPrivateKey: d };
}
