// Callbacks as SendGrid, Resend and Twilio sign them.
const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text));
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

export type SignedCallback = { readonly url: string; readonly body: string; readonly headers: Record<string, string> };
export type SendgridKeys = {
  readonly publicKey: string;
  readonly sign: (url: string, events: unknown, at: number) => Promise<SignedCallback>;
};

/** A key pair as SendGrid creates it: it shows the public key, and signs with the private one. */
export async function sendgridKeys(): Promise<SendgridKeys> {
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const pair = (await crypto.subtle.generateKey(curve, true, ["sign", "verify"])) as CryptoKeyPair; // it has two keys
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer);
  const sign: SendgridKeys["sign"] = async (url, events, at) => {
    const time = String(Math.floor(at / 1_000));
    const body = JSON.stringify(events);
    const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, utf8(time + body));
    const headers = {
      "Content-Type": "application/json",
      "X-Twilio-Email-Event-Webhook-Timestamp": time,
      "X-Twilio-Email-Event-Webhook-Signature": base64(derOf(new Uint8Array(raw))),
    };
    return { url, body, headers };
  };
  return { publicKey: base64(spki), sign };
}

/** As Svix signs Resend's events, with an id in a header. */
export async function resendCallback(
  key: string,
  { url, id, event, at }: { readonly url: string; readonly id: string; readonly event: unknown; readonly at: number },
): Promise<SignedCallback> {
  const time = String(Math.floor(at / 1_000));
  const body = JSON.stringify(event);
  const bytes = Uint8Array.from(atob(key.replace(/^whsec_/, "")), (char) => char.charCodeAt(0));
  const signature = base64(await hmac("SHA-256", bytes, `${id}.${time}.${body}`));
  const headers = { "svix-id": id, "svix-timestamp": time, "svix-signature": `v1,${signature}` };
  return { url, body, headers: { "Content-Type": "application/json", ...headers } };
}

/** As Twilio signs the address and the fields of a form. */
export async function twilioCallback(
  key: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<SignedCallback> {
  const signed = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signature = base64(await hmac("SHA-1", utf8(key), url + signed.map((each) => each.join("")).join("")));
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "X-Twilio-Signature": signature };
  return { url, body: new URLSearchParams(fields).toString(), headers };
}

async function hmac(hash: string, key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}

/** An ECDSA signature, two numbers of 32 bytes, as DER. */
function derOf(signature: Uint8Array): Uint8Array {
  const numbers = [signature.slice(0, 32), signature.slice(32)].flatMap((number) => {
    const digits = Array.from(
      number.slice(
        Math.max(
          number.findIndex((byte) => byte !== 0),
          0,
        ),
      ),
    );
    const padded = Number(digits[0]) > 127 ? [0, ...digits] : digits;
    return [2, padded.length, ...padded];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}
