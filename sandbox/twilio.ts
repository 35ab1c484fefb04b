// Imitated Twilio Messages, below /twilio, with the magic numbers of Twilio's test credentials. The password "wrong" is
// refused.
import { acceptMessage } from "./callbacks/message-callbacks.ts";
import { asProvider, basicOf, type ProviderImitation } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const toNumbers: Readonly<Record<string, readonly [code: number, status: number, message: string]>> = {
  "+15005550001": [21211, 400, "The 'To' number +15005550001 is not a valid phone number."],
  "+15005550002": [
    21612,
    400,
    "The 'To' phone number is not currently reachable using the 'From' phone number via SMS.",
  ],
  "+15005550003": [
    21408,
    403,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  ],
  "+15005550004": [21610, 400, "Attempt to send to unsubscribed recipient"],
  "+15005550009": [21614, 400, "'To' number is not a valid mobile number"],
};
const fromNumbers: typeof toNumbers = {
  "+15005550001": [
    21212,
    400,
    "The 'From' number +15005550001 is not a valid phone number, shortcode, or alphanumeric sender ID.",
  ],
  "+15005550007": [
    21606,
    400,
    "The 'From' phone number provided is not a valid, SMS-capable inbound phone number for your account.",
  ],
  "+15005550008": [21611, 429, "This 'From' number has exceeded the maximum number of queued messages"],
};

const errorOf = (code: number, status: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});
const refuse = (code: number, status: number, message: string) =>
  Response.json(errorOf(code, status, message), { status });

const bare = (address: string) => address.replace(/^whatsapp:/, "");
const MINUTE = 60_000;

/** Returns Twilio's error for an invalid message; null if the message is valid. */
function refusalOf(form: URLSearchParams): readonly [code: number, status: number, message: string] | null {
  const [to, from, body] = ["To", "From", "Body"].map((name) => form.get(name) ?? "") as [string, string, string];
  if (to === "") return [21604, 400, "A 'To' phone number is required."];
  if (!/^\+[1-9]\d{6,14}$/.test(bare(to))) return [21211, 400, `The 'To' number ${to} is not a valid phone number.`];
  if (from === "" && !form.has("MessagingServiceSid")) return [21603, 400, "A 'From' phone number is required."];
  if (from !== "" && to.startsWith("whatsapp:") !== from.startsWith("whatsapp:"))
    return [63007, 400, "Twilio could not find a Channel with the specified From address"];
  if (body === "" && !form.has("MediaUrl") && !form.has("ContentSid"))
    return [21619, 400, "A Message Body, Media URL or Content SID is required."];
  if (body.length > 1600) return [21617, 400, "The concatenated message body exceeds the 1600 character limit."];
  if (form.getAll("MediaUrl").length > 10) return [21623, 400, "Number of media files exceeds allowed limit."];
  if (form.has("ContentVariables") && !isJsonObject(form.get("ContentVariables") ?? ""))
    return [21656, 400, "The ContentVariables Parameter is invalid"];
  const ahead = Date.parse(form.get("SendAt") ?? "") - Date.now();
  const isInWindow = ahead >= 15 * MINUTE && ahead <= 35 * 24 * 60 * MINUTE;
  if (form.has("SendAt") && !isInWindow) return [35114, 400, "Scheduling does not support this timestamp"];
  return null;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const imitation = (env: SandboxEnv): ProviderImitation => ({
  errorBody: (status) =>
    status === 429 ? errorOf(20429, 429, "Too Many Requests") : errorOf(20000 + status, status, `scripted ${status}`),
  perform: async (request, id) => {
    const { user, password } = basicOf(request);
    const account = new URL(request.url).pathname.split("/")[4] ?? "";
    const isKnown = user.startsWith("SK") || user === account;
    if (!isKnown || password === "" || password === "wrong") return refuse(20003, 401, "Authenticate");
    const form = new URLSearchParams(await request.text());
    const refusal = refusalOf(form);
    if (refusal !== null) return refuse(...refusal);
    const [to, from] = ["To", "From"].map((name) => form.get(name) ?? "") as [string, string];
    const service = form.get("MessagingServiceSid");
    const magic = toNumbers[bare(to)] ?? fromNumbers[bare(from)];
    if (magic) return refuse(...magic);
    const media = form.getAll("MediaUrl");
    const sid = `${media.length > 0 ? "MM" : "SM"}${id.toString(16).padStart(32, "0")}`;
    const url = form.get("StatusCallback");
    const fields = { AccountSid: account, From: from };
    await acceptMessage(env, "twilio", { messageId: sid, recipients: [to], fields, url });
    const at = new Date().toUTCString();
    return Response.json(
      {
        sid,
        account_sid: account,
        to,
        from: from || null,
        messaging_service_sid: service,
        body: form.get("Body") ?? "",
        // Without a messaging service, Twilio ignores SendAt and sends the message immediately.
        status: service === null ? "queued" : form.has("SendAt") ? "scheduled" : "accepted",
        direction: "outbound-api",
        num_segments: "1",
        num_media: String(media.length),
        error_code: null,
        error_message: null,
        date_created: at,
        date_updated: at,
        uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
      },
      { status: 201 },
    );
  },
});

export const twilio = (request: Request, env: SandboxEnv) => asProvider(request, env, imitation(env));
