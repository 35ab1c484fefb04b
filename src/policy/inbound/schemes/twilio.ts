// Twilio signs the URL and, for a form, its fields. For any other body the URL contains a digest of the body. A body
// without a digest is not signed, so the request is refused.
import { fromBase64, textOf, utf8 } from "../bytes.ts";
import { groupFields, isForm } from "../form.ts";
import { header, idOf, textField, type HookRequest, type Scheme } from "../scheme.ts";

export const twilio: Scheme<"twilio"> = {
  signsFields: true,
  claim: (request) => {
    const signature = header(request, "X-Twilio-Signature");
    if (signature === null || !URL.canParse(request.url)) return null;
    const bodyDigest = new URL(request.url).searchParams.get("bodySHA256");
    const hasFields = isForm(request);
    if (!hasFields && bodyDigest === null) return null;
    const fields = hasFields ? signedFields(request) : "";
    const contents = urlVariants(request.url).map((address) => utf8(address + fields));
    const claim = {
      kind: "hmac",
      digest: "SHA-1",
      contents,
      signatures: [fromBase64(signature)],
      keyOf: utf8,
    } as const;
    return { claim, signedAt: null, bodyDigest };
  },
  deliveryId: (_request, body) => {
    const sid = firstField(body, ["MessageSid", "SmsSid", "CallSid", "Sid"]);
    const status = firstField(body, ["MessageStatus", "SmsStatus", "CallStatus"]);
    const number = textField(body, "SequenceNumber");
    return number === null ? idOf(sid, status) : idOf(sid, status, number);
  },
};

/**
 * Joins the fields, sorted by name. The values of a name are sorted, each once. Names are compared by UTF-16 units, as
 * in Twilio's libraries.
 */
function signedFields({ body }: HookRequest): string {
  const byName = [...groupFields(new URLSearchParams(textOf(body) ?? ""))].toSorted(
    ([a], [b]) => Number(a > b) - Number(a < b),
  );
  return byName.flatMap(([name, values]) => [...new Set(values)].toSorted().map((value) => name + value)).join("");
}

/**
 * Returns the variants of the URL to verify: as it was called, with the port, and without it. Some Twilio services sign
 * the default port and some omit it.
 */
function urlVariants(called: string): readonly string[] {
  const { protocol, host, hostname, port } = new URL(called);
  const rest = called.slice(called.indexOf(host, protocol.length) + host.length);
  const base = `${protocol}//${hostname}`;
  const namedPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return [called, `${base}:${namedPort}${rest}`, `${base}${rest}`];
}

function firstField(body: Parameters<typeof textField>[0], names: readonly string[]): string | null {
  return names.map((name) => textField(body, name)).find((found) => found !== null) ?? null;
}
