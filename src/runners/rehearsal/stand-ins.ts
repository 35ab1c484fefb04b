// A connection as a rehearsal opens it: where a secret's value would stand, its name does, and where the runner needs
// something that works (a key that signs, an address), one that was made up. No secret is opened.
import type { ClosedAccount } from "#schema/rehearsal.ts";
import { base64, base64url } from "../core/bytes.ts";
import type { OpenConnection } from "../core/runner.ts";

export type StandIns = {
  readonly connection: OpenConnection;
  /** What was made up and says nothing to anybody: it is taken out of what is shown. */
  readonly madeUp: readonly string[];
};

/** In a text that goes out, in the place of the secret's value. */
export function standInFor(secret: string): string {
  return `[secret ${secret}]`;
}

/** Any number is a key to a chain; whose address it is, nobody needs to know. */
const EVM_KEY = "0x".padEnd(66, "5e");

export async function openedWithoutSecrets(account: ClosedAccount): Promise<StandIns> {
  const made = await madeUpFor(account);
  const { credentials: named, ...rest } = account;
  const own = Object.fromEntries(Object.entries(named).map(([field, secret]) => [field, standInFor(secret)]));
  const known = Object.fromEntries(Object.entries(made).filter(([field]) => Object.hasOwn(named, field)));
  const credentials: { readonly [field: string]: string } = { ...own, ...known };
  const token = tokenOf(account, credentials);
  return {
    connection: { ...rest, credentials, token },
    madeUp: Object.keys(known).flatMap((field) => (field === "from" ? [] : [known[field] ?? ""])),
  };
}

/** As services/connection-token.ts gives them, but for their values. */
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
        const message = `the connection ${name} gives no tokens: its auth is not oauth2`;
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
  return {}; // any other provider's runner gets by with what the connection says
}

let rsa: string | null = null;

/** Made once an isolate: it takes a while, and which one it is does not matter. */
async function rsaPem(): Promise<string> {
  // Its text is kept and not its promise: what belongs to one request must not be waited for by another.
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
  const bytes = (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer; // only "jwk" gives another
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
